#include "app/projection/circuit_list.hpp"

#include <QApplication>
#include <QStringList>
#include <QStyle>
#include <QStyledItemDelegate>

namespace hinesight::app {

namespace {

class CircuitDelegate : public QStyledItemDelegate
{
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
  {
    QStyledItemDelegate::initStyleOption(option, index);
    QStringList lines = option->text.split(QChar::LineSeparator);
    if (const QString description = index.data(kCircuitDescription).toString(); !description.isEmpty())
      lines << description.split(QChar::LineSeparator);
    option->text = lines.join(QChar::LineSeparator);
    if (!option->rect.isValid() || !option->widget) // the size is asked for
      return;
    const QStyle* style = option->widget->style();
    const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, option, option->widget) + 1;
    const int room = style->subElementRect(QStyle::SE_ItemViewItemText, option, option->widget).width() - 2 * margin;
    for (QString& line : lines) // the names of populations end a description, too
      line = option->fontMetrics.elidedText(line, Qt::ElideMiddle, room);
    option->text = lines.join(QChar::LineSeparator);
  }
};

} // namespace

void styleCircuitList(QListWidget* list, const char* name)
{
  constexpr int kLeastHeight = 28;
  list->setObjectName(QLatin1String(name));
  list->setMinimumHeight(kLeastHeight);
  list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list->setItemDelegate(new CircuitDelegate(list));
  list->setStyleSheet(
      QStringLiteral("QListWidget::item { padding: 4px 0px; border-left: 10px solid transparent; }"
                     "QListWidget::item:selected { background: palette(highlight); color: palette(highlighted-text); "
                     "border-left-color: palette(highlight); }"));
}

} // namespace hinesight::app
