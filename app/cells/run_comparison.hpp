#pragma once

#include "io/runs/run_record.hpp"

#include <QDialog>
#include <QString>

#include <vector>

class QLabel;
class QTableWidget;

namespace hinesight::app {

/// A parameter or a stage of two runs side by side.
struct RunDifference
{
  QString what;
  QString first, second;
  QString change = {};                ///< of stages: "−12 %"
  Verdict verdict = Verdict::Unknown; ///< what the change tells
};

/// The parameters that two runs do not share, by their names on screen, then their stages. A parameter that one of them
/// does not have stands as "–" there.
std::vector<RunDifference> differencesOf(const io::RunRecord& a, const io::RunRecord& b);

/// Two runs side by side: a sentence on their times, and what differs.
class RunComparison : public QDialog
{
  Q_OBJECT

public:
  explicit RunComparison(QWidget* parent);

  /// `first` and `second` are how they are called: "run 3".
  void compare(const io::RunRecord& a, const QString& first, const io::RunRecord& b, const QString& second);

private:
  QLabel* sentence;
  QTableWidget* table;
};

} // namespace hinesight::app
