#include "app/cells/cell_list.hpp"

#include "app/cells/cell_list_model.hpp"
#include "widgets/elided_texts.hpp"
#include "widgets/theme.hpp"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace hinesight::app {

namespace {

constexpr int kEyeWidth = 30;
constexpr int kPadding = 6;      // beside a text
constexpr int kRowPadding = 3;   // above and below it
constexpr int kLeastName = 130;  // width of the names
constexpr int kBesideBadge = 80; // at least, of a name
constexpr int kBadgePadding = 12;
constexpr int kWideName = 230;
constexpr int kFirstFigures = 1; // columns beside the names that are always seen
constexpr int kTitlePadding = 8; // beside the title of a column, as the theme has it
constexpr int kArrow = 8;        // of sorting, behind the title

void paintEye(QPainter& painter, const QRect& area, bool open, const QColor& color)
{
  const QPointF centre = QRectF(area).center();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(centre);
  painter.setPen(QPen(color, 1.4, Qt::SolidLine, Qt::RoundCap));
  painter.setBrush(Qt::NoBrush);
  QPainterPath lids;
  lids.moveTo(-8, 0);
  lids.cubicTo(-4.5, -6, 4.5, -6, 8, 0);
  if (open) {
    lids.cubicTo(4.5, 6, -4.5, 6, -8, 0);
    painter.drawPath(lids);
    painter.setBrush(color);
    painter.drawEllipse(QPointF(0, 0), 2, 2);
  } else {
    // A closed eye: the lower lid and three lashes.
    painter.scale(1, -1);
    painter.drawPath(lids);
    painter.drawLine(QPointF(-5, -4), QPointF(-6.5, -6.5));
    painter.drawLine(QPointF(0, -4.8), QPointF(0, -7.5));
    painter.drawLine(QPointF(5, -4), QPointF(6.5, -6.5));
  }
  painter.restore();
}

/// What is wrong with a cell, or how many warnings its file has; empty: nothing is.
QString badgeOf(const QModelIndex& index)
{
  const QString problem = index.data(CellListModel::ProblemRole).toString();
  const int warnings = index.data(CellListModel::WarningsRole).toInt();
  if (!problem.isEmpty())
    return QStringLiteral("⚠ ") + problem;
  return warnings > 0 ? QStringLiteral("⚠ %1").arg(warnings) : QString();
}

QFont smallFont(const QFont& base)
{
  QFont font = base;
  font.setPointSizeF(base.pointSizeF() * 0.88);
  return font;
}

/// Of a line with a badge at its right end: its sign alone where the text would take the room of a name.
struct Badge
{
  QString text;
  int width = 0; ///< that it takes of the line
};

Badge badgeIn(int room, const QString& whole, const QFont& font)
{
  if (whole.isEmpty())
    return {};
  const auto widthOf = [&font](const QString& text) {
    return QFontMetrics(font).horizontalAdvance(text) + kBadgePadding;
  };
  const QString text = room - widthOf(whole) >= kBesideBadge ? whole : whole.left(1);
  return {text, widthOf(text) + 2 * kPadding};
}

void paintBadge(QPainter& painter, const QRect& line, const Badge& badge, const QFont& font)
{
  if (badge.text.isEmpty())
    return;
  const int width = badge.width - 2 * kPadding;
  const QRect place(line.right() - width - kPadding, line.top(), width, line.height());
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  QColor fill = widgets::theme().warning;
  painter.setPen(fill);
  fill.setAlpha(40);
  painter.setBrush(fill);
  painter.drawRoundedRect(place, 5, 5);
  painter.setFont(font);
  painter.drawText(place, Qt::AlignCenter, badge.text);
  painter.restore();
}

/// Where the texts of a cell of the list stand.
QRect lineOf(const QRect& cell, int column)
{
  const QRect line = cell.adjusted(kPadding, kRowPadding, -kPadding, -kRowPadding);
  return column == CellListModel::NameColumn ? line.adjusted(kEyeWidth - kPadding, 0, 0, 0) : line;
}

} // namespace

CellDelegate::CellDelegate(QAbstractItemView* cellList)
    : QStyledItemDelegate(cellList), list(cellList),
      names(new widgets::ElidedTexts(list->model(), CellListModel::NameColumn, this,
                                     [this](const QModelIndex& index, int room) {
                                       return badgeIn(room, badgeOf(index), smallFont(list->font())).width;
                                     }))
{}

QString CellDelegate::shownName(const QModelIndex& index) const
{
  const QRect cell = list->visualRect(index.siblingAtColumn(CellListModel::NameColumn));
  return names->shown(index.row(), lineOf(cell, CellListModel::NameColumn).width(), list->font());
}

QRect CellDelegate::eyeRect(const QRect& name)
{
  return {name.left(), name.top(), kEyeWidth, name.height()};
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
  return {kLeastName, QFontMetrics(option.font).height() + 2 * kRowPadding};
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
  const widgets::Theme& colors = widgets::theme();
  const bool selected = option.state & QStyle::State_Selected;
  const bool visible = index.siblingAtColumn(CellListModel::NameColumn).data(Qt::CheckStateRole).toInt() == Qt::Checked;
  if (selected) {
    QColor fill = colors.accent;
    fill.setAlpha(60);
    painter->fillRect(option.rect, fill);
  } else if (option.state & QStyle::State_MouseOver) {
    painter->fillRect(option.rect, option.palette.button());
  }
  const bool isName = index.column() == CellListModel::NameColumn;
  const QRect line = lineOf(option.rect, index.column());
  painter->save();
  painter->setFont(option.font);
  if (isName) {
    if (selected)
      painter->fillRect(QRect(option.rect.topLeft(), QSize(3, option.rect.height())), colors.accent);
    paintEye(*painter, eyeRect(option.rect), visible, visible ? colors.text : colors.secondaryText);
    const QFont small = smallFont(option.font);
    paintBadge(*painter, line, badgeIn(line.width(), badgeOf(index), small), small);
  }
  painter->setPen(isName && visible ? colors.text : colors.secondaryText);
  const auto mode = index.column() == CellListModel::FileColumn ? Qt::ElideMiddle : Qt::ElideRight;
  const QString text = isName ? names->shown(index.row(), line.width(), option.font)
                              : QFontMetrics(option.font).elidedText(index.data().toString(), mode, line.width());
  const auto alignment = index.data(Qt::TextAlignmentRole).value<Qt::Alignment>();
  painter->drawText(line, static_cast<int>(alignment), text);
  painter->restore();
}

