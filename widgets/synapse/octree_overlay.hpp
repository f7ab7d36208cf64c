#pragma once

#include "widgets/synapse/octree_scene.hpp"
#include "widgets/synapse/synapse_figures.hpp"

#include <QImage>
#include <QString>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace hinesight::widgets {

/// What is painted over the octree: the selected neuron, the descent of its search, its synapses
/// as arcs, or bundles of all; other neurons that are marked; and what of it was left out. Takes no mouse events.
class OctreeOverlay : public QWidget
{
  Q_OBJECT

public:
  OctreeOverlay(const OctreeScene& scene, QWidget* parent);

  /// The notes end at the left of it, a sibling at the right.
  void keepBeside(QWidget* other);
  /// Below the last of the notes, which stand at the top.
  int endOfNotes() const;
  /// Whether any stands in it.
  bool hasNotesIn(const QRect& area) const;
  /// Around all of them.
  QRect areaOfNotes() const;
  void setSynapses(std::shared_ptr<const SynapseLists> lists);
  /// What neurons are called, by their numbers in the formation; empty: by these.
  void setNaming(std::function<QString(std::uint32_t)> names) { naming = std::move(names); }
  QString nameOf(std::uint32_t neuron) const;
  /// Neurons beside the selected one, which get rings.
  void setMarked(std::vector<std::uint32_t> neurons);
  const std::vector<std::uint32_t>& marked() const { return ringed; }
  void setBundles(std::vector<SynapseBundle> bundles);
  const std::vector<SynapseBundle>& bundles() const { return shownBundles; }
  /// Paints all bundles now; else the largest come first, and the others over the next frames.
  void finish();
  /// How many arcs are painted of the selected neuron's synapses.
  std::size_t arcs() const;
  static QColor outgoingColor();
  static QColor incomingColor();

protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void paintArcs(QPainter& painter) const;
  void paintBundles(QPainter& painter);
  void addBundles(double mostMilliseconds);
  void addBundle(QPainter& painter, const SynapseBundle& bundle) const;
  void paintDescent(QPainter& painter) const;
  void paintMarked(QPainter& painter) const;
  void paintNotes(QPainter& painter) const;
  /// A sentence, with the colour of what it speaks of; none: the text's.
  struct Note
  {
    QString text;
    QColor color;
  };
  std::vector<Note> notes() const;
  QRect roomOfNotes() const;
  /// One per note. Some may be below the picture.
  std::vector<QRect> placesOf(const std::vector<Note>& lines) const;
  std::vector<Note> searchNotes() const;
  std::size_t arcsOf(const synapse::Adjacency& list) const;

  const OctreeScene& scene;
  const QWidget* beside = nullptr;
  std::shared_ptr<const SynapseLists> synapses;
  std::function<QString(std::uint32_t)> naming;
  std::vector<std::uint32_t> ringed;
  std::vector<SynapseBundle> shownBundles;

  // The picture of the bundles as one camera sees them.
  QImage bundlePicture;
  std::size_t paintedBundles = 0; ///< the largest so many are in it
  OrbitCamera bundleCamera;
};

} // namespace hinesight::widgets
