#include "widgets/synapse/octree_overlay.hpp"

#include "core/stage_timings.hpp"
#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/rings.hpp"
#include "widgets/theme.hpp"

#include <QEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr int kMargin = 12;
constexpr int kNoteGap = 3;
constexpr int kNoteFlags = Qt::AlignLeft | Qt::TextWordWrap;
constexpr double kMarkerRadius = 7;    ///< pixels
constexpr double kPickRadius = 4;      ///< pixels, of a node that the descent picked
constexpr double kBulge = 0.16;        ///< of an arc, of its length
constexpr std::size_t kMostArcs = 400; ///< of a neuron, each way
constexpr double kWidestBundle = 7;
constexpr double kFaintestBundle = 0.25;
constexpr double kStrongestBundle = 0.9;
constexpr double kLeastLoop = 6;  ///< pixels, of a bundle inside a cell
constexpr double kBundleTime = 5; ///< ms of a frame that bundles may take; those that take longer come in the next

QString counted(std::size_t count)
{
  return formatNumber(static_cast<double>(count));
}

QPainterPath arcBetween(const QPointF& from, const QPointF& to)
{
  const QPointF way = to - from;
  const QPointF side(-way.y(), way.x());
  QPainterPath path(from);
  path.quadTo((from + to) / 2 + kBulge * side, to);
  return path;
}

} // namespace

OctreeOverlay::OctreeOverlay(const OctreeScene& shown, QWidget* parent) : QWidget(parent), scene(shown)
{
  setAttribute(Qt::WA_TransparentForMouseEvents);
}

void OctreeOverlay::setSynapses(std::shared_ptr<const SynapseLists> lists)
{
  synapses = std::move(lists);
  shownBundles.clear();
  paintedBundles = 0;
  update();
}

QString OctreeOverlay::nameOf(std::uint32_t neuron) const
{
  return naming ? naming(neuron) : counted(neuron);
}

void OctreeOverlay::setMarked(std::vector<std::uint32_t> neurons)
{
  if (std::exchange(ringed, std::move(neurons)) != ringed) {
    update();
  }
}

void OctreeOverlay::setBundles(std::vector<SynapseBundle> bundles)
{
  shownBundles = std::move(bundles);
  paintedBundles = 0;
  update();
}

QColor OctreeOverlay::outgoingColor()
{
  return categoryColor(2);
}

QColor OctreeOverlay::incomingColor()
{
  return categoryColor(6);
}

std::size_t OctreeOverlay::arcsOf(const synapse::Adjacency& list) const
{
  const std::uint32_t neuron = scene.search()->seeker;
  return std::min<std::size_t>(kMostArcs, list.offset[neuron + 1] - list.offset[neuron]);
}

std::size_t OctreeOverlay::arcs() const
{
  const bool shows = scene.search() && synapses && scene.look().synapses == SynapseLook::Selection;
  return shows ? arcsOf(synapses->outgoing) + arcsOf(synapses->incoming) : 0;
}

void OctreeOverlay::paintEvent(QPaintEvent*)
{
  if (!scene.formation()) {
    return;
  }
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (scene.look().synapses == SynapseLook::Bundles) {
    paintBundles(painter);
  }
  if (arcs() > 0) {
    paintArcs(painter);
  }
  if (scene.search()) {
    paintDescent(painter);
  }
  paintMarked(painter);
  paintNotes(painter);
}

void OctreeOverlay::paintArcs(QPainter& painter) const
{
  const std::uint32_t neuron = scene.search()->seeker;
  const QPointF here = scene.pixelOf(scene.worldOfNeuron(neuron));
  painter.setBrush(Qt::NoBrush);
  for (const bool isOutgoing : {false, true}) {
    const synapse::Adjacency& list = isOutgoing ? synapses->outgoing : synapses->incoming;
    const QColor color = isOutgoing ? outgoingColor() : incomingColor();
    for (std::size_t k = 0; k < arcsOf(list); ++k) {
      const std::size_t place = list.offset[neuron] + k;
      const QPointF there = scene.pixelOf(scene.worldOfNeuron(list.partner[place]));
      painter.setPen(QPen(color, 1 + std::min(4.0, 0.6 * std::abs(list.weight[place]))));
      painter.setBrush(Qt::NoBrush);
      painter.drawPath(isOutgoing ? arcBetween(here, there) : arcBetween(there, here));
      painter.setPen(Qt::NoPen);
      painter.setBrush(color);
      painter.drawEllipse(there, 3, 3);
    }
  }
}

