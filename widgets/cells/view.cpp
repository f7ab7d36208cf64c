#include "widgets/cells/view.hpp"

#include "widgets/background_work.hpp"
#include "widgets/cells/branch_colors.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/choice_box.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/icons.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/overlay_layout.hpp"
#include "widgets/tab_order.hpp"
#include "widgets/theme_scope.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <map>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr double kLegendShare = 0.4; // of the height of a canvas, which a legend may cover
constexpr double kLegendWidth = 0.6; // the same of its width
constexpr int kOverlayMargin = 12;
constexpr int kHeaderHeight = 36;    ///< of usual letters
constexpr int kMostEmptyWidth = 420; ///< of what a canvas without cells says
constexpr int kNarrowText = 480;     ///< pixels of a view

/// What a canvas without cells says, and the buttons that help.
class EmptyState : public QWidget
{
public:
  explicit EmptyState(QWidget* parent) : QWidget(parent)
  {
    heading = new QLabel(this);
    heading->setAlignment(Qt::AlignCenter);
    heading->setWordWrap(true);
    heading->setObjectName(QStringLiteral("emptyText"));
    open = new QPushButton(QObject::tr("Open SWC files\u2026"), this);
    open->setObjectName(QStringLiteral("emptyOpen"));
    open->setToolTip(QObject::tr("Choose one or several SWC files of reconstructed neurons"));
    open->setProperty("primary", true);
    samples = new QPushButton(QObject::tr("Load sample cells"), this);
    samples->setObjectName(QStringLiteral("emptySamples"));
    samples->setToolTip(QObject::tr("Four synthetic cells that come with the program"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(10);
    buttons->addStretch();
    buttons->addWidget(open);
    buttons->addWidget(samples);
    buttons->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(14);
    layout->addWidget(heading);
    layout->addLayout(buttons);
  }

  void say(const QString& sentence, bool withButtons)
  {
    heading->setText(sentence);
    open->setVisible(withButtons);
    samples->setVisible(withButtons);
  }

  void recolor()
  {
    QPalette palette = heading->palette();
    palette.setColor(QPalette::WindowText, theme().secondaryText);
    heading->setPalette(palette);
  }

  QLabel* heading;
  QPushButton* open;
  QPushButton* samples;
};

QToolButton* makeButton(const char* name, const QString& tip, QWidget* parent)
{
  auto* button = new QToolButton(parent);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setAutoRaise(true);
  button->setIconSize({16, 16});
  return button;
}

} // namespace

class View::Private
{
public:
  explicit Private(View& view) : overlays([&view] { view.placeOverlays(); }) {}

  OverlayLayout overlays;
  QString name;
  QWidget* header = nullptr;
  QLabel* title = nullptr;
  ElidedLabel* text = nullptr;
  QHBoxLayout* titleRow = nullptr;
  QWidget* textRow = nullptr;     ///< under the header; null where the text is in the header
  QHBoxLayout* choices = nullptr; ///< of it
  bool textIsBelow = false;       ///< them
  bool textIsKept = false;
  bool isBeside = false;
  QHBoxLayout* switches = nullptr;
  QLabel* colorByLabel = nullptr;
  ChoiceBox* colorBy = nullptr;
  QToolButton* timings = nullptr;
  QToolButton* save = nullptr;
  QToolButton* maximize = nullptr;
  QVBoxLayout* layout = nullptr;
  QWidget* canvas = nullptr;
  EmptyState* emptyState = nullptr;
  QString notice;
  ThemeMode coloredIn = theme().mode;
  BackgroundWork coloring; ///< makes what recolor waits for
};

View::View(const QString& title, QWidget* parent) : QWidget(parent), d(std::make_unique<Private>(*this))
{
  d->name = title;
  d->header = new QWidget(this);
  d->header->setMinimumHeight(kHeaderHeight);
  d->header->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); // higher for larger letters
  d->title = new QLabel(title, d->header);
  d->title->setObjectName(QStringLiteral("viewTitle"));
  QFont bold = d->title->font();
  bold.setWeight(QFont::DemiBold);
  d->title->setFont(bold);
  d->text = new ElidedLabel(d->header, Qt::ElideMiddle);
  d->text->cutBetweenParts();
  d->text->setObjectName(QStringLiteral("viewText"));
  d->colorBy = new ChoiceBox(d->header);
  d->colorBy->setObjectName(QStringLiteral("colorBy"));
  d->colorBy->setToolTip(tr("What the colours of branches show, in every view"));
  for (const ColorBy rule : allColorBys()) {
    d->colorBy->addItem(colorByName(rule), static_cast<int>(rule));
    d->colorBy->setItemData(d->colorBy->count() - 1, inText(tableOf(rule)[static_cast<std::size_t>(rule)].help),
                            Qt::ToolTipRole);
  }
  d->timings = makeButton("showTimings", tr("Show or hide the timing card"), d->header);
  d->timings->setCheckable(true);
  d->timings->setChecked(true);
  d->save = makeButton("savePicture", tr("Make a figure of this view: PNG, SVG or PDF of any size"), d->header);
  d->maximize = makeButton("maximize", tr("Give this view the whole window, or give it back"), d->header);

