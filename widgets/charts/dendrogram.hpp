#pragma once

#include "widgets/charts/titled_chart.hpp"

#include <QLineF>
#include <QList>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QTransform>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace hinesight::widgets {

/// The branches of cells over their path distance from the root: a line a branch, from where it begins to where it
/// ends, those that hang on it around it; cells one below the other, over one axis. A click picks a branch.
class Dendrogram : public TitledChart
{
  Q_OBJECT

public:
  struct Branch
  {
    std::int32_t parent = -1; ///< one that stands before it; -1: none
    std::int32_t number = 0;  ///< that it is called by
    std::int32_t type = 0;    ///< of SWC
    double start = 0;         ///< µm
    double end = 0;
  };

  struct Cell
  {
    QString name;
    std::vector<Branch> branches = {};
  };

  explicit Dendrogram(QWidget* parent);

  void setCells(std::vector<Cell> cells);
  const std::vector<Cell>& cells() const { return shown; }
  /// Outlines a branch of a cell; branch -1: none.
  void select(std::size_t cell, std::int32_t branch);
  /// Outlines several, per cell.
  void selectAll(std::vector<std::vector<std::int32_t>> branches);
  /// Per cell.
  const std::vector<std::vector<std::int32_t>>& outlined() const { return outlines; }
  /// Where one is outlined alone; else -1.
  std::int32_t selection() const { return selected; }
  std::size_t selectedCell() const { return selectedIn; }
  /// The middle of the line of a branch.
  QPointF middleOf(std::size_t cell, std::int32_t branch) const;
  /// The types that there are.
  Legend partLegend() const override;

signals:
  void picked(std::size_t cell, std::int32_t branch); ///< branch -1: beside all

protected:
  void paintChart(QPainter& painter) override;
  void mousePressEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

private:
  struct Place
  {
    std::size_t cell = 0;
    std::int32_t branch = -1; ///< -1: none
  };

  /// Those that are drawn of a cell, by the types of its branches.
  struct Lines
  {
    std::map<std::int32_t, QList<QLineF>> level;   ///< of branches
    std::map<std::int32_t, QList<QLineF>> upright; ///< from what they hang on
  };

  /// What is drawn of a cell of many branches, as it was drawn last: rows of pixels that are covered.
  struct Drawn
  {
    QRectF area;
    QTransform toPixels;
    std::map<std::int32_t, QList<QRectF>> rows; ///< by the types of its branches
    std::optional<QList<QRectF>> outlines;      ///< none: others are outlined since
  };

  QRectF plot() const;
  QRectF plotOf(std::size_t cell) const;
  QPointF pointIn(const QRectF& area, std::size_t cell, std::size_t branch, double path) const;
  Place placeAt(const QPointF& point) const;
  QString noteOfOne() const;
  bool isNoteCut() const;
  void paintAxis(QPainter& painter, const QRectF& area) const;
  void paintName(QPainter& painter, std::size_t cell) const;
  Lines linesOf(std::size_t cell) const;
  QList<QLineF> outlinesOf(std::size_t cell) const;
  const Drawn& drawnOf(std::size_t cell, const QTransform& toPixels);
  void paintBranches(QPainter& painter, std::size_t cell);

  std::vector<Cell> shown;
  bool hasNames = false;                           ///< in the plot; that of one cell stands in the heading
  std::vector<std::vector<double>> heights;        ///< per cell and branch: where its line is, of 1
  double farthest = 0;                             ///< µm, of all cells
  std::vector<std::vector<std::int32_t>> outlines; ///< per cell
  std::size_t selectedIn = 0;                      ///< of `outlines`, where it holds one
  std::int32_t selected = -1;
  std::vector<Drawn> drawn; ///< per cell
};

} // namespace hinesight::widgets