void OctreeOverlay::paintBundles(QPainter& painter)
{
  if (shownBundles.empty()) {
    return;
  }
  addBundles(kBundleTime);
  painter.drawImage(0, 0, bundlePicture);
  if (paintedBundles < shownBundles.size()) {
    QMetaObject::invokeMethod(
        this, [this] { update(); }, Qt::QueuedConnection);
  }
}

void OctreeOverlay::finish()
{
  if (scene.formation() && scene.look().synapses == SynapseLook::Bundles) {
    addBundles(std::numeric_limits<double>::infinity());
  }
}

/// The strongest come first, and the fainter ones below them.
void OctreeOverlay::addBundles(double mostMilliseconds)
{
  const QSize pixels = size() * devicePixelRatioF();
  if (paintedBundles == 0 || bundlePicture.size() != pixels || bundleCamera != scene.camera()) {
    bundlePicture = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
    bundlePicture.setDevicePixelRatio(devicePixelRatioF());
    bundlePicture.fill(Qt::transparent);
    bundleCamera = scene.camera();
    paintedBundles = 0;
  }
  QPainter painter(&bundlePicture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setCompositionMode(QPainter::CompositionMode_DestinationOver);
  const Stopwatch stopwatch;
  while (paintedBundles < shownBundles.size() && stopwatch.elapsed() < mostMilliseconds) {
    addBundle(painter, shownBundles[paintedBundles++]);
  }
}

void OctreeOverlay::addBundle(QPainter& painter, const SynapseBundle& bundle) const
{
  const double share = static_cast<double>(bundle.count) / static_cast<double>(shownBundles.front().count);
  QColor color = mapColor(ColorMap::Viridis, share);
  color.setAlphaF(static_cast<float>(kFaintestBundle + (kStrongestBundle - kFaintestBundle) * share));
  painter.setPen(QPen(color, std::max(0.6, kWidestBundle * share), Qt::SolidLine, Qt::RoundCap));
  const QPointF from = scene.pixelOf(scene.world(bundle.source));
  const QPointF to = scene.pixelOf(scene.world(bundle.target));
  const bool isLoop = std::hypot(to.x() - from.x(), to.y() - from.y()) < kLeastLoop;
  if (isLoop) {
    painter.drawEllipse(from, kLeastLoop, kLeastLoop);
  } else {
    painter.drawPath(arcBetween(from, to));
  }
}

void OctreeOverlay::paintDescent(QPainter& painter) const
{
  const SearchPicture& search = *scene.search();
  const QPointF here = scene.pixelOf(scene.worldOfNeuron(search.seeker));
  QPolygonF way;
  way << here;
  for (const std::uint32_t node : search.descent) {
    way << scene.pixelOf(scene.worldOfNode(node));
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().canvas, 5));
  painter.drawPolyline(way);
  painter.setPen(QPen(theme().accent, 2.2));
  painter.drawPolyline(way);
  painter.setBrush(theme().accent);
  painter.setPen(QPen(theme().canvas, 1.5));
  for (qsizetype k = 1; k < way.size(); ++k) {
    const double radius = k + 1 == way.size() ? kMarkerRadius - 1 : kPickRadius;
    painter.drawEllipse(way[k], radius, radius);
  }
  paintRings(painter, {here}, kMarkerRadius);
}

void OctreeOverlay::paintMarked(QPainter& painter) const
{
  std::vector<QPointF> middles;
  for (const std::uint32_t neuron : ringed) {
    if (const Vec3 place = scene.worldOfNeuron(neuron); !scene.isCutAway(place)) {
      middles.push_back(scene.pixelOf(place));
    }
  }
  paintRings(painter, middles, kMarkerRadius);
}