  auto* row = new QHBoxLayout(d->header);
  row->setContentsMargins(12, 0, 8, 0);
  row->setSpacing(8);
  d->titleRow = new QHBoxLayout;
  d->titleRow->setSpacing(8);
  d->titleRow->addWidget(d->title);
  row->addLayout(d->titleRow, 1);
  d->titleRow->addWidget(d->text, 1);
  d->switches = new QHBoxLayout;
  d->switches->setSpacing(6);
  row->addLayout(d->switches);
  d->colorByLabel = new QLabel(tr("Colour by"), d->header);
  d->colorByLabel->setObjectName(QStringLiteral("colorByLabel"));
  d->colorByLabel->setBuddy(d->colorBy);
  row->addWidget(d->colorByLabel);
  row->addWidget(d->colorBy);
  row->addWidget(d->timings);
  row->addWidget(d->save);
  row->addWidget(d->maximize);

  d->layout = new QVBoxLayout(this);
  d->layout->setContentsMargins(0, 0, 0, 0);
  d->layout->setSpacing(0);
  d->layout->addWidget(d->header);
  d->header->installEventFilter(this);

  connect(d->colorBy, &QComboBox::activated, this, [this](int index) {
    const auto rule = static_cast<ColorBy>(d->colorBy->itemData(index).toInt());
    setColorBy(rule);
    emit colorByChanged(rule);
  });
  connect(&d->coloring, &BackgroundWork::outOfMemory, this,
          [this] { emit failed(tr("The colours of the cells need more memory than is free.")); });
  connect(d->timings, &QToolButton::toggled, this, [this] { layOutOverlays(); });
  connect(d->maximize, &QToolButton::clicked, this, &View::maximizeToggled);
  connect(d->save, &QToolButton::clicked, this, &View::figureRequested);
}

View::~View() = default;

QString View::title() const
{
  return d->name;
}

void View::setCanvas(QWidget* canvas)
{
  d->canvas = canvas;
  d->layout->addWidget(canvas, 1);
  legend = new LegendOverlay(canvas);
  card = new TimingCard(canvas);
  card->hide();
  d->emptyState = new EmptyState(canvas);
  connect(d->emptyState->open, &QPushButton::clicked, this, &View::openRequested);
  connect(d->emptyState->samples, &QPushButton::clicked, this, &View::samplesRequested);
  connect(card, &TimingCard::contentChanged, this, &View::layOutOverlays);
  connect(legend, &LegendOverlay::picked, this, &View::legendPicked);
  connect(legend, &LegendOverlay::changed, this, &View::layOutOverlays);
  connect(legend, &LegendOverlay::changed, this, &View::legendChanged);
  connect(legend, &LegendOverlay::foldToggled, this, &View::layOutOverlays);
  canvas->installEventFilter(this);
  refreshColors();
  refreshEmptyState();
}

