#include "widgets/legend_overlay.hpp"

#include "core/text.hpp"

#include <QAction>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPixmap>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr int kMargin = 10;
constexpr int kSwatch = 10;
constexpr int kGap = 8;
constexpr int kColumnGap = 16;
constexpr int kBarWidth = 168;
constexpr int kBarHeight = 9;
constexpr int kBarSlack = 4;     // pixels above and below the bar that still mean it
constexpr double kBarSteps = 16; // of a quantity: a click takes one part of so many
constexpr double kArrow = 4;     // half a side of the arrow behind the title
constexpr int kBesideTitle = kGap + static_cast<int>(2 * kArrow);
constexpr int kLeastRows = 2;
constexpr std::size_t kMostLabels = 2; // of a colour; the tooltip has all

int rowHeight(const QFontMetrics& metrics)
{
  return metrics.height() + 3;
}

/// Not less than a text takes, which may be a part of a pixel more than QFontMetrics says.
int widthOf(const QString& text, const QFont& font)
{
  return static_cast<int>(std::ceil(QFontMetricsF(font).horizontalAdvance(text)));
}

} // namespace

LegendOverlay::LegendOverlay(QWidget* parent) : QWidget(parent)
{
  setObjectName(QStringLiteral("legend"));
  setAccessibleName(tr("Legend"));
  setToolTip(
      tr("Click the title, or press Space, to fold the legend to it, or to unfold it; Up and Down go through its "
         "lines, and Return does what a click on one does"));
  setMouseTracking(true);
  setFocusPolicy(Qt::TabFocus);
  setVisible(false);
}

void LegendOverlay::setLegend(const Legend& legend)
{
  shown = legend;
  hiddenEntries.clear();
  refreshRows();
  emit changed();
}

void LegendOverlay::setMost(const QSize& size)
{
  if (size == most) {
    return;
  }
  most = size;
  refreshRows();
}

void LegendOverlay::setRoom(bool isThere)
{
  setVisible(isThere && !shown.title.isEmpty());
}

void LegendOverlay::refreshRows()
{
  makeRows();
  current = std::min(current, static_cast<int>(rows.size()) - 1);
  resize(sizeHint());
  updateGeometry();
  update();
}

/// Its foot stays, unless who lays it out has another place for it.
void LegendOverlay::toggleFold()
{
  folded = !folded;
  const QSize size = sizeHint();
  setGeometry({QPoint(x(), geometry().bottom() + 1 - size.height()), size});
  updateGeometry();
  update();
  emit foldToggled();
}

void LegendOverlay::setHiddenEntries(const std::vector<bool>& hidden)
{
  hiddenEntries = hidden;
  update();
}

/// In the order of the first entry of each colour.
void LegendOverlay::makeRows()
{
  rows.clear();
  std::unordered_map<QRgb, std::size_t> rowOf; // a file may have as many types as samples
  for (std::size_t entry = 0; entry < shown.entries.size(); ++entry) {
    const QColor& color = shown.entries[entry].color;
    const auto [known, isNew] = rowOf.try_emplace(color.rgba(), rows.size());
    if (isNew) {
      rows.push_back({color, {}, false});
    }
    rows[known->second].entries.push_back(entry);
  }
  const int height = rowHeight(QFontMetrics(font()));
  const auto mostInColumn = static_cast<std::size_t>(std::max(kLeastRows, (most.height() - 2 * kMargin) / height - 1));
  const auto mostColumns =
      static_cast<std::size_t>(std::max(1, (most.width() - 2 * kMargin + kColumnGap) / (columnWidth() + kColumnGap)));
  const std::size_t mostRows = mostInColumn * mostColumns;
  if (rows.size() > mostRows) {
    Row rest{.color = {}, .entries = {}, .isRest = true};
    for (std::size_t row = mostRows - 1; row < rows.size(); ++row) {
      rest.entries.insert(rest.entries.end(), rows[row].entries.begin(), rows[row].entries.end());
    }
    rows.resize(mostRows - 1);
    rows.push_back(std::move(rest));
  }
  const std::size_t needed = std::max<std::size_t>(1, (rows.size() + mostInColumn - 1) / mostInColumn);
  rowsOfColumn = std::max<std::size_t>(1, (rows.size() + needed - 1) / needed);
}

