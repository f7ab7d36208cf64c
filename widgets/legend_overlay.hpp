#pragma once

#include "widgets/legend.hpp"

#include <QWidget>

#include <string>
#include <vector>

namespace hinesight::widgets {

/// What the colours of a view mean, over its canvas. Entries of one colour share a line. What an expression stands for
/// can be clicked. A click on the title, or Space, folds all but the title, whatever the legend says later. Up and Down
/// go through the lines; Return does what a click on one does. The rest leaves the mouse to the canvas. Who lays it out
/// shows it, by setRoom, and does so anew when it has changed or was folded or unfolded.
class LegendOverlay : public QWidget
{
  Q_OBJECT

public:
  explicit LegendOverlay(QWidget* parent = nullptr);

  void setLegend(const Legend& legend);
  const Legend& legend() const { return shown; }
  /// Per entry: whether all that has its colour is hidden. Empty: nothing is.
  void setHiddenEntries(const std::vector<bool>& hidden);
  const std::vector<bool>& whichAreHidden() const { return hiddenEntries; }
  /// Lines that do not fit into this size stand in more columns; those that still do not are one, which counts them;
  /// its tooltip has them, and a click on it lists them. A title is cut in the middle, a colour bar is shorter. Pixels.
  void setMost(const QSize& size);
  /// Shown where there is room and it has something to say, else hidden, as it is at first.
  void setRoom(bool isThere);
  QSize sizeHint() const override;
  bool isFolded() const { return folded; }
  /// Where entry k of the legend is, in pixels of this; what is folded is nowhere.
  QRect rectOfEntry(std::size_t entry) const;
  /// The colour bar.
  QRect rectOfBar() const;
  /// A click here folds and unfolds.
  QRect rectOfTitle() const;

signals:
  void changed(); ///< by setLegend, its size too
  void foldToggled();
  void picked(const QString& expression, Qt::KeyboardModifiers modifiers);

protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

private:
  /// The entries of one colour, or of the last line those that there was no room for.
  struct Row
  {
    QColor color;
    std::vector<std::size_t> entries;
    bool isRest = false;
  };

  void makeRows();
  void refreshRows();
  void toggleFold();
  bool hasLines() const { return !folded && !shown.isQuantity && !rows.empty(); }
  void moveLine(int by);
  void takeRow(std::size_t row, const QPoint& where, Qt::KeyboardModifiers modifiers);
  void listRest(const Row& rest, const QPoint& where);
  QString textOf(const Row& row) const;
  bool isCut(const Row& row) const; ///< its text is longer than that
  QString tipAt(const QPoint& pixel) const;
  QString hintOf(const Row& row, bool isHidden) const;
  bool showsNothing(const Row& row) const; ///< all that has its colour is hidden
  int rowAt(const QPoint& pixel) const;    ///< -1: none
  QRect rectOfRow(std::size_t row) const;
  int columnWidth() const;
  int textWidth() const; ///< that a column has room for
  int barWidth() const;
  QString titleText() const;
  QString lowText() const;
  QString highText() const;
  std::size_t columns() const;
  /// Empty: there is nothing to click.
  std::string expressionAt(const QPoint& pixel) const;
  std::string expressionOf(const Row& row) const;
  void paintTitle(QPainter& painter);
  void paintSwatches(QPainter& painter);
  void paintColorBar(QPainter& painter);

  Legend shown;
  std::vector<Row> rows;
  std::vector<bool> hiddenEntries;
  std::size_t rowsOfColumn = 1; ///< of each but the last
  bool folded = false;
  bool isTitlePressed = false;
  int current = -1; ///< row that keys are about; -1: none
  QSize most{QWIDGETSIZE_MAX, QWIDGETSIZE_MAX};
};

} // namespace hinesight::widgets