void View::addSwitch(QWidget* control)
{
  d->switches->addWidget(control);
  putBeforeByTab(control, d->colorBy);
}

void View::addBesideText(QWidget* control)
{
  if (!d->textRow) {
    d->textRow = new QWidget(this);
    auto* rows = new QVBoxLayout(d->textRow);
    rows->setContentsMargins(12, 0, 12, 6);
    rows->setSpacing(4);
    d->choices = new QHBoxLayout;
    d->choices->setSpacing(8);
    rows->addLayout(d->choices);
    d->titleRow->addStretch(1);
    d->choices->addWidget(d->text, 1);
    d->layout->insertWidget(1, d->textRow);
  }
  const int place = d->choices->count() - 1;
  d->choices->insertWidget(place, control);
  setTabOrder(place > 0 ? d->choices->itemAt(place - 1)->widget() : d->maximize, control);
}

/// In a narrow view the text has a line of its own below what stands beside it.
void View::fitText()
{
  if (!d->textRow || std::exchange(d->textIsBelow, width() < kNarrowText) == (width() < kNarrowText)) {
    return;
  }
  auto* rows = static_cast<QVBoxLayout*>(d->textRow->layout());
  if (d->textIsBelow) {
    d->choices->removeWidget(d->text);
    d->choices->addStretch(1);
    rows->addWidget(d->text);
  } else {
    rows->removeWidget(d->text);
    delete d->choices->takeAt(d->choices->count() - 1);
    d->choices->addWidget(d->text, 1);
  }
}

void View::setBeside()
{
  d->isBeside = true;
  for (QWidget* widget :
       {static_cast<QWidget*>(d->title), static_cast<QWidget*>(d->colorByLabel), static_cast<QWidget*>(d->colorBy),
        static_cast<QWidget*>(d->timings), static_cast<QWidget*>(d->save), static_cast<QWidget*>(d->maximize)})
    widget->hide();
}

void View::setHeaderText(const QString& text, const QString& help)
{
  d->text->setText(text);
  d->text->setToolTip(help.isEmpty() ? text : help);
}

void View::keepHeaderText()
{
  d->textIsKept = true;
}

void View::setNotice(const QString& sentence)
{
  d->notice = sentence;
  refreshEmptyState();
}

void View::setTimingsShown(bool shown)
{
  d->timings->setChecked(shown);
}

void View::setScene(std::shared_ptr<const Scene> scene)
{
  takeScene(std::move(scene));
  takeColoring(colorMaker()());
}

std::function<std::shared_ptr<const Coloring>()> View::colorMaker() const
{
  return [scene = currentScene, rule = currentColorBy, cells = listed, colors = colored] {
    if (!scene)
      return std::make_shared<const Coloring>();
    if (scene->branchColors && colors == ColorsOf::Branches)
      return scene->branchColors->of(*scene, rule, cells);
    return std::make_shared<const Coloring>(*scene, rule, cells, colors);
  };
}

/// Whether they are there, or made in a frame's time.
bool View::hasColors() const
{
  if (!currentScene || !isLarge(*currentScene))
    return true;
  return currentScene->branchColors && colored == ColorsOf::Branches &&
         currentScene->branchColors->has(currentColorBy, listed);
}

void View::takeScene(std::shared_ptr<const Scene> scene)
{
  d->coloring.restart();
  currentScene = std::move(scene);
  refreshEmptyState();
}

void View::takeColoring(std::shared_ptr<const Coloring> made)
{
  d->coloring.restart();
  coloring = std::move(made);
  legend->setLegend(coloring->legend());
}

void View::setChoice(const BranchChoice& choice)
{
  currentChoice = choice;
}

