#include "widgets/charts/timing_card.hpp"

#include "widgets/charts/measured_text.hpp"
#include "widgets/theme.hpp"

#include <QFontMetrics>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr int kWidth = 288;
constexpr int kWidthStep = 48;             ///< of the folded card
constexpr int kLeastLine = 4 * kWidthStep; ///< "running: discretize 50 %"
constexpr int kMargin = 12;
constexpr int kBarHeight = 10;
constexpr int kDeviceBarHeight = 6;
constexpr int kBelowBar = 6;
constexpr int kMostDevices = 8;    ///< that have a bar
constexpr int kMostNameWidth = 72; ///< of a device
constexpr int kSparklineHeight = 30;
constexpr int kSwatch = 8;
constexpr int kHistory = 50;
constexpr int kLeastCanvas = 10;     ///< per area of the whole card
constexpr int kLeastLines = 4;       ///< heights of a line: the canvas of a folded card
constexpr double kIdleOpacity = 0.4; // of old figures while a run is under way

QFont smallFont(const QFont& base)
{
  QFont font = base;
  font.setPointSizeF(std::max(7.0, base.pointSizeF() * 0.88));
  return font;
}

QFont largeFont(const QFont& base)
{
  QFont font = base;
  font.setPointSizeF(base.pointSizeF() * 1.9);
  font.setWeight(QFont::DemiBold);
  return font;
}

QString where(const StageTimings& timings)
{
  const QString backend = timings.backend == Backend::Cuda ? QStringLiteral("CUDA") : QStringLiteral("CPU");
  const QString device = QString::fromStdString(timings.device);
  return device.isEmpty() ? backend : backend + QStringLiteral(" \u00b7 ") + device;
}

} // namespace

QColor stageColor(const std::string& name)
{
  // Of one run at most these stand side by side; "backward" and "forward" stand where others have "solve".
  static const std::map<std::string, int> kPlaces = {
      {"solve", 1},    {"plan", 0},      {"discretize", 2}, {"read", 6},      {"upload", 3}, {"permute", 4},
      {"download", 5}, {"backward", 1},  {"forward", 2},    {"positions", 4}, {"bin", 0},    {"count", 2},
      {"scan", 3},     {"compact", 1},   {"summary", 6},    {"tree", 2},      {"vacant", 4}, {"search", 1},
      {"resolve", 0},  {"edges", 3},     {"electrical", 6}, {"growth", 5},    {"delete", 4}, {"cells", 1},
      {"events", 3},   {"exchange", 11}, {"wait", 14}};
  if (name == "batch") { // it follows "discretize"
    constexpr int kOther = 160;
    return theme().mode == ThemeMode::Dark ? categoryColor(2).lighter(kOther) : categoryColor(2).darker(kOther);
  }
  const auto found = kPlaces.find(name);
  return found == kPlaces.end() ? typeColor(0) : categoryColor(found->second);
}