/// Of swatch and text.
int LegendOverlay::columnWidth() const
{
  int width = 0;
  for (const Row& row : rows) {
    width = std::max(width, kSwatch + kGap + widthOf(textOf(row), font()));
  }
  return std::clamp(width, kSwatch + kGap, std::max(kSwatch + kGap, most.width() - 2 * kMargin));
}

int LegendOverlay::textWidth() const
{
  return columnWidth() - kSwatch - kGap;
}

bool LegendOverlay::isCut(const Row& row) const
{
  return widthOf(textOf(row), font()) > textWidth();
}

std::size_t LegendOverlay::columns() const
{
  return std::max<std::size_t>(1, (rows.size() + rowsOfColumn - 1) / rowsOfColumn);
}

QString LegendOverlay::textOf(const Row& row) const
{
  if (row.isRest) {
    return tr("and %1 more").arg(formatNumber(static_cast<double>(row.entries.size())));
  }
  QStringList labels;
  for (std::size_t i = 0; i < std::min(row.entries.size(), kMostLabels); ++i) {
    labels << shown.entries[row.entries[i]].label;
  }
  const QString text = labels.join(QStringLiteral(", "));
  const std::size_t rest = row.entries.size() - std::min(row.entries.size(), kMostLabels);
  return rest > 0 ? tr("%1 and %2 more").arg(text, formatNumber(static_cast<double>(rest))) : text;
}

bool LegendOverlay::showsNothing(const Row& row) const
{
  return std::ranges::all_of(
      row.entries, [this](std::size_t entry) { return entry < hiddenEntries.size() && hiddenEntries[entry]; });
}

QRect LegendOverlay::rectOfRow(std::size_t row) const
{
  const int height = rowHeight(QFontMetrics(font()));
  const int line = kMargin + height * (static_cast<int>(row % rowsOfColumn) + 1);
  if (columns() == 1) {
    return {0, line, width(), height};
  }
  const int across = columnWidth();
  return {kMargin + static_cast<int>(row / rowsOfColumn) * (across + kColumnGap), line, across, height};
}

QRect LegendOverlay::rectOfEntry(std::size_t entry) const
{
  const auto row =
      std::ranges::find_if(rows, [entry](const Row& each) { return std::ranges::count(each.entries, entry) > 0; });
  return folded || row == rows.end() ? QRect() : rectOfRow(static_cast<std::size_t>(row - rows.begin()));
}

QRect LegendOverlay::rectOfTitle() const
{
  return {0, 0, width(), kMargin + rowHeight(QFontMetrics(font()))};
}

QRect LegendOverlay::rectOfBar() const
{
  if (folded) {
    return {};
  }
  return {kMargin, kMargin + rowHeight(QFontMetrics(font())) + 1, barWidth(), kBarHeight};
}

/// Not less than the numbers at its ends take.
int LegendOverlay::barWidth() const
{
  const int numbers = widthOf(lowText(), font()) + kGap + widthOf(highText(), font());
  return std::max(numbers, std::min(kBarWidth, most.width() - 2 * kMargin));
}

QString LegendOverlay::lowText() const
{
  return formatNumber(shown.low);
}

QString LegendOverlay::highText() const
{
  return (shown.clamped ? QStringLiteral("\u2265 ") : QString()) + formatNumber(shown.high);
}

/// As much of it as there may be.
QString LegendOverlay::titleText() const
{
  const int room = std::max(0, most.width() - 2 * kMargin - kBesideTitle);
  return QFontMetrics(font()).elidedText(shown.title, Qt::ElideMiddle, room);
}

