#include "widgets/cells/planar_canvas_view.hpp"

#include "widgets/charts/timing_card.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/theme_scope.hpp"

#include <QCursor>
#include <QEvent>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr int kOverlayMargin = 12;
constexpr int kLegendShare = 4;          // a legend below the plot may take one part in so many of the height
constexpr double kSideLegendWidth = 0.4; // of a body, which a legend beside the plot may take
constexpr int kNarrowBody = 620;         // pixels below which there is no column, whatever it would hold
constexpr int kWideBody = 840;           // pixels from which the timing card gets a column of its own
constexpr int kLowBody = 320;            // pixels below which a narrow body has no line for it either
constexpr int kLeastPlot = 40;           // pixels of height that a legend below it leaves a plot

} // namespace

PlanarView::PlanarView(const QString& title, QWidget* parent) : View(title, parent)
{
  body = new QWidget(this);
  canvas = new PlanarCanvas(body);
  canvas->setObjectName(QStringLiteral("planarCanvas"));
  sidePanel = new QWidget(body);
  sidePanel->setAutoFillBackground(true);
  cardRoom = new QWidget(sidePanel);
  legendRoom = new QWidget(sidePanel);

  aboveWidgets = new QVBoxLayout;
  aboveWidgets->setSpacing(0);
  aboveWidgets->setAlignment(Qt::AlignTop);
  aboveRoom = new QWidget(body);
  auto* top = new QHBoxLayout;
  top->setSpacing(0);
  top->addLayout(aboveWidgets, 1);
  top->addWidget(aboveRoom);
  auto* left = new QVBoxLayout;
  left->setSpacing(0);
  left->addLayout(top);
  left->addWidget(canvas, 1);
  auto* side = new QWidget; // on a low canvas it scrolls
  sideWidgets = new QVBoxLayout(side);
  sideWidgets->setContentsMargins(0, 0, 0, 0);
  sideWidgets->setAlignment(Qt::AlignTop);
  auto* sideScroll = new QScrollArea(sidePanel);
  sideScroll->setObjectName(QStringLiteral("sideScroll"));
  sideScroll->setWidgetResizable(true);
  sideScroll->setFrameShape(QFrame::NoFrame);
  sideScroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  sideScroll->setWidget(side);
  for (QWidget* clear : {side, sideScroll->viewport()})
    clear->setAutoFillBackground(false); // the panel's shows
  auto* column = new QVBoxLayout(sidePanel);
  column->setContentsMargins(kOverlayMargin, kOverlayMargin, kOverlayMargin, kOverlayMargin);
  column->setSpacing(kOverlayMargin);
  column->addWidget(cardRoom);
  column->addWidget(sideScroll, 1);
  column->addWidget(legendRoom);
  auto* row = new QHBoxLayout(body);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addLayout(left, 1);
  row->addWidget(sidePanel);
  setCanvas(body);
  body->setAutoFillBackground(true);
  recolorSide();

  connect(canvas, &PlanarCanvas::itemClicked, this, [this](int item, QPointF, Qt::KeyboardModifiers modifiers) {
    emit branchPicked(branchOfItem(item), pickModeOf(modifiers));
  });
  connect(canvas, &PlanarCanvas::areaDrawn, this, [this](const DrawnArea& area, Qt::KeyboardModifiers modifiers) {
    emit branchesPicked(branchesIn(area), areaModeOf(modifiers));
  });
  connect(canvas, &PlanarCanvas::awaitedAreaDrawn, this, &View::awaitedAreaDrawn);
  connect(canvas, &PlanarCanvas::itemHovered, this, [this](int item) { showTooltip(item); });
}

void PlanarView::setScene(std::shared_ptr<const Scene> scene)
{
  View::setScene(std::move(scene));
  const bool empty = !currentScene || currentScene->cells.empty();
  setNotice(empty ? QString() : hasPlan() ? problem() : tr("The plan of these cells is being made."));
  refreshParts();
  redraw();
}

void PlanarView::setChoice(const BranchChoice& choice)
{
  const bool isOtherDrawing = choice.hidden != currentChoice.hidden;
  View::setChoice(choice);
  if (isOtherDrawing) {
    redraw();
  } else {
    emphasizeSelection();
  }
}

void PlanarView::recolored()
{
  refreshParts();
  redraw();
}

void PlanarView::fit()
{
  canvas->fit();
}

void PlanarView::awaitArea(std::optional<AreaShape> shape)
{
  canvas->awaitArea(shape);
}

QImage PlanarView::grabPicture()
{
  // The canvas must have drawn before its parent is grabbed with all that lies above it.
  canvas->grabPicture();
  return body->grab().toImage();
}