TimingCard::TimingCard(QWidget* parent) : QWidget(parent)
{
  setObjectName(QStringLiteral("timingCard"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAccessibleName(tr("Timing card"));
  setProperty("helpTitle", accessibleName());
  setWhatsThis(tr(
      "What the last run took, in ms, and where: its device, the total, a bar of its stages, and the share "
      "of the time that cannot be undercut.\nWhere several GPUs shared the run, each has a bar at the same scale, "
      "which "
      "ends with how long it waited for the others.\nBelow, the last 50 runs of the same batch, the best marked, and "
      "the change against the run before, in percent; it is coloured only where it is no noise.\nOn a small "
      "canvas it is a line until it is clicked. T shows or hides it."));
  resize(sizeHint());
}

void TimingCard::addRun(const StageTimings& timings, const RunFacts& facts)
{
  if (std::exchange(historyOf, facts.of) != facts.of) {
    startHistory();
  }
  isEarlier = false;
  isRepeated = !facts.parameters.empty() && facts.parameters == parameters;
  parameters = facts.parameters;
  current = timings;
  floorShare = facts.floorFraction;
  runCount = std::min(runCount + 1, kHistory);
  if (hasHistoryStage()) {
    solves.push_back(timeIn(timings, facts));
    least = std::min(solves.back().median, least.value_or(solves.back().median));
  }
  if (solves.size() > static_cast<std::size_t>(kHistory)) {
    solves.erase(solves.begin());
  }
  runningFraction = -1;
  runningStage.clear();
  relayout();
}

void TimingCard::showAgain(const StageTimings& timings, const RunFacts& facts)
{
  const int before = runCount;
  const double median = timeIn(timings, facts).median;
  const auto isIt = [&](const Measured& other) { return other.median == median; };
  const bool isKnown = historyOf == facts.of && std::erase_if(solves, isIt) > 0;
  addRun(timings, facts);
  isEarlier = true;
  if (isKnown)
    runCount = before;
  relayout();
}

void TimingCard::setProgress(const QString& stage, double fraction)
{
  const bool wasRunning = isRunning();
  runningStage = stage;
  runningFraction = fraction;
  if (wasRunning == isRunning() && size() == sizeHint())
    update(); // what lies around it stays where it is
  else
    relayout();
}

void TimingCard::setHistoryOf(const std::string& stage)
{
  historyStage = stage;
  startHistory();
  relayout();
}

void TimingCard::showParts()
{
  isOfParts = true;
  startHistory();
  relayout();
}

/// Of the history's stage.
Measured TimingCard::timeIn(const StageTimings& timings, const RunFacts& facts) const
{
  return facts.time.value_or(measuredOf({historyStage.empty() ? timings.total() : timings.of(historyStage)}));
}

void TimingCard::startHistory()
{
  runCount = 0;
  solves.clear();
  least.reset();
}

/// Whether the newest run has a place in the history.
bool TimingCard::hasHistoryStage() const
{
  return !isOfParts && (historyStage.empty() || current.has(historyStage));
}

std::optional<double> TimingCard::best() const
{
  return least;
}

const Measured* TimingCard::previous() const
{
  return hasHistoryStage() && !isEarlier && solves.size() > 1 ? &solves[solves.size() - 2] : nullptr;
}

QString TimingCard::change() const
{
  if (!previous())
    return {};
  return isRepeated ? tr("no difference") : QString::fromStdString(changeText(*previous(), solves.back()));
}

Verdict TimingCard::verdict() const
{
  if (previous() && isRepeated)
    return Verdict::Same;
  return previous() ? compare(*previous(), solves.back()) : Verdict::Unknown;
}

/// "0.312 ms ± 1 %" where it was measured often enough.
QString TimingCard::timeText(const Stage& stage) const
{
  const bool isOfHistory = stage.name == historyStage && !solves.empty();
  return isOfHistory ? measuredText(solves.back()) : formatMilliseconds(stage.milliseconds);
}

void TimingCard::setNote(const QString& text, bool alsoFolded)
{
  noteText = text;
  isNoteFolded = alsoFolded;
  relayout();
}

int TimingCard::lineHeight() const
{
  return kMargin + QFontMetrics(font()).height();
}

int TimingCard::noteHeight() const
{
  return noteText.isEmpty() || runCount == 0 ? 0 : QFontMetrics(smallFont(font())).height() + 2;
}

QString TimingCard::historyName() const
{
  return historyStage.empty() ? tr("run") : QString::fromStdString(historyStage);
}

void TimingCard::clear()
{
  current = {};
  historyOf.clear();
  startHistory();
  floorShare = -1;
  runningStage.clear();
  runningFraction = -1;
  relayout();
}

void TimingCard::relayout()
{
  resize(sizeHint());
  updateGeometry();
  update();
  emit contentChanged();
}

bool TimingCard::isRunning() const
{
  return runningFraction >= 0;
}

std::vector<Stage> TimingCard::namedStages(bool withDevices) const
{
  StageTimings named;
  for (const StageTimings& device : current.devices) {
    for (const Stage& stage : device.stages) {
      if (withDevices && !current.has(stage.name))
        named.add(stage.name, std::max(0.0, stage.milliseconds - named.of(stage.name)));
    }
  }
  named.stages.insert(named.stages.begin(), current.stages.begin(), current.stages.end());
  return named.stages;
}

int TimingCard::stageRows(bool withDevices) const
{
  return static_cast<int>((namedStages(withDevices).size() + 1) / 2);
}

/// With a line for those that have no bar.
int TimingCard::devicesHeight() const
{
  const int lines = std::min(static_cast<int>(current.devices.size()), kMostDevices + 1);
  return lines * QFontMetrics(smallFont(font())).height() + kBelowBar;
}

/// All bars begin behind it; 0 where no devices are shown.
int TimingCard::deviceNameWidth() const
{
  if (!showsDevices()) {
    return 0;
  }
  const QFontMetrics small(smallFont(font()));
  int width = small.horizontalAdvance(tr("all"));
  for (const StageTimings& device : current.devices) {
    width = std::max(width, small.horizontalAdvance(QString::fromStdString(device.device)));
  }
  return std::min(width, kMostNameWidth) + 8;
}

void TimingCard::setHeightLimit(int pixels)
{
  heightLimit = pixels;
  resize(sizeHint());
  update();
}

bool TimingCard::fitInto(const QSize& canvas)
{
  const QSize whole = unfoldedSize();
  setFoldable(kLeastCanvas * whole.width() * whole.height() > canvas.width() * canvas.height());
  return canvas.width() > 3 * whole.width() / 2 &&
         canvas.height() > (isFolded() ? kLeastLines * lineHeight() : height());
}

int TimingCard::wholeWidth()
{
  return kWidth;
}

void TimingCard::setFoldable(bool canFold)
{
  if (std::exchange(foldable, canFold) == canFold) {
    return;
  }
  setAttribute(Qt::WA_TransparentForMouseEvents, !canFold);
  setCursor(canFold ? Qt::PointingHandCursor : Qt::ArrowCursor);
  setToolTip(canFold ? tr("Timings of the last run, in ms; click to unfold them, or to fold them to a line")
                     : QString());
  unfolded = false;
  resize(sizeHint());
  update();
}

void TimingCard::mousePressEvent(QMouseEvent* event)
{
  event->setAccepted(foldable && event->button() == Qt::LeftButton);
}

void TimingCard::mouseReleaseEvent(QMouseEvent* event)
{
  event->setAccepted(foldable && event->button() == Qt::LeftButton);
  if (event->isAccepted() && rect().contains(event->position().toPoint())) {
    unfolded = !unfolded;
    relayout();
  }
}

QSize TimingCard::sizeHint() const
{
  if (isFolded()) {
    return {foldedWidth(), lineHeight() + (isNoteFolded ? noteHeight() : 0)};
  }
  return unfoldedSize();
}

/// Of the folded card: as wide as its figures, in steps, so that it does not change with every digit nor with progress.
int TimingCard::foldedWidth() const
{
  const QFontMetrics metrics(font());
  const QString right = historyText();
  const int figures = metrics.horizontalAdvance(formatMilliseconds(current.total())) +
                      (right.isEmpty() ? 0 : kMargin + metrics.horizontalAdvance(right));
  const int note = isNoteFolded && noteHeight() > 0 ? QFontMetrics(smallFont(font())).horizontalAdvance(noteText) : 0;
  const int needed = std::max(figures, note) + 2 * kMargin;
  return std::clamp((needed + kWidthStep - 1) / kWidthStep * kWidthStep, kLeastLine, kWidth);
}

/// "solve 0.312 ms ± 1 %"; empty where the total says all.
QString TimingCard::historyText() const
{
  return !historyStage.empty() && hasHistoryStage() && !solves.empty()
             ? historyName() + QStringLiteral(" ") + measuredText(solves.back())
             : QString();
}

QSize TimingCard::unfoldedSize() const
{
  return {kWidth, heightWith(showsNames(), showsDevices(), showsHistory())};
}

bool TimingCard::showsNames() const
{
  return heightWith(true, false, false) <= heightLimit;
}

/// Not without the names: they say what the colours are.
bool TimingCard::showsDevices() const
{
  return !current.devices.empty() && heightWith(true, true, false) <= heightLimit;
}

bool TimingCard::showsHistory() const
{
  return solves.size() > 1 && heightWith(showsNames(), showsDevices(), true) <= heightLimit;
}

int TimingCard::heightWith(bool names, bool devices, bool history) const
{
  const QFontMetrics small(smallFont(font()));
  const QFontMetrics large(largeFont(font()));
  int height = 2 * kMargin + small.height();
  if (runCount > 0) {
    height += noteHeight() + large.height() + 8 + kBarHeight + kBelowBar;
    height += devices ? devicesHeight() : 0;
    height += names ? stageRows(devices) * (small.height() + 2) : 0;
    height += floorShare >= 0 ? small.height() + 4 : 0;
    height += history ? kSparklineHeight + 8 : 0;
  }
  if (isRunning()) {
    height += small.height() + 10;
  }
  return height;
}

QRect TimingCard::stageBarRect() const
{
  const int top =
      kMargin + QFontMetrics(smallFont(font())).height() + noteHeight() + QFontMetrics(largeFont(font())).height() + 8;
  const int left = kMargin + deviceNameWidth();
  return {left, top, width() - kMargin - left, kBarHeight};
}

std::vector<QRect> TimingCard::deviceBarRects() const
{
  std::vector<QRect> rects;
  const QRect bar = stageBarRect();
  const int line = QFontMetrics(smallFont(font())).height();
  const int count = showsDevices() ? std::min(static_cast<int>(current.devices.size()), kMostDevices) : 0;
  for (int k = 0; k < count; ++k) {
    const int top = bar.bottom() + 1 + kBelowBar + k * line;
    rects.emplace_back(bar.left(), top + (line - kDeviceBarHeight) / 2, bar.width(), kDeviceBarHeight);
  }
  return rects;
}

void TimingCard::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme().hairline, 1));
  painter.setBrush(theme().panel);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 7, 7);

  if (isFolded()) {
    paintLine(painter);
    return;
  }
  const QFontMetrics small(smallFont(font()));
  if (isRunning()) {
    paintProgress(painter);
  }
  painter.setFont(smallFont(font()));
  painter.setPen(theme().secondaryText);
  const int lineWidth = width() - 2 * kMargin;
  if (runCount == 0) {
    if (!isRunning()) {
      painter.drawText(kMargin, kMargin + small.ascent(), tr("No run yet"));
    }
    return;
  }
  painter.setOpacity(isRunning() ? kIdleOpacity : 1);
  painter.drawText(kMargin, kMargin + small.ascent(), small.elidedText(where(current), Qt::ElideRight, lineWidth));
  painter.setPen(theme().text);
  if (!noteText.isEmpty()) {
    painter.drawText(kMargin, kMargin + small.height() + 2 + small.ascent(),
                     small.elidedText(noteText, Qt::ElideRight, lineWidth));
  }
  paintTotal(painter);
  paintBar(painter, stageBarRect(), current.stages);
  const int afterBar = stageBarRect().bottom() + 1 + kBelowBar;
  const int afterDevices = showsDevices() ? paintDevices(painter, afterBar) : afterBar;
  const int afterNames = showsNames() ? paintStageNames(painter, afterDevices) : afterDevices;
  const int afterFloor = paintFloor(painter, afterNames);
  if (showsHistory()) {
    paintSparkline(painter, afterFloor + 4);
  }
}