int LegendOverlay::rowAt(const QPoint& pixel) const
{
  for (std::size_t row = 0; hasLines() && row < rows.size(); ++row) {
    if (rectOfRow(row).contains(pixel)) {
      return static_cast<int>(row);
    }
  }
  return -1;
}

std::string LegendOverlay::expressionOf(const Row& row) const
{
  std::string expression;
  for (const std::size_t entry : row.entries) {
    const std::string& one = shown.entries[entry].expression;
    expression += (expression.empty() || one.empty() ? "" : " || ") + one;
  }
  return expression;
}

std::string LegendOverlay::expressionAt(const QPoint& pixel) const
{
  if (const int row = rowAt(pixel); row >= 0) {
    return expressionOf(rows[static_cast<std::size_t>(row)]);
  }
  const QRect bar = rectOfBar();
  const bool isOnBar = shown.isQuantity && !folded && bar.adjusted(0, -kBarSlack, 0, kBarSlack).contains(pixel);
  if (!isOnBar || shown.figure.empty()) {
    return {};
  }
  const double fraction = (pixel.x() - bar.left() + 0.5) / bar.width();
  const double range = shown.high - shown.low;
  if (shown.isWhole) {
    return shown.figure + " == " + hinesight::textOf(std::round(shown.low + fraction * range));
  }
  const double step = std::floor(std::clamp(fraction, 0.0, 1.0 - 1e-9) * kBarSteps);
  const std::string from = hinesight::textOf(shown.low + range * step / kBarSteps);
  if (step + 1 == kBarSteps) {
    return shown.figure + " >= " + from;
  }
  return from + " <= " + shown.figure + " < " + hinesight::textOf(shown.low + range * (step + 1) / kBarSteps);
}

QString LegendOverlay::tipAt(const QPoint& pixel) const
{
  if (rectOfTitle().contains(pixel)) {
    return titleText() == shown.title ? toolTip() : shown.title + QLatin1Char('\n') + toolTip();
  }
  QString tip;
  const int place = rowAt(pixel);
  const Row row = place < 0 ? Row() : rows[static_cast<std::size_t>(place)];
  if (row.isRest || row.entries.size() > kMostLabels || (place >= 0 && isCut(row))) {
    for (const std::size_t entry : row.entries) {
      tip += (tip.isEmpty() ? QString() : QStringLiteral(", ")) + shown.entries[entry].label;
    }
  }
  if (!expressionAt(pixel).empty()) {
    tip += (tip.isEmpty() ? QString() : QStringLiteral("\n")) + hintOf(row, place >= 0 && showsNothing(row));
  }
  return tip;
}

/// What a click does.
QString LegendOverlay::hintOf(const Row& row, bool isHidden) const
{
  if (row.isRest)
    return tr("Click: a list of them");
  return isHidden ? tr("Hidden. Click: show") : tr("Click: select; Ctrl+click: hide or show");
}

bool LegendOverlay::event(QEvent* event)
{
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tipAt(help->pos()), this);
    return true;
  }
  return QWidget::event(event);
}

/// What means nothing here is the canvas's.
void LegendOverlay::mousePressEvent(QMouseEvent* event)
{
  const QPoint pixel = event->position().toPoint();
  const bool isLeft = event->button() == Qt::LeftButton;
  isTitlePressed = isLeft && rectOfTitle().contains(pixel);
  event->setAccepted(isTitlePressed || (isLeft && !expressionAt(pixel).empty()));
}

void LegendOverlay::mouseReleaseEvent(QMouseEvent* event)
{
  if (std::exchange(isTitlePressed, false)) {
    if (rectOfTitle().contains(event->position().toPoint()))
      toggleFold();
    return;
  }
  const std::string expression = expressionAt(event->position().toPoint());
  event->setAccepted(event->button() == Qt::LeftButton && !expression.empty());
  if (!event->isAccepted())
    return;
  if (const int row = rowAt(event->position().toPoint()); row >= 0)
    takeRow(static_cast<std::size_t>(row), event->globalPosition().toPoint(), event->modifiers());
  else
    emit picked(QString::fromStdString(expression), event->modifiers());
}

