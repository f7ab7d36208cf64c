#pragma once

#include "widgets/charts/titled_chart.hpp"

#include <QString>

#include <vector>

namespace hinesight::widgets {

/// Histograms over the same bins as outlines, one colour each, on linear scales from 0.
class BinChart : public TitledChart
{
  Q_OBJECT

public:
  struct Histogram
  {
    QString name;
    std::vector<double> values; ///< of each bin
  };

  /// `unit` stands behind the title: of the values. `axis`: what the bins are of, with its unit.
  BinChart(const QString& name, const QString& unit, const QString& axis, QWidget* parent);

  /// Bin k goes from k `width` to (k + 1) `width`. None: `nothing` says why.
  void setHistograms(std::vector<Histogram> histograms, double width, const QString& nothing = {});

  const std::vector<Histogram>& histograms() const { return all; }
  double binWidth() const { return width; }
  const QString& axisTitle() const { return axis; }
  QSize sizeHint() const override { return {250, 190}; }
  QSize minimumSizeHint() const override { return {180, 130}; }

protected:
  void paintChart(QPainter& painter) override;
  std::vector<LineName> namesWithoutRoom() const override;
  bool event(QEvent* event) override;

private:
  std::size_t bins() const;
  double highest() const;
  QRectF plot() const;
  void paintAxes(QPainter& painter, const QRectF& area) const;
  void paintOutlines(QPainter& painter, const QRectF& area) const;
  double roomOfName(const QRectF& area) const;
  static Qt::PenStyle styleOf(std::size_t histogram);
  void paintNames(QPainter& painter, const QRectF& area) const;

  QString unit, axis, nothing;
  std::vector<Histogram> all;
  double width = 1;
};

} // namespace hinesight::widgets