/// The total, and the time of the history's stage; while a run is under way, how far it is. Below, the note that stays.
void TimingCard::paintLine(QPainter& painter) const
{
  const QFontMetrics metrics(font());
  const int baseline = kMargin / 2 + metrics.ascent();
  QString text = isRunning() ? tr("running: %1").arg(runningStage) : formatMilliseconds(current.total());
  const QString right =
      isRunning() ? formatNumber(std::round(100 * std::clamp(runningFraction, 0.0, 1.0))) + QStringLiteral(" %")
                  : historyText();
  painter.setFont(font());
  painter.setPen(theme().text);
  const int rightWidth = metrics.horizontalAdvance(right);
  painter.drawText(kMargin, baseline, metrics.elidedText(text, Qt::ElideRight, width() - 3 * kMargin - rightWidth));
  painter.setPen(theme().secondaryText);
  painter.drawText(width() - kMargin - rightWidth, baseline, right);
  if (isNoteFolded && noteHeight() > 0) {
    const QFontMetrics small(smallFont(font()));
    painter.setFont(smallFont(font()));
    painter.drawText(kMargin, height() - kMargin / 2 - small.descent(),
                     small.elidedText(noteText, Qt::ElideRight, width() - 2 * kMargin));
  }
}

void TimingCard::paintTotal(QPainter& painter) const
{
  const QFontMetrics small(smallFont(font()));
  const QFontMetrics large(largeFont(font()));
  const int baseline = kMargin + small.height() + noteHeight() + 2 + large.ascent();
  painter.setFont(largeFont(font()));
  painter.setPen(theme().text);
  const QString total = formatMilliseconds(current.total());
  painter.drawText(kMargin, baseline, total);
  if (!change().isEmpty()) {
    const int room = width() - 3 * kMargin - large.horizontalAdvance(total);
    QString text = tr("%1 %2").arg(historyName(), change());
    if (small.horizontalAdvance(text) > room)
      text = small.elidedText(change(), Qt::ElideRight, room);
    painter.setFont(smallFont(font()));
    painter.setPen(verdict() == Verdict::Less   ? theme().accent
                   : verdict() == Verdict::More ? theme().warning
                                                : theme().secondaryText);
    painter.drawText(width() - kMargin - small.horizontalAdvance(text), baseline, text);
  }
}