/// By a click, or by a key.
void LegendOverlay::takeRow(std::size_t row, const QPoint& where, Qt::KeyboardModifiers modifiers)
{
  const std::string expression = expressionOf(rows[row]);
  if (expression.empty())
    return;
  if (rows[row].isRest)
    listRest(rows[row], where);
  else
    emit picked(QString::fromStdString(expression), modifiers);
}

/// A menu of the entries that there was no room for: a choice means what a click on a line does.
void LegendOverlay::listRest(const Row& rest, const QPoint& where)
{
  auto* list = new QMenu(this);
  list->setObjectName(QStringLiteral("legendRest"));
  list->setAttribute(Qt::WA_DeleteOnClose);
  for (const std::size_t entry : rest.entries) {
    const Legend::Entry& each = shown.entries[entry];
    const bool isHidden = entry < hiddenEntries.size() && hiddenEntries[entry];
    QPixmap swatch(kSwatch, kSwatch);
    swatch.fill(isHidden ? QColor(Qt::transparent) : each.color);
    QAction* action = list->addAction(swatch, each.label);
    action->setEnabled(!each.expression.empty());
    connect(action, &QAction::triggered, this, [this, expression = QString::fromStdString(each.expression)] {
      emit picked(expression, QGuiApplication::keyboardModifiers());
    });
  }
  list->popup(where);
}

void LegendOverlay::mouseMoveEvent(QMouseEvent* event)
{
  const QPoint pixel = event->position().toPoint();
  const bool canClick = rectOfTitle().contains(pixel) || !expressionAt(pixel).empty();
  setCursor(canClick ? Qt::PointingHandCursor : Qt::ArrowCursor);
  event->setAccepted(canClick);
}

void LegendOverlay::keyPressEvent(QKeyEvent* event)
{
  switch (event->key()) {
  case Qt::Key_Space:
    return toggleFold();
  case Qt::Key_Up:
  case Qt::Key_Down:
    return moveLine(event->key() == Qt::Key_Up ? -1 : 1);
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (const auto row = static_cast<std::size_t>(current); current >= 0 && hasLines())
      takeRow(row, mapToGlobal(rectOfRow(row).center()), event->modifiers());
    return;
  default:
    QWidget::keyPressEvent(event);
  }
}

void LegendOverlay::moveLine(int by)
{
  if (!hasLines())
    return;
  current = std::clamp(current + by, 0, static_cast<int>(rows.size()) - 1);
  update();
}

QSize LegendOverlay::sizeHint() const
{
  const QFontMetrics metrics(font());
  int width = widthOf(titleText(), font()) + kBesideTitle;
  int height = kMargin + rowHeight(metrics);
  if (shown.isQuantity && !folded) {
    width = std::max(width, barWidth());
    height += kBarHeight + rowHeight(metrics) + 2;
  } else if (!folded) {
    const int count = static_cast<int>(columns());
    width = std::max(width, count * (columnWidth() + kColumnGap) - kColumnGap);
    height += static_cast<int>(std::min(rowsOfColumn, rows.size())) * rowHeight(metrics);
  }
  return {width + 2 * kMargin, height + kMargin - 3};
}

void LegendOverlay::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(hasFocus() ? theme().accent : theme().hairline, 1));
  painter.setBrush(theme().panel);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 7, 7);
  paintTitle(painter);
  if (folded) {
    return;
  }
  if (shown.isQuantity) {
    paintColorBar(painter);
  } else {
    paintSwatches(painter);
  }
}

