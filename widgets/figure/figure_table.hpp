#pragma once

#include "widgets/figure/figure_part.hpp"

#include <QString>
#include <QTableView>

namespace hinesight::widgets {

/// A table that belongs into the figure of its page: there it has a title, as many whole rows and columns as there is
/// room for, and a line that counts the others.
class FigureTable : public QTableView, public FigurePart
{
public:
  explicit FigureTable(const QString& title, QWidget* parent = nullptr);

  void paintPart(QPainter& painter, const FigureArea& area) override;

private:
  QString title;
};

} // namespace hinesight::widgets