std::vector<OctreeOverlay::Note> OctreeOverlay::searchNotes() const
{
  const SearchPicture& search = *scene.search();
  const std::uint32_t neuron = search.seeker;
  std::vector<Note> lines;
  lines.push_back({tr("Neuron %1: its search accepted %2 nodes").arg(nameOf(neuron), counted(search.accepted.size())),
                   theme().text});
  lines.push_back({search.descent.empty() ? tr("It found no target") : tr("Descent to its target"), theme().accent});
  if (scene.look().synapses == SynapseLook::Selection && synapses) {
    const auto& out = synapses->outgoing;
    const auto& in = synapses->incoming;
    lines.push_back({tr("Synapses to others: %1").arg(counted(degree(out, neuron))), outgoingColor()});
    lines.push_back({tr("Synapses from others: %1").arg(counted(degree(in, neuron))), incomingColor()});
  }
  return lines;
}

std::vector<OctreeOverlay::Note> OctreeOverlay::notes() const
{
  if (scene.search()) {
    return searchNotes();
  }
  std::vector<Note> lines;
  for (const DrawnLevel& level : scene.drawnLevels()) {
    const double edge = std::ldexp(scene.formation()->tree->edge, -level.level);
    const QString kind = tr("level %1, %2 wide").arg(QString::number(level.level), formatLength(edge));
    QString text =
        level.nodes == 1 ? tr("1 box of %1").arg(kind) : tr("%1 boxes of %2").arg(counted(level.nodes), kind);
    if (level.drawn < level.nodes) {
      text = tr("%1 of %2 boxes of %3: more could not be told apart")
                 .arg(counted(level.drawn), counted(level.nodes), kind);
    }
    lines.push_back({text, theme().secondaryText});
  }
  if (scene.look().synapses == SynapseLook::Bundles && !shownBundles.empty()) {
    lines.push_back({tr("The %1 largest bundles between boxes of level %2: of %3 (thin, dark) to %4 synapses (wide, "
                        "bright)")
                         .arg(counted(shownBundles.size()), QString::number(scene.look().bundleLevel),
                              counted(shownBundles.back().count), counted(shownBundles.front().count)),
                     theme().secondaryText});
  }
  return lines;
}

QRect OctreeOverlay::roomOfNotes() const
{
  const int right = beside && beside->isVisible() ? beside->x() : width();
  return {kMargin, kMargin, std::max(1, right - 2 * kMargin), height()};
}

std::vector<QRect> OctreeOverlay::placesOf(const std::vector<Note>& lines) const
{
  std::vector<QRect> places;
  QRect room = roomOfNotes();
  for (const Note& line : lines) {
    places.push_back(fontMetrics().boundingRect(room, kNoteFlags, line.text));
    room.moveTop(places.back().bottom() + kNoteGap);
  }
  return places;
}

int OctreeOverlay::endOfNotes() const
{
  const std::vector<QRect> places = placesOf(notes());
  return places.empty() ? roomOfNotes().top() : places.back().bottom() + kNoteGap;
}

bool OctreeOverlay::hasNotesIn(const QRect& area) const
{
  return std::ranges::any_of(placesOf(notes()), [&area](const QRect& place) { return place.intersects(area); });
}

QRect OctreeOverlay::areaOfNotes() const
{
  QRect area;
  for (const QRect& place : placesOf(notes()))
    area |= place;
  return area;
}

/// As many as the picture is high enough for.
void OctreeOverlay::paintNotes(QPainter& painter) const
{
  const std::vector<Note> lines = notes();
  const std::vector<QRect> places = placesOf(lines);
  for (std::size_t line = 0; line < lines.size() && places[line].bottom() < height(); ++line) {
    painter.setPen(lines[line].color);
    painter.drawText(QRect(places[line].topLeft(), roomOfNotes().size()), kNoteFlags, lines[line].text);
  }
}

void OctreeOverlay::keepBeside(QWidget* other)
{
  beside = other;
  other->installEventFilter(this);
}

bool OctreeOverlay::eventFilter(QObject* watched, QEvent* event)
{
  switch (event->type()) {
  case QEvent::Move:
  case QEvent::Resize:
  case QEvent::Show:
  case QEvent::Hide:
    update();
    break;
  default:
    break;
  }
  return QWidget::eventFilter(watched, event);
}

} // namespace hinesight::widgets