/// With an arrow: to the right where all below it is folded, else down.
void LegendOverlay::paintTitle(QPainter& painter)
{
  const QFontMetrics metrics(font());
  const int baseline = kMargin + metrics.ascent() - 2;
  painter.setPen(theme().secondaryText);
  const QString title = titleText();
  painter.drawText(kMargin, baseline, title);
  const QPointF middle(kMargin + metrics.horizontalAdvance(title) + kGap + kArrow, baseline - metrics.xHeight() / 2.0);
  QPolygonF arrow{{-kArrow, -kArrow / 2}, {kArrow, -kArrow / 2}, {0, kArrow / 2}};
  if (folded) {
    arrow = {{-kArrow / 2, -kArrow}, {kArrow / 2, 0}, {-kArrow / 2, kArrow}};
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().secondaryText);
  painter.drawPolygon(arrow.translated(middle));
}

/// Those of what is hidden are rings, with text that is grey and struck out.
void LegendOverlay::paintSwatches(QPainter& painter)
{
  const QFontMetrics metrics(font());
  const int room = textWidth();
  QFont struckOut = font();
  struckOut.setStrikeOut(true);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const int x = std::max(kMargin, rectOfRow(i).left());
    const int y = rectOfRow(i).top();
    const bool hidden = showsNothing(row);
    if (hasFocus() && static_cast<int>(i) == current) {
      painter.setPen(QPen(theme().accent, 1));
      painter.setBrush(Qt::NoBrush);
      painter.drawRoundedRect(QRectF(x - 4.5, y - 0.5, kSwatch + kGap + room + 9, metrics.height()), 3, 3);
    }
    if (row.isRest) {
      painter.setPen(theme().secondaryText);
      painter.drawText(x + kSwatch + kGap, y + metrics.ascent(),
                       metrics.elidedText(textOf(row), Qt::ElideMiddle, room));
      continue;
    }
    painter.setPen(hidden ? QPen(row.color, 1) : QPen(Qt::NoPen));
    painter.setBrush(hidden ? QBrush(Qt::NoBrush) : QBrush(row.color));
    painter.drawRoundedRect(QRectF(x, y + (metrics.height() - kSwatch) / 2.0, kSwatch, kSwatch), 3, 3);
    painter.setPen(hidden ? theme().secondaryText : theme().text);
    painter.setFont(hidden ? struckOut : font());
    painter.drawText(x + kSwatch + kGap, y + metrics.ascent(), metrics.elidedText(textOf(row), Qt::ElideMiddle, room));
    painter.setFont(font());
  }
}

void LegendOverlay::paintColorBar(QPainter& painter)
{
  const QRectF bar(rectOfBar());
  QLinearGradient gradient(bar.topLeft(), bar.topRight());
  constexpr int kStops = 32;
  for (int stop = 0; stop <= kStops; ++stop) {
    const double fraction = static_cast<double>(stop) / kStops;
    gradient.setColorAt(fraction, mapColor(shown.map, fraction));
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(gradient);
  painter.drawRoundedRect(bar, 3, 3);

  const QFontMetrics metrics(font());
  const int baseline = rectOfBar().top() + kBarHeight + 3 + metrics.ascent();
  const QString low = lowText();
  const QString middle = formatNumber((shown.low + shown.high) / 2);
  const QString high = highText();
  const int highLeft = rectOfBar().width() - metrics.horizontalAdvance(high);
  const int middleLeft = (rectOfBar().width() - metrics.horizontalAdvance(middle)) / 2;
  const int middleRight = middleLeft + metrics.horizontalAdvance(middle);
  painter.setPen(theme().text);
  painter.drawText(kMargin, baseline, low);
  if (metrics.horizontalAdvance(low) + kGap <= middleLeft && middleRight + kGap <= highLeft)
    painter.drawText(kMargin + middleLeft, baseline, middle);
  painter.drawText(kMargin + highLeft, baseline, high);
}

} // namespace hinesight::widgets
