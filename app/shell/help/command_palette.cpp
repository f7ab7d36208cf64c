#include "app/shell/help/command_palette.hpp"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>
#include <vector>

namespace hinesight::app {

namespace {

constexpr int kWidth = 520;
constexpr int kRows = 12;
constexpr int kAction = Qt::UserRole; ///< its place among the actions

} // namespace

CommandPalette::CommandPalette(QMainWindow* window)
    : QDialog(window, Qt::Popup), commands(menuCommands(*window)), text(new QLineEdit), list(new QListWidget)
{
  setObjectName(QStringLiteral("commandPalette"));
  setAttribute(Qt::WA_DeleteOnClose);
  text->setObjectName(QStringLiteral("paletteText"));
  text->setPlaceholderText(tr("Type what you want to do"));
  text->setToolTip(tr("Parts of a command's name; Enter carries out the chosen one"));
  text->installEventFilter(this);
  list->setObjectName(QStringLiteral("paletteList"));
  list->setToolTip(tr("Commands of all menus with their keys"));
  list->setFocusPolicy(Qt::NoFocus);
  list->setTextElideMode(Qt::ElideMiddle);
  list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 8, 8);
  column->addWidget(text);
  column->addWidget(list);
  connect(text, &QLineEdit::textChanged, this, &CommandPalette::refresh);
  connect(list, &QListWidget::itemClicked, this, &CommandPalette::carryOut);
  refresh();
  const int rowHeight = std::max(list->sizeHintForRow(0), fontMetrics().height());
  const int wanted = text->sizeHint().height() + kRows * rowHeight + 40;
  resize(std::min(kWidth, window->width() - 20), std::min(wanted, window->height() * 3 / 4));
  move(window->mapToGlobal(QPoint((window->width() - width()) / 2, window->height() / 10)));
  text->setFocus();
}

/// Those whose name is what is typed come first, then those whose name begins with it, has its words, and those whose
/// menu or help has them; what cannot be done now is last.
void CommandPalette::refresh()
{
  list->clear();
  const QString typed = text->text().trimmed();
  std::vector<std::pair<int, qsizetype>> found;
  for (qsizetype k = 0; k < commands.size(); ++k) {
    const auto& [action, menu] = commands[k];
    if (!action)
      continue;
    const QString name = commandName(*action);
    if (!hasWords(QStringList{name, menu, action->toolTip()}.join(QLatin1Char(' ')), typed))
      continue;
    const int rank = name.compare(typed, Qt::CaseInsensitive) == 0 ? 0
                     : name.startsWith(typed, Qt::CaseInsensitive) ? 1
                     : hasWords(name, typed)                       ? 2
                                                                   : 3;
    found.emplace_back(rank + (action->isEnabled() ? 0 : 4), k);
  }
  std::ranges::sort(found);
  for (const auto& [rank, k] : found) {
    const QAction& action = *commands[k].action;
    const QString keys = action.shortcut().toString(QKeySequence::NativeText);
    const QString mark = action.isChecked() ? QStringLiteral("✓ ") : QString();
    auto* item = new QListWidgetItem(mark + commandName(action) + QStringLiteral("    ") + commands[k].menu +
                                         (keys.isEmpty() ? QString() : QStringLiteral("    ") + keys),
                                     list);
    item->setData(kAction, static_cast<int>(k));
    item->setToolTip(action.toolTip());
    item->setSizeHint({1, list->sizeHintForRow(list->count() - 1)}); // no wider than the list: else nothing is elided
    if (!action.isEnabled())
      item->setFlags(Qt::NoItemFlags);
  }
  if (found.empty())
    (new QListWidgetItem(tr("No command has these words"), list))->setFlags(Qt::NoItemFlags);
  list->setCurrentRow(0);
}

/// The keys of the list while the text has the focus.
bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
  if (watched != text || event->type() != QEvent::KeyPress)
    return QDialog::eventFilter(watched, event);
  switch (static_cast<QKeyEvent*>(event)->key()) {
  case Qt::Key_Up:
  case Qt::Key_Down: {
    const int step = static_cast<QKeyEvent*>(event)->key() == Qt::Key_Up ? -1 : 1;
    list->setCurrentRow(std::clamp(list->currentRow() + step, 0, std::max(0, list->count() - 1)));
    return true;
  }
  case Qt::Key_Return:
  case Qt::Key_Enter:
    carryOut();
    return true;
  default:
    return QDialog::eventFilter(watched, event);
  }
}

/// After it is gone, so that the action finds the window as it was.
void CommandPalette::carryOut()
{
  const QListWidgetItem* item = list->currentItem();
  if (!item || !(item->flags() & Qt::ItemIsEnabled))
    return;
  const QPointer<QAction> chosen = commands[item->data(kAction).toInt()].action;
  if (chosen)
    connect(this, &QObject::destroyed, chosen, &QAction::trigger);
  close();
}

} // namespace hinesight::app