bool CellDelegate::editorEvent(QEvent* event, QAbstractItemModel*, const QStyleOptionViewItem& option,
                               const QModelIndex& index)
{
  if (event->type() != QEvent::MouseButtonRelease && event->type() != QEvent::MouseButtonPress)
    return false;
  const auto* mouse = static_cast<QMouseEvent*>(event);
  if (index.column() != CellListModel::NameColumn || mouse->button() != Qt::LeftButton ||
      !eyeRect(option.rect).contains(mouse->position().toPoint()))
    return false;
  if (event->type() == QEvent::MouseButtonRelease)
    emit eyeClicked(index);
  return true;
}

CellList::CellList(QWidget* parent) : QTreeView(parent)
{
  setRootIsDecorated(false);
  setItemsExpandable(false);
  setIndentation(0);
  setUniformRowHeights(true);
  setAllColumnsShowFocus(true);
  setSortingEnabled(true);
  header()->setSortIndicator(-1, Qt::AscendingOrder);
  header()->setSectionsMovable(false);
  header()->setStretchLastSection(false);
  header()->setStyleSheet(QStringLiteral("QHeaderView::section { padding-left: %1px; padding-right: %1px; }"
                                         "QHeaderView::up-arrow, QHeaderView::down-arrow { width: %2px; height: %2px; "
                                         "subcontrol-origin: border; subcontrol-position: center right; right: 4px; }"
                                         "QHeaderView::up-arrow { image: url(:/theme/arrow_up.png); }"
                                         "QHeaderView::down-arrow { image: url(:/theme/arrow_down.png); }")
                              .arg(kTitlePadding)
                              .arg(kArrow));
}

/// What a person sets by the header holds until the panel has another width.
void CellList::resizeEvent(QResizeEvent* event)
{
  QTreeView::resizeEvent(event);
  if (event->size().width() != event->oldSize().width() && model())
    fitNames();
}

void CellList::fitFigures()
{
  bool isOther = false;
  for (const int column : {CellListModel::LengthColumn, CellListModel::SamplesColumn, CellListModel::BranchesColumn}) {
    QString longest;
    for (int row = 0; row < model()->rowCount(); ++row)
      if (const QString text = model()->index(row, column).data().toString(); text.size() > longest.size())
        longest = text;
    const int needed = std::max(fontMetrics().horizontalAdvance(longest) + 2 * kPadding, titleWidth(column));
    isOther = isOther || needed != columnWidth(column);
    setColumnWidth(column, needed);
  }
  if (isOther)
    fitNames();
}

/// Without the room of an arrow that the style adds to what it leaves free of the title.
int CellList::titleWidth(int column) const
{
  const QString title = model()->headerData(column, Qt::Horizontal).toString();
  return header()->fontMetrics().horizontalAdvance(title) + 2 * kTitlePadding + kArrow;
}

void CellList::showTags(bool shown)
{
  if (isColumnHidden(CellListModel::TagsColumn) != shown)
    return;
  setColumnHidden(CellListModel::TagsColumn, !shown);
  fitNames();
}

void CellList::fitNames()
{
  const int room = viewport()->width();
  int figures = 0; // as many columns of them as leave the name its width, the first ones in any case
  for (int column = CellListModel::NameColumn + 1; column < header()->count(); ++column) {
    if (column > kFirstFigures && room - figures - columnWidth(column) < kWideName)
      break;
    figures += columnWidth(column);
  }
  const int name = std::max(room - figures, kLeastName);
  setColumnWidth(CellListModel::NameColumn, name);
}

bool CellList::isOnEye(const QMouseEvent& event) const
{
  const QPoint at = event.position().toPoint();
  const QModelIndex index = indexAt(at);
  return index.isValid() && index.column() == CellListModel::NameColumn &&
         CellDelegate::eyeRect(visualRect(index)).contains(at);
}

QItemSelectionModel::SelectionFlags CellList::selectionCommand(const QModelIndex& index, const QEvent* event) const
{
  const auto* mouse = dynamic_cast<const QMouseEvent*>(event);
  if (mouse && isOnEye(*mouse) && selectionModel()->isSelected(index))
    return QItemSelectionModel::NoUpdate;
  return QTreeView::selectionCommand(index, event);
}

/// On an eye it is two clicks.
void CellList::mouseDoubleClickEvent(QMouseEvent* event)
{
  if (isOnEye(*event))
    return mousePressEvent(event);
  QTreeView::mouseDoubleClickEvent(event);
  const QModelIndex cell = indexAt(event->position().toPoint());
  if (cell.isValid() && event->button() == Qt::LeftButton)
    emit fitRequested(cell);
}

void CellList::keyPressEvent(QKeyEvent* event)
{
  const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (!isEnter || !currentIndex().isValid())
    return QTreeView::keyPressEvent(event);
  emit fitRequested(currentIndex());
}

} // namespace hinesight::app
