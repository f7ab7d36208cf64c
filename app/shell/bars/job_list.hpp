#pragma once

#include "app/jobs/jobs.hpp"

#include <QDialog>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <vector>

class QLabel;
class QProgressBar;
class QScrollArea;
class QStatusBar;
class QToolButton;

namespace hinesight::widgets {
class ElidedLabel;
}

namespace hinesight::app {

/// "12.3 s": JobState::elapsed.
QString elapsedInWords(const JobState& job);

/// The jobs that run or wait, above the status bar of their window: what each does to what, how much of that is done,
/// for how long, and a button to cancel it. Follows them while it is open. Escape, or a click beside it, closes it.
class JobList : public QDialog
{
  Q_OBJECT

public:
  /// What a job does, in words.
  using Words = std::function<QString(const JobState& job)>;

  JobList(QStatusBar* bar, Jobs* jobs, Words words);

protected:
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

private:
  struct Row
  {
    std::uint64_t job; ///< its JobState::id
    QWidget* widget;
    widgets::ElidedLabel* stage;
    QProgressBar* progress;
    QLabel* elapsed;
  };

  void refresh();
  Row addRow(const JobState& job);
  QToolButton* makeCancel(const JobState& job);
  void place();

  QStatusBar* bar;
  Jobs* jobs;
  Words inWords;
  QScrollArea* scroll;
  QWidget* column;
  QLabel* nothing; ///< where there is no job
  std::vector<Row> rows;
  QTimer clock;
};

} // namespace hinesight::app
