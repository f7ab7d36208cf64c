#pragma once

#include "widgets/charts/titled_chart.hpp"

#include <QPointF>
#include <QString>

#include <cstdint>
#include <vector>

namespace hinesight::widgets {

/// The branches of a cell over their path distance from the root: a line a branch, from where it begins to where it
/// ends, those that hang on it around it. A click picks a branch.
class Dendrogram : public TitledChart
{
  Q_OBJECT

public:
  struct Branch
  {
    std::int32_t parent = -1; ///< one that stands before it; -1: none
    std::int32_t type = 0;    ///< of SWC
    double start = 0;         ///< µm
    double end = 0;
  };

  explicit Dendrogram(QWidget* parent);

  void setBranches(std::vector<Branch> branches, const QString& name);
  const std::vector<Branch>& branches() const { return shown; }
  /// Outlines it; -1: none.
  void select(std::int32_t branch);
  std::int32_t selection() const { return selected; }
  /// The middle of the line of a branch.
  QPointF middleOf(std::int32_t branch) const;

signals:
  void picked(std::int32_t branch); ///< -1: beside all

protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

private:
  QRectF plot() const;
  QPointF pointOf(std::size_t branch, double path) const;
  std::int32_t branchAt(const QPointF& point) const;
  void paintAxis(QPainter& painter, const QRectF& area) const;
  void paintBranches(QPainter& painter) const;

  std::vector<Branch> shown;
  std::vector<double> heights; ///< per branch: where its line is, of 1
  double farthest = 0;         ///< µm
  std::int32_t selected = -1;
  QString ofCell;
};

} // namespace hinesight::widgets