/// All of it stands for the total.
void TimingCard::paintBar(QPainter& painter, const QRectF& bar, const std::vector<Stage>& stages) const
{
  const double total = current.total();
  QPainterPath outline;
  outline.addRoundedRect(bar, 3, 3);
  painter.save();
  painter.setClipPath(outline);
  painter.fillRect(bar, theme().hairline);
  double left = bar.left();
  for (std::size_t i = 0; i < stages.size() && total > 0; ++i) {
    const double share = bar.width() * stages[i].milliseconds / total;
    painter.fillRect(QRectF(left, bar.top(), share, bar.height()), stageColor(stages[i].name));
    left += share;
  }
  painter.restore();
}

int TimingCard::paintDevices(QPainter& painter, int top) const
{
  const QFontMetrics small(smallFont(font()));
  const auto writeBeside = [&](const QRect& bar, const QString& name) {
    painter.drawText(kMargin, bar.top() + (bar.height() - small.height()) / 2 + small.ascent(),
                     small.elidedText(name, Qt::ElideRight, kMostNameWidth));
  };
  painter.setFont(smallFont(font()));
  painter.setPen(theme().secondaryText);
  writeBeside(stageBarRect(), tr("all"));
  const std::vector<QRect> bars = deviceBarRects();
  for (std::size_t k = 0; k < bars.size(); ++k) {
    std::vector<Stage> stages = current.devices[k].stages;
    std::ranges::stable_partition(stages, [](const Stage& stage) { return stage.name != "wait"; });
    writeBeside(bars[k], QString::fromStdString(current.devices[k].device));
    paintBar(painter, bars[k], stages);
  }
  if (current.devices.size() > bars.size()) {
    const int line = static_cast<int>(bars.size());
    painter.drawText(stageBarRect().left(), top + line * small.height() + small.ascent(),
                     tr("and %1 more").arg(current.devices.size() - bars.size()));
  }
  return top + devicesHeight();
}