void View::showScene(std::shared_ptr<const Scene> scene, const BranchChoice& choice)
{
  currentChoice = choice; // of the scene that comes: what it hides is left out at once
  setScene(std::move(scene));
  setChoice(choice);
}

void View::setSelection(BranchId id)
{
  setChoice({id, BranchIds(id.isNull() ? std::vector<BranchId>() : std::vector{id}), currentChoice.hidden});
}

const Legend& View::shownLegend() const
{
  return legend->legend();
}

void View::setHiddenEntries(const std::vector<bool>& hidden)
{
  legend->setHiddenEntries(hidden);
}

void View::setColorByUsed(bool isUsed)
{
  d->colorBy->setEnabled(isUsed);
  d->colorByLabel->setEnabled(isUsed);
  d->colorBy->setToolTip(isUsed ? tr("What the colours of branches show, in every view")
                                : tr("Here colours show cells, not branches"));
}

void View::setColorBy(ColorBy colorBy)
{
  takeColorBy(colorBy);
  recolor();
}

void View::recolor()
{
  if (hasColors()) {
    takeColoring(colorMaker()());
    return recolored();
  }
  d->coloring.restart([this, make = colorMaker(), mode = theme().mode](const RunControl&) -> BackgroundWork::Deliver {
    const ThemeScope scope(mode);
    return [this, made = make()] {
      takeColoring(made);
      recolored();
    };
  });
}

void View::settle()
{
  d->coloring.wait();
}

void View::takeColorBy(ColorBy colorBy)
{
  currentColorBy = colorBy;
  const QSignalBlocker blocker(d->colorBy);
  d->colorBy->setCurrentIndex(d->colorBy->findData(static_cast<int>(colorBy)));
}

Figure View::figure()
{
  Figure figure;
  figure.title = d->text->text().isEmpty() ? d->name : d->name + QStringLiteral(": ") + d->text->text();
  figure.legend = [this] { return legendOfFigure(recoloring())(); };
  figure.paint = [this](QPainter& painter, const FigureArea& area) {
    d->coloring.wait();
    const auto onScreen = std::exchange(coloring, recoloring()());
    paintFigure(painter, area);
    coloring = onScreen;
  };
  figure.still = [this, title = figure.title](ThemeMode mode) {
    const Recoloring recolored = recoloring();
    Figure still;
    still.title = title;
    still.legend = legendOfFigure(recolored);
    still.paint = [recolored, paint = stillPainter(mode)](QPainter& painter, const FigureArea& area) {
      paint(painter, area, *recolored());
    };
    return still;
  };
  return figure;
}

/// On paper the colour maps may be other ones than on the screen. What was made for a theme is kept.
View::Recoloring View::recoloring() const
{
  return [make = colorMaker(), made = std::make_shared<std::map<ThemeMode, std::shared_ptr<const Coloring>>>()] {
    std::shared_ptr<const Coloring>& ofMode = (*made)[theme().mode];
    if (!ofMode)
      ofMode = make();
    return ofMode;
  };
}

/// As it is now, without what is hidden: of the colours, or of what the view shows besides.
std::function<Legend()> View::legendOfFigure(const Recoloring& recolored) const
{
  const bool isOfColors = legend->legend().title == coloring->legend().title;
  return [recolored, isOfColors, shown = legend->legend(), hidden = legend->whichAreHidden()] {
    return withoutHidden(isOfColors ? recolored()->legend() : shown, hidden);
  };
}

bool View::eventFilter(QObject* watched, QEvent* event)
{
  if (event->type() == QEvent::Resize && watched == d->canvas) {
    layOutOverlays();
  }
  if (event->type() == QEvent::LayoutRequest && watched == d->header) {
    fitHeader();
  }
  return QWidget::eventFilter(watched, event);
}

void View::changeEvent(QEvent* event)
{
  if (event->type() == QEvent::PaletteChange && d->canvas) {
    refreshColors();
    if (const ThemeMode mode = theme().mode; std::exchange(d->coloredIn, mode) != mode)
      recolor();
  }
  QWidget::changeEvent(event);
}

