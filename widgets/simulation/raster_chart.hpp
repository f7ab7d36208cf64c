#pragma once

#include "study/simulation/spike_store.hpp"
#include "widgets/pick_mode.hpp"
#include "widgets/simulation/time_chart.hpp"

#include <QColor>
#include <QImage>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace hinesight::widgets {

class SelectionOutline;

/// Neurons of one kind.
struct NeuronGroup
{
  QString name;
  std::vector<std::uint32_t> neurons;      ///< as simulation::Spike counts them
  QColor color = {};                       ///< not valid: one that no other group has
  std::vector<std::uint32_t> numbers = {}; ///< of the neurons, as people know them; empty: from 0
};

/// Spikes over time, a row a neuron, group after group: as ticks, and where rows are below two pixels as a density. A
/// press selects the neuron of the row, a drag with Shift those of all rows that it goes over.
class RasterChart : public TimeChart
{
  Q_OBJECT

public:
  RasterChart(TimeAxis* axis, QWidget* parent);

  void setGroups(std::vector<NeuronGroup> groups);
  const std::vector<NeuronGroup>& groups() const { return all; }
  std::vector<LineName> groupNames() const;
  /// Of each neuron: its group; -1: it is in none.
  const std::vector<int>& groupOf() const { return groupOfNeuron; }
  std::size_t rows() const { return neuronOfRow.size(); }
  study::SpikeStore& store() { return spikes; }
  const study::SpikeStore& store() const { return spikes; }
  void setSelected(const std::vector<std::uint32_t>& neurons);
  QColor colorOf(std::size_t group) const;
  /// The middle of a neuron's row, pixels.
  double yOf(std::uint32_t neuron) const;
  std::optional<std::uint32_t> neuronAt(double y) const;
  /// Those whose rows lie between two heights, in the order of their rows.
  std::vector<std::uint32_t> neuronsBetween(double top, double bottom) const;
  /// The names beside the plot, group after group, as near to their rows as they do not lie on each other. Empty: of
  /// that many groups this one is too small to have its name there.
  std::vector<QRectF> nameRects() const;
  QSize sizeHint() const override { return {320, 160}; }
  QSize minimumSizeHint() const override { return {150, 138}; }

signals:
  void neuronPicked(std::uint32_t neuron, bool adds);
  /// By a drag; none: it went over no row.
  void neuronsPicked(const std::vector<std::uint32_t>& neurons, hinesight::widgets::PickMode how);

protected:
  void paintChart(QPainter& painter) override;
  std::vector<LineName> namesWithoutRoom() const override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  QString describe(const QPointF& pixel) const override;

private:
  struct Rows
  {
    double top = 0, bottom = 0; ///< pixels
  };

  double rowHeight() const;
  Rows rowsOf(std::size_t group) const;
  std::vector<std::size_t> namedGroups() const;
  void paintSelected(QPainter& painter) const;
  void paintTicks(QPainter& painter) const;
  void paintDensity(QPainter& painter) const;
  void paintGroups(QPainter& painter) const;

  std::vector<NeuronGroup> all;
  std::vector<QColor> colors; ///< by group
  std::vector<int> groupOfNeuron;
  std::vector<std::uint32_t> neuronOfRow;
  std::vector<std::size_t> rowOfNeuron;
  std::vector<std::uint32_t> selected;
  study::SpikeStore spikes;
  SelectionOutline* band; ///< over the rows that are being selected
  bool drawsBand = false;
};

/// Spikes a second of a neuron of each group, in bins of time.
class RateChart : public TimeChart
{
  Q_OBJECT

public:
  /// Shows the spikes of a raster, which must outlive it.
  RateChart(const RasterChart* raster, TimeAxis* axis, QWidget* parent);

  double binWidth() const; ///< ms
  QSize sizeHint() const override { return {320, 120}; }
  QSize minimumSizeHint() const override { return {150, 108}; }

protected:
  void paintChart(QPainter& painter) override;
  std::vector<LineName> namesWithoutRoom() const override;
  QString describe(const QPointF& pixel) const override;

private:
  std::vector<std::vector<double>> rates(double& from) const;
  QString note() const;

  const RasterChart* raster;
};

} // namespace hinesight::widgets