int TimingCard::paintStageNames(QPainter& painter, int top) const
{
  const QFontMetrics small(smallFont(font()));
  painter.setFont(smallFont(font()));
  const std::vector<Stage> stages = namedStages(showsDevices());
  // Each column is as wide as it needs to be, and what is left over is shared. The spread of a time stands where it has
  // room, and a stage that is alone in its row has the row.
  constexpr int kBetween = 10;
  constexpr int kAroundName = kSwatch + 6 + 4;
  const int room = width() - 2 * kMargin;
  const auto isAlone = [&](std::size_t i) { return i % 2 == 0 && i + 1 == stages.size(); };
  const auto timeOf = [&](std::size_t i, bool withSpread) {
    const QString time = formatMilliseconds(stages[i].milliseconds);
    return i >= current.stages.size() ? tr("\u2264 %1").arg(time) : withSpread ? timeText(stages[i]) : time;
  };
  int needed[2];
  const auto measure = [&](bool withSpread) {
    needed[0] = kBetween;
    needed[1] = 0;
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const int text = small.horizontalAdvance(QString::fromStdString(stages[i].name)) +
                       small.horizontalAdvance(timeOf(i, withSpread)) + kAroundName;
      if (!isAlone(i))
        needed[i % 2] = std::max(needed[i % 2], text + (i % 2 == 0 ? kBetween : 0));
    }
    return needed[0] + needed[1] <= room;
  };
  const bool withSpread = measure(true);
  if (!withSpread)
    measure(false);
  const int spare = room - needed[0] - needed[1];
  const int columnWidth[2] = {spare < 0 ? room / 2 : needed[0] + spare / 2,
                              spare < 0 ? room / 2 : room - needed[0] - spare / 2};
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Stage& stage = stages[i];
    const int left = kMargin + (i % 2 == 0 ? 0 : columnWidth[0]);
    const int y = top + static_cast<int>(i / 2) * (small.height() + 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(stageColor(stage.name));
    painter.drawRoundedRect(QRectF(left, y + (small.height() - kSwatch) / 2.0, kSwatch, kSwatch), 2, 2);
    const QString time = timeOf(i, withSpread || isAlone(i));
    const int right = isAlone(i) ? kMargin + room : left + columnWidth[i % 2] - (i % 2 == 0 ? kBetween : 0);
    const int timeLeft = right - small.horizontalAdvance(time);
    const int nameLeft = left + kSwatch + 6;
    painter.setPen(theme().secondaryText);
    painter.drawText(nameLeft, y + small.ascent(),
                     small.elidedText(QString::fromStdString(stage.name), Qt::ElideRight, timeLeft - nameLeft - 4));
    painter.setPen(theme().text);
    painter.drawText(timeLeft, y + small.ascent(), time);
  }
  return top + stageRows(showsDevices()) * (small.height() + 2);
}