void View::refreshColors()
{
  d->timings->setIcon(makeIcon(Icon::Timings));
  d->save->setIcon(makeIcon(Icon::Save));
  d->maximize->setIcon(makeIcon(Icon::Maximize));
  QPalette palette = d->text->palette();
  palette.setColor(QPalette::WindowText, theme().secondaryText);
  d->text->setPalette(palette);
  d->colorByLabel->setPalette(palette);
  d->emptyState->recolor();
  legend->update();
  card->update();
}

void View::refreshEmptyState()
{
  const bool empty = !currentScene || currentScene->cells.empty();
  if (empty) {
    d->emptyState->say(tr("No cells yet. Open reconstructed neurons, or look around with synthetic ones."), true);
  } else {
    d->emptyState->say(d->notice, false);
  }
  d->emptyState->setVisible(empty || !d->notice.isEmpty());
  layOutOverlays();
}

/// On a narrow view the header keeps what works on the drawing; the rest is in the menus too. Hides and shows only
/// where something changes, because every change asks for a layout, which comes here again.
void View::fitHeader()
{
  if (d->isBeside) {
    return;
  }
  QWidget* const dispensable[] = {d->colorByLabel, d->save, d->timings, d->colorBy, d->title, d->maximize};
  const auto yieldsToText = [this](const QWidget* widget) {
    return d->textIsKept && (widget == d->colorByLabel || widget == d->save || widget == d->timings);
  };
  const auto widthOf = [this](const QWidget* widget) {
    return widget->minimumSizeHint().width() + d->header->layout()->spacing();
  };
  int needed = d->header->layout()->totalMinimumSize().width();
  for (const QWidget* widget : dispensable) {
    needed += widget->isHidden() ? widthOf(widget) : 0;
  }
  for (QWidget* widget : dispensable) {
    const bool hide = needed + (yieldsToText(widget) ? d->text->readableWidth() : 0) > width();
    needed -= hide ? widthOf(widget) : 0;
    if (widget->isHidden() != hide) {
      widget->setHidden(hide);
    }
  }
}

void View::resizeEvent(QResizeEvent* event)
{
  QWidget::resizeEvent(event);
  fitHeader();
  fitText();
}

int View::mostLegendWidth(int width) const
{
  return static_cast<int>(kLegendWidth * width);
}

void View::layOutOverlays()
{
  if (d->canvas)
    d->overlays.layOut();
}

void View::placeOverlays()
{
  const QSize area = d->canvas->size();
  legend->setMost({mostLegendWidth(area.width()), static_cast<int>(kLegendShare * area.height())});
  legend->move(kOverlayMargin, area.height() - legend->height() - kOverlayMargin);

  const bool fits = card->fitInto(area);
  const bool isEmpty = !currentScene || currentScene->cells.empty(); // the runs are then of cells that are gone
  const bool hasContent = (card->runs() > 0 && !isEmpty) || card->isRunning();
  card->setVisible(d->timings->isChecked() && hasContent && fits && hasRoomForCard());
  card->move(area.width() - card->width() - kOverlayMargin, kOverlayMargin);
  const bool isFree = card->isHidden() || !card->geometry().intersects(legend->geometry());
  legend->setRoom(legend->y() >= 0 && isFree);

  if (!d->emptyState->isHidden())
    layOutEmptyState();
  layOutOwnOverlays();
}

void View::layOutEmptyState()
{
  const QSize area = d->canvas->size();
  const int width = std::min(area.width() - 2 * kOverlayMargin, kMostEmptyWidth);
  const int height = std::max(d->emptyState->sizeHint().height(), d->emptyState->heightForWidth(width));
  d->emptyState->setGeometry((area.width() - width) / 2, (area.height() - height) / 2, width, height);
}

} // namespace hinesight::widgets
