#include "app/shell/bars/job_list.hpp"

#include "widgets/elided_label.hpp"
#include "widgets/theme.hpp"

#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QScrollArea>
#include <QStatusBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kWidth = 460;        // pixels
constexpr int kProgressWidth = 90; // pixels
constexpr int kGap = 8;            // pixels, to the edges of the window
constexpr int kInterval = 100;     // ms
constexpr int kSteps = 1000;       // of a bar of progress

template <typename Part>
Part* named(Part* part, const char* name, const JobState& job)
{
  part->setObjectName(QLatin1String(name) + QString::number(job.id));
  return part;
}

} // namespace

QString elapsedInWords(const JobState& job)
{
  return JobList::tr("%1 s").arg(job.elapsed / 1000, 0, 'f', 1);
}

JobList::JobList(QStatusBar* ofWindow, Jobs* jobsOfWindow, Words words)
    : QDialog(ofWindow->window(), Qt::Popup), bar(ofWindow), jobs(jobsOfWindow), inWords(std::move(words)),
      scroll(new QScrollArea), column(new QWidget), nothing(new QLabel(tr("No job runs, and none waits.")))
{
  setObjectName(QStringLiteral("jobList"));
  setWindowTitle(tr("Jobs"));
  setAttribute(Qt::WA_DeleteOnClose);
  setAttribute(Qt::WA_NoMouseReplay); // the click that closes it does nothing else
  nothing->setObjectName(QStringLiteral("noJobs"));
  column->setObjectName(QStringLiteral("jobRows"));
  auto* of = new QVBoxLayout(column);
  of->setContentsMargins(kGap, kGap, kGap, kGap);
  of->setSpacing(kGap);
  of->addWidget(nothing);
  scroll->setObjectName(QStringLiteral("jobScroll"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus); // the buttons have it
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidgetResizable(true);
  scroll->setMinimumHeight(1); // of one row: else it is that of a scroll bar
  scroll->setWidget(column);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(1, 1, 1, 1);
  whole->addWidget(scroll);

  connect(jobs, &Jobs::submitted, this, &JobList::refresh);
  connect(jobs, &Jobs::ended, this, &JobList::refresh);
  connect(&clock, &QTimer::timeout, this, &JobList::refresh);
  clock.start(kInterval);
  refresh();
  place();
}

/// Rows stay where their jobs do, and the keyboard with them.
void JobList::refresh()
{
  const std::vector<JobState> active = jobs->list();
  const auto hasEnded = [&](const Row& row) {
    return std::ranges::find(active, row.job, &JobState::id) == active.end();
  };
  bool isOther = false;
  for (const Row& row : rows)
    if (hasEnded(row)) {
      column->layout()->removeWidget(row.widget);
      row.widget->hide();        // the keyboard goes on to the next one
      row.widget->deleteLater(); // its button may have been what was clicked
      isOther = true;
    }
  std::erase_if(rows, hasEnded);
  for (std::size_t k = 0; k < active.size(); ++k) { // both by age
    if (k == rows.size()) {
      rows.push_back(addRow(active[k]));
      isOther = true;
    }
    rows[k].stage->setText(active[k].isRunning ? inWords(active[k]) : tr("Waits"));
    rows[k].progress->setValue(static_cast<int>(active[k].fraction * kSteps));
    rows[k].elapsed->setText(elapsedInWords(active[k]));
  }
  nothing->setVisible(rows.empty());
  if (isOther)
    place();
}

JobList::Row JobList::addRow(const JobState& job)
{
  Row row{.job = job.id,
          .widget = named(new QWidget, "jobRow", job),
          .stage = named(new widgets::ElidedLabel(nullptr, Qt::ElideMiddle), "jobStage", job),
          .progress = named(new QProgressBar, "jobFraction", job),
          .elapsed = named(new QLabel, "jobElapsed", job)};
  auto* name = named(new widgets::ElidedLabel(nullptr, Qt::ElideMiddle), "jobName", job);
  name->setText(job.name);
  name->setToolTip(job.wholeName);
  QFont bold = name->font();
  bold.setBold(true);
  name->setFont(bold);
  row.progress->setToolTip(tr("Share of what it does now that is done"));
  row.progress->setRange(0, kSteps);
  row.progress->setTextVisible(false);
  row.progress->setFixedWidth(kProgressWidth);
  row.elapsed->setToolTip(tr("Seconds since it was begun, or since it was asked for where it waits"));
  row.elapsed->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  row.elapsed->setMinimumWidth(row.elapsed->fontMetrics().horizontalAdvance(QStringLiteral("0000.0 s")));

  auto* words = new QVBoxLayout;
  words->setSpacing(0);
  words->addWidget(name);
  words->addWidget(row.stage);
  auto* line = new QHBoxLayout(row.widget);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(kGap);
  line->addLayout(words, 1);
  line->addWidget(row.progress);
  line->addWidget(row.elapsed);
  line->addWidget(makeCancel(job));
  column->layout()->addWidget(row.widget);
  row.widget->show(); // now: what is not shown has no size
  return row;
}

QToolButton* JobList::makeCancel(const JobState& job)
{
  auto* cancel = named(new QToolButton, "cancelJob", job);
  cancel->setText(tr("Cancel"));
  cancel->setAccessibleName(tr("Cancel: %1").arg(job.wholeName));
  cancel->setToolTip(tr("Stop this job, or do not begin it; all others go on (Space or Del)"));
  connect(cancel, &QToolButton::clicked, this, [this, id = job.id] { jobs->cancel(id); });
  return cancel;
}

void JobList::keyPressEvent(QKeyEvent* event)
{
  auto* button = qobject_cast<QToolButton*>(focusWidget());
  if (event->key() == Qt::Key_Delete && button)
    button->click();
  else
    QDialog::keyPressEvent(event);
}

void JobList::paintEvent(QPaintEvent* event)
{
  QDialog::paintEvent(event);
  QPainter painter(this);
  painter.setPen(palette().color(QPalette::Mid));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

/// At the right, where the status bar has what runs.
void JobList::place()
{
  const QSize room = bar->window()->size();
  const QMargins edge = layout()->contentsMargins();
  const int wanted = column->layout()->sizeHint().height() + edge.top() + edge.bottom();
  resize(std::min(kWidth, room.width() - 2 * kGap), std::min(wanted, room.height() / 2));
  move(bar->mapToGlobal(QPoint(bar->width() - width() - kGap, -height())));
}

} // namespace hinesight::app