int TimingCard::paintFloor(QPainter& painter, int top) const
{
  if (floorShare < 0) {
    return top;
  }
  const QFontMetrics small(smallFont(font()));
  painter.setPen(theme().secondaryText);
  painter.drawText(kMargin, top + small.ascent() + 2,
                   tr("%1 % of the memory floor").arg(formatNumber(std::round(100 * floorShare))));
  return top + small.height() + 4;
}

void TimingCard::paintSparkline(QPainter& painter, int top) const
{
  const auto [lowest, worst] = std::ranges::minmax_element(solves, {}, &Measured::median);
  const QFontMetrics small(smallFont(font()));
  const QString label = tr("best %1 %2").arg(historyName(), formatMilliseconds(*best()));
  const double labelWidth = small.horizontalAdvance(label) + 10;
  const QRectF area(kMargin + 2, top + 4, width() - 2 * kMargin - 4 - labelWidth, kSparklineHeight - 8);
  const double span = worst->median > lowest->median ? worst->median - lowest->median : 1;
  const auto point = [&](std::size_t run) {
    const double x = area.left() + area.width() * static_cast<double>(run) / static_cast<double>(solves.size() - 1);
    return QPointF(x, area.bottom() - area.height() * (solves[run].median - lowest->median) / span);
  };
  QPainterPath line(point(0));
  for (std::size_t run = 1; run < solves.size(); ++run) {
    line.lineTo(point(run));
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().secondaryText, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawPath(line);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().accent);
  if (lowest->median <= *best())
    painter.drawEllipse(point(static_cast<std::size_t>(lowest - solves.begin())), 3, 3);
  painter.setPen(theme().accent);
  painter.drawText(
      QPointF(width() - kMargin - small.horizontalAdvance(label), area.center().y() + small.ascent() / 2.0), label);
}

void TimingCard::paintProgress(QPainter& painter) const
{
  const QFontMetrics small(smallFont(font()));
  painter.setFont(smallFont(font()));
  const int baseline = height() - kMargin - 8;
  painter.setPen(theme().text);
  const QString percent = formatNumber(std::round(100 * std::clamp(runningFraction, 0.0, 1.0))) + QStringLiteral(" %");
  const int percentLeft = width() - kMargin - small.horizontalAdvance(percent);
  painter.drawText(kMargin, baseline,
                   small.elidedText(tr("running: %1").arg(runningStage), Qt::ElideRight, percentLeft - 2 * kMargin));
  painter.drawText(percentLeft, baseline, percent);
  const QRectF groove(kMargin, height() - kMargin - 3, width() - 2 * kMargin, 3);
  painter.fillRect(groove, theme().hairline);
  painter.fillRect(QRectF(groove.topLeft(), QSizeF(groove.width() * std::clamp(runningFraction, 0.0, 1.0), 3)),
                   theme().accent);
}

} // namespace hinesight::widgets
