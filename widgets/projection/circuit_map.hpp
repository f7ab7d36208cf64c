#pragma once

#include "widgets/figure/figure_part.hpp"

#include <QColor>
#include <QPainterPath>
#include <QRectF>
#include <QString>
#include <QWidget>

#include <cstddef>
#include <optional>
#include <vector>

namespace hinesight::widgets {

/// Populations and what joins them.
struct CircuitPicture
{
  struct Population
  {
    QString name;
    QString about; ///< how many neurons, and what they do
    QColor colour;

    bool operator==(const Population&) const = default;
  };
  /// A connection from one population to another; synapses formed between several populations are several of these.
  struct Join
  {
    QString connection;                 ///< its name
    std::size_t source = 0, target = 0; ///< places of populations
    std::optional<double> rows = {};    ///< none: it was not made yet
    std::optional<double> weight = {};  ///< sum over all rows; none: nobody added them up

    bool operator==(const Join&) const = default;
  };
  std::vector<Population> populations;
  std::vector<Join> joins;
  QString chosen; ///< name of the connection that stands out; empty: none does

  bool operator==(const CircuitPicture&) const = default;
};

/// All connections of a circuit together: an arrow for each from population to population, as wide as it has rows, and
/// a matrix of the populations with the rows of each pair and, as colours, the sum of their weights.
class CircuitMap : public QWidget, public FigurePart
{
  Q_OBJECT

public:
  explicit CircuitMap(QWidget* parent = nullptr);

  void setPicture(CircuitPicture picture);
  const CircuitPicture& picture() const { return shown; }
  /// The join that is drawn there, by its place; none: there is no other thing than background or a population.
  std::optional<std::size_t> joinAt(const QPointF& at) const;
  /// Where a join's arrow is in its middle, or next to it where a population lies over that.
  QPointF middleOf(std::size_t join) const { return arrows[join].middle; }
  /// Of populations.
  const std::vector<QRectF>& cardsOfPopulations() const { return cards; }
  QSize sizeHint() const override { return {700, 450}; }
  QSize minimumSizeHint() const override { return {240, 160}; }
  void paintPart(QPainter& painter, const FigureArea& area) override;
  QString partName() const override { return tr("Circuit"); }
  bool takesAnySize() const override { return true; }
  QSizeF leastSize(double) const override { return minimumSizeHint(); }

signals:
  /// By a click on an arrow, or on a pair in the matrix.
  void connectionChosen(const QString& name);

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

private:
  struct Arrow
  {
    QPainterPath line;
    QPointF tip, behind; ///< the head points from one to the other
    QPointF middle;
    double width = 1;
  };

  void layOut(const QSizeF& size);
  void paint(QPainter& painter) const;
  void placePopulations(const QRectF& area);
  Arrow arrowOf(const CircuitPicture::Join& join, int turn) const;
  QRectF cellOf(std::size_t source, std::size_t target) const;
  QColor colourOf(const std::optional<double>& weight) const;
  QString headingThatFits() const;
  bool hasRoomForMatrix() const;
  double roomOfNumber() const;
  QString textOf(const CircuitPicture::Join& join) const;
  bool isLit(const CircuitPicture::Join& join) const;
  void hover(const QString& connection);
  void paintArrows(QPainter& painter) const;
  void paintLabels(QPainter& painter) const;
  void paintPopulations(QPainter& painter) const;
  void paintMatrix(QPainter& painter) const;
  void paintScale(QPainter& painter) const;

  CircuitPicture shown;
  QString hovered;           ///< name of a connection
  std::vector<QRectF> cards; ///< of populations
  std::vector<Arrow> arrows; ///< of joins
  QRectF diagram, heading, matrix, scale;
  double nameHeight = 0; ///< of the targets' names above the matrix
  double mostRows = 1;
  double mostWeight = 0; ///< of a pair of populations
};

} // namespace hinesight::widgets