void PlanarView::paintFigure(QPainter& painter, const FigureArea& area)
{
  settle();
  figureNow().paint(painter, area.size, area.ratio, area.font);
}

View::StillPainter PlanarView::stillPainter(ThemeMode mode)
{
  const ThemeScope scope(mode);
  const auto onScreen = std::exchange(coloring, recoloring()());
  const auto figure = std::make_shared<const PlanarFigure>(figureNow());
  coloring = onScreen;
  return [figure](QPainter& painter, const FigureArea& area, const Coloring&) {
    figure->paint(painter, area.size, area.ratio, area.font);
  };
}

PlanarFigure PlanarView::figureNow()
{
  std::vector<BranchId> branches;
  return figureOf(composeShown(branches));
}

PlanarFigure PlanarView::figureOf(PlanarDrawing drawing) const
{
  return canvas->figureOf(std::move(drawing), textMargins);
}

BranchId PlanarView::branchOfItem(std::int32_t item) const
{
  return item >= 0 && static_cast<std::size_t>(item) < itemBranch.size() ? itemBranch[static_cast<std::size_t>(item)]
                                                                         : BranchId{};
}

bool PlanarView::shows(std::int32_t item, const BranchMask& branches) const
{
  const BranchId branch = branchOfItem(item);
  return isWholeCell(item) ? branches.hasAnyOf(branch.cell) : branches.has(branch);
}

/// Of a whole cell, all of them.
std::vector<BranchId> PlanarView::branchesIn(const DrawnArea& area) const
{
  std::vector<BranchId> branches;
  for (const std::int32_t item : canvas->itemsIn(area)) {
    const BranchId branch = branchOfItem(item);
    if (branch.isNull()) {
      continue;
    }
    const bool isWhole = isWholeCell(item);
    const auto count = static_cast<std::int32_t>(
        isWhole ? asReadShape(*currentScene, static_cast<std::size_t>(branch.cell))->tree.branches() : 1);
    for (std::int32_t k = 0; k < count; ++k) {
      branches.push_back(isWhole ? BranchId{branch.cell, k} : branch);
    }
  }
  return branches;
}

/// Of what is not hidden; empty without a plan. `branches` as of compose.
PlanarDrawing PlanarView::composeShown(std::vector<BranchId>& branches)
{
  if (!hasPlan())
    return {};
  if (isWaiting())
    return canvas->drawing();
  PlanarDrawing drawing = compose(branches);
  if (currentChoice.hidden.isEmpty())
    return drawing;
  const auto isHidden = [&](const auto& shape) {
    return shape.item >= 0 && !isWholeCell(shape.item) &&
           currentChoice.hidden.has(branches[static_cast<std::size_t>(shape.item)]);
  };
  std::erase_if(drawing.bars, isHidden);
  std::erase_if(drawing.dots, isHidden);
  return drawing;
}

void PlanarView::setTextMargins(const QMarginsF& margins)
{
  textMargins = margins;
  layOutOverlays();
}

void PlanarView::keepSideColumn()
{
  sideColumnKept = true;
  layOutOverlays();
}

void PlanarView::setOverlaysAbove(bool isAbove)
{
  overlaysAbove = isAbove;
}

void PlanarView::redraw()
{
  std::vector<BranchId> branches;
  if (!isWaiting()) {
    PlanarDrawing drawing = composeShown(branches);
    return showDrawing(std::move(drawing), std::move(branches));
  }
  itemBranch.clear();
  emphasizeSelection();
  layOutOverlays();
}

void PlanarView::showDrawing(PlanarDrawing drawing, std::vector<BranchId> branches)
{
  itemBranch = std::move(branches);
  canvas->setDrawing(std::move(drawing));
  emphasizeSelection();
  layOutOverlays();
}

bool PlanarView::hasPlan() const
{
  return currentScene && currentScene->plan && !currentScene->plan->shapes.empty();
}

void PlanarView::emphasizeSelection()
{
  std::vector<bool> emphasis;
  if (!currentChoice.selected.isEmpty()) {
    const BranchMask selected(currentChoice.selected);
    emphasis.resize(itemBranch.size());
    bool any = false;
    for (std::size_t item = 0; item < itemBranch.size(); ++item) {
      emphasis[item] = shows(static_cast<std::int32_t>(item), selected);
      any = any || emphasis[item];
    }
    if (!any) {
      emphasis.clear(); // none of them is in this drawing: nothing to set it off from
    }
  }
  canvas->setEmphasis(std::move(emphasis));
}

QString PlanarView::titleOfItem(std::int32_t item) const
{
  return QString::fromStdString(describeBranchBriefly(*currentScene, branchOfItem(item)));
}

