#pragma once

#include "study/circuit/network_comparison.hpp"

#include <QDialog>
#include <QString>

#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QTableWidget;

namespace hinesight::widgets {
class BinChart;
}

namespace hinesight::app {

/// Two networks over the same neurons beside each other: figures in a table, and how they lie by distance and by
/// degree. A person chooses two connections of the circuit, or the file of a network such as one that was grown. The
/// dialog computes nothing: it says what is wanted and is told what came of it.
class NetworkComparisonDialog : public QDialog
{
  Q_OBJECT

public:
  /// `connections`: their names. `first`, `second`: those that are compared at first.
  NetworkComparisonDialog(const std::vector<std::string>& connections, const std::string& first,
                          const std::string& second, QWidget* parent);

  study::ComparedSide first() const { return sideOf(*sides[0]); }
  study::ComparedSide second() const { return sideOf(*sides[1]); }
  /// One for each pair of populations that both join.
  void showComparisons(const std::vector<study::NetworkComparison>& comparisons);
  const std::vector<study::NetworkComparison>& comparisons() const { return all; }
  /// Nothing can be shown; a sentence says why.
  void showFailure(const QString& sentence);
  void showProgress();

signals:
  /// By a person: these two, which differ.
  void wanted();
  /// By a person: what is shown, as tables in this folder.
  void exportWanted(const QString& folder);

private:
  static QComboBox* makeSide(const char* name, const QString& help);
  static study::ComparedSide sideOf(const QComboBox& side);
  void choose();
  void addFile();
  void takeFile(const QString& path);
  void refresh();
  void fillTable(const study::NetworkComparison& comparison);
  void fillCharts(const study::NetworkComparison& comparison);

  std::vector<study::NetworkComparison> all;
  QComboBox* sides[2];
  QComboBox* populations; ///< which of `all`
  QLabel* populationsLabel;
  QLabel* sentence;
  QTableWidget* table;
  widgets::BinChart* byDistance;
  widgets::BinChart* outDegrees;
  widgets::BinChart* inDegrees;
  QPushButton* exportButton;
};

} // namespace hinesight::app
