#include "app/shell/sessions/kept_sessions.hpp"

#include "app/document/autosave.hpp"
#include "app/shell/action_icon.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "core/error.hpp"
#include "model/session_file.hpp"
#include "widgets/theme.hpp"

#include <QAction>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QMenu>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace hinesight::app {

namespace {

constexpr qint64 kLarge = 1 << 16; ///< bytes of a session, without its runs, that is read only to say what is in it

QString inWords(const QDateTime& time)
{
  return QLocale(QLocale::English).toString(time, QStringLiteral("d MMMM yyyy, hh:mm"));
}

/// "2 files of cells and 3 populations", or nothing. A list is counted whole, as it is shown, unless it is the one that
/// every window begins with. `count`: of these things.
QString thingsIn(const model::Project& project, const model::Project& standard, std::ptrdiff_t& count)
{
  const auto sizeUnless = [](const auto& begun, const auto& all) { return all == begun ? 0 : std::ssize(all); };
  QStringList parts;
  count = 0;
  const auto add = [&](std::ptrdiff_t more, const QString& one, const QString& many) {
    count += more;
    if (more > 0)
      parts << widgets::formatNumber(static_cast<double>(more)) + QLatin1Char(' ') + (more == 1 ? one : many);
  };
  add(std::ssize(project.cells), KeptSessions::tr("file of a cell"), KeptSessions::tr("files of cells"));
  add(sizeUnless(standard.populations, project.populations), KeptSessions::tr("population"),
      KeptSessions::tr("populations"));
  add(sizeUnless(standard.connections, project.connections), KeptSessions::tr("connection"),
      KeptSessions::tr("connections"));
  if (parts.size() < 2)
    return parts.value(0);
  const QString last = parts.takeLast();
  return KeptSessions::tr("%1 and %2").arg(parts.join(QStringLiteral(", ")), last);
}

QString whatWasOpen(const LeftSession& left, const model::Project& standard)
{
  std::ptrdiff_t count = 0;
  const QString things = thingsIn(left.project, standard, count);
  if (count == 0 && left.hasNetwork)
    return KeptSessions::tr("A network had grown.");
  if (count == 0)
    return left.runs.empty() ? KeptSessions::tr("Parameters had been changed.")
                             : KeptSessions::tr("Runs had been made.");
  return (count == 1 ? KeptSessions::tr("%1 was open.") : KeptSessions::tr("%1 were open.")).arg(things);
}

/// "shown.hinesight: 12 files of cells", or by its first cells, "stellate, bipolar: ...", where it has no file of its
/// own.
QString whatIsIn(const QFileInfo& session, const model::Project& standard)
{
  constexpr std::size_t kNamed = 2; // cells
  QFile file(session.filePath());
  if (!file.open(QIODevice::ReadOnly))
    return KeptSessions::tr("cannot be read");
  const std::string begins = file.read(kLarge).toStdString();
  const std::optional<std::string> beforeRuns = model::textBeforeRuns(begins);
  if (!beforeRuns && session.size() > kLarge)
    return KeptSessions::tr("a large session");
  try {
    const model::ReadSession read = model::parseSession(beforeRuns.value_or(begins), session.path().toStdString(),
                                                        session.filePath().toStdString());
    QStringList names;
    const auto& cells = read.project.cells;
    if (!read.view.savedAs.empty())
      names << QFileInfo(QString::fromStdString(read.view.savedAs)).fileName();
    else
      for (std::size_t cell = 0; cell < std::min(kNamed, cells.size()); ++cell)
        names << QString::fromStdString(cells[cell].name);
    std::ptrdiff_t count = 0;
    const QString things = thingsIn(read.project, standard, count);
    const QString what = count > 0    ? things
                         : beforeRuns ? KeptSessions::tr("runs")
                                      : KeptSessions::tr("changed parameters");
    return names.isEmpty() ? what : KeptSessions::tr("%1: %2").arg(names.join(QStringLiteral(", ")), what);
  } catch (const Error&) {
    return KeptSessions::tr("cannot be read");
  }
}

} // namespace

KeptSessions::KeptSessions(QuestionBar* ofLeft, QWidget* parent)
    : QObject(parent), recovery(ofLeft), earlier(new QMenu(tr("Reopen &earlier session"), parent))
{
  earlier->setObjectName(QStringLiteral("earlierMenu"));
  earlier->setIcon(actionIcon(QStringLiteral("lastAction")));
  listEarlier();
  connect(earlier, &QMenu::aboutToShow, this, &KeptSessions::listEarlier);
  connect(recovery, &QuestionBar::agreed, this, [this] {
    const std::unique_ptr<LeftSession> taken = std::move(left);
    emit restored(taken->project, taken->view, taken->runs, autosave->takeNetwork(taken->file));
    autosave->discard(*taken);
    offerLeft();
  });
  connect(recovery, &QuestionBar::declined, this, [this] {
    autosave->putAside(*std::exchange(left, nullptr));
    listEarlier();
    emit lastChanged();
    offerLeft();
  });
}

KeptSessions::~KeptSessions() = default;

void KeptSessions::begin(const QString& folder, const model::Project& ofAnyWindow)
{
  autosave = new Autosave(folder, this);
  connect(autosave, &Autosave::failed, this, &KeptSessions::failed);
  standard = ofAnyWindow;
  listEarlier();
  offerLeft();
}

void KeptSessions::keep(const model::Project& project, const SeenSession& seen, const io::SharedRuns& runs)
{
  if (autosave)
    autosave->write(project, seen, runs);
}

bool KeptSessions::hasKept() const
{
  return autosave && autosave->hasWritten();
}

QString KeptSessions::networkFile() const
{
  return autosave->networkFile();
}

QString KeptSessions::takenNetworkFile() const
{
  return autosave->takenNetworkFile();
}

QString KeptSessions::takeNetwork(const QString& session) const
{
  return autosave->takeNetwork(session);
}

QString KeptSessions::last() const
{
  return autosave ? autosave->closed().value(0) : QString();
}

void KeptSessions::end()
{
  if (autosave)
    autosave->keepAsClosed();
}

/// The next session of a window that never ended, or nothing.
void KeptSessions::offerLeft()
{
  auto found = autosave->takeLeft();
  left = found ? std::make_unique<LeftSession>(std::move(*found)) : nullptr;
  if (!left)
    return recovery->ask({});
  recovery->ask(
      {tr("The program did not end as it should on %1. %2").arg(inWords(left->time), whatWasOpen(*left, standard)),
       tr("Restore"), tr("Open the cells, populations, parameters and runs of then again; undo takes it back"),
       tr("Not now"), tr("Leave it closed; File > Reopen last session opens it")});
}

/// By the time of their last step.
void KeptSessions::listEarlier()
{
  earlier->clear();
  const QStringList files = autosave ? autosave->closed().mid(1) : QStringList();
  earlier->setEnabled(!files.isEmpty());
  for (const QString& file : files) {
    const QFileInfo info(file);
    QString text = tr("%1  —  %2").arg(inWords(info.lastModified()), whatIsIn(info, standard));
    text.replace(QLatin1Char('&'), QStringLiteral("&&"));
    QAction* action = earlier->addAction(text);
    action->setToolTip(
        tr("Open in place of all that is open what a window had open that was closed; undo takes it back"));
    action->setIcon(actionIcon(QStringLiteral("lastAction")));
    // Queued: the menu may be made anew before the session is open.
    connect(
        action, &QAction::triggered, this, [this, file] { emit chosen(file); }, Qt::QueuedConnection);
  }
}

} // namespace hinesight::app