void PlanarView::showTooltip(std::int32_t item)
{
  const BranchId branch = branchOfItem(item);
  if (branch.isNull() || !currentScene) {
    QToolTip::hideText();
    return;
  }
  QString text = titleOfItem(item);
  if (const QString ownFigures = describeItem(item); !ownFigures.isEmpty()) {
    text += QStringLiteral("\n") + ownFigures;
  }
  QToolTip::showText(QCursor::pos(), text, canvas);
}

void PlanarView::changeEvent(QEvent* event)
{
  View::changeEvent(event); // draws anew in the colours of another theme
  if (event->type() == QEvent::PaletteChange && canvas) {
    recolorSide();
  }
}

void PlanarView::recolorSide()
{
  for (QWidget* widget : {body, sidePanel}) {
    QPalette palette = widget->palette();
    palette.setColor(QPalette::Window, theme().canvas);
    widget->setPalette(palette);
  }
}

bool PlanarView::hasRoomForCard() const
{
  return body->width() >= kWideBody || body->height() >= kLowBody;
}

/// A column beside the plot is no wider than it must be.
int PlanarView::mostLegendWidth(int width) const
{
  const bool mayBeBeside = !overlaysAbove && width >= kNarrowBody;
  return mayBeBeside ? std::max(TimingCard::wholeWidth(), static_cast<int>(kSideLegendWidth * width))
                     : View::mostLegendWidth(width);
}

/// Without a legend below it, where no column is beside it.
double PlanarView::heightOfPlot() const
{
  const int above = aboveWidgets->isEmpty() ? 0 : aboveWidgets->sizeHint().height();
  const int cardHeight = timingCard()->isHidden() ? 0 : timingCard()->height() + kOverlayMargin;
  return body->height() - std::max(above, cardHeight) - textMargins.top() - textMargins.bottom();
}

void PlanarView::layOutOwnOverlays()
{
  if (!canvas || !timingCard()) {
    return;
  }
  const bool wide = body->width() >= kWideBody;
  TimingCard* timings = timingCard();
  const bool cardShown = !timings->isHidden();
  const bool isAbove = overlaysAbove && wide;
  const bool hasSide = !isAbove && ((cardShown && wide) || (sideColumnKept && body->width() >= kNarrowBody));
  const bool cardIsAbove = cardShown && !hasSide; // of a narrow body

  // A legend that would take much of a low canvas, or the room of its texts, is left out; the header still says what
  // the colours show.
  LegendOverlay* key = legendOverlay();
  const bool hasLegend = hasPlan() && (!key->legend().entries.empty() || key->legend().isQuantity);
  const int leastHeight = hasSide ? key->height() + 2 * kOverlayMargin : kLegendShare * key->height() + 1;
  const bool isBelow = !isAbove && !hasSide;
  const bool hasRoom = isAbove || (leastHeight <= body->height() &&
                                   (!isBelow || key->height() + kOverlayMargin + kLeastPlot <= heightOfPlot()));
  key->setVisible(hasLegend && hasRoom);
  const bool keyShown = hasLegend && hasRoom;

  sidePanel->setVisible(hasSide);
  sidePanel->setFixedWidth(std::max(TimingCard::wholeWidth(), keyShown ? key->width() : 0) + 2 * kOverlayMargin);
  cardRoom->setVisible(cardShown);
  cardRoom->setFixedHeight(timings->height());
  legendRoom->setVisible(hasSide && keyShown);
  legendRoom->setFixedHeight(key->height());

  const bool keyIsAbove = isAbove && keyShown;
  const int cardWidth = cardShown ? timings->width() + kOverlayMargin : 0;
  const int keyWidth = keyShown ? key->width() + kOverlayMargin : 0;
  aboveRoom->setVisible(cardIsAbove || keyIsAbove);
  aboveRoom->setFixedSize(cardWidth + (keyIsAbove ? keyWidth : 0) + kOverlayMargin,
                          std::max(cardShown ? timings->height() : 0, keyIsAbove ? key->height() : 0) + kOverlayMargin);

  QMarginsF margins = textMargins;
  if (isAbove) {
    key->move(body->width() - cardWidth - keyWidth, kOverlayMargin);
  } else {
    const int left = hasSide ? body->width() - sidePanel->width() + kOverlayMargin : kOverlayMargin;
    key->move(left, body->height() - key->height() - kOverlayMargin);
    if (!hasSide && keyShown) {
      margins.setBottom(margins.bottom() + key->height() + kOverlayMargin);
    }
  }
  canvas->setPlotMargins(margins);
}

} // namespace hinesight::widgets
