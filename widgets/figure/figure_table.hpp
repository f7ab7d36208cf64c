#pragma once

#include "widgets/figure/figure_part.hpp"

#include <QString>
#include <QTableView>

namespace hinesight::widgets {

/// A table that belongs into the figure of its page: there it has a title and all columns. Where these do not stand
/// side by side, they stand nearer to one another, with their titles in several lines, in smaller letters, and the last
/// ones below the others. It has as many whole rows as there is room for, and a line that counts the others.
class FigureTable : public QTableView, public FigurePart
{
public:
  explicit FigureTable(const QString& title, QWidget* parent = nullptr);

  void paintPart(QPainter& painter, const FigureArea& area) override;
  QString partName() const override { return title; }
  bool takesAnySize() const override { return true; }
  QSizeF leastSize(double width) const override;

protected:
  bool viewportEvent(QEvent* event) override;

private:
  QString title;
};

} // namespace hinesight::widgets
