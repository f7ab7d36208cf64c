#pragma once

#include "core/fields.hpp"
#include "widgets/orbit/orbit_camera.hpp"
#include "widgets/synapse/octree_content.hpp"

#include <QColor>
#include <QPointF>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class vtkRenderer;

namespace hinesight::widgets {

struct DrawnArea;

enum class NeuronLook
{
  Type,    ///< population of a circuit; of other neurons, excitatory or inhibitory
  Vacancy, ///< sought elements that no synapse took
  Hidden
};

inline constexpr Choice kNeuronLooks[] = {
    {"type", "By type", "The population of a circuit; of other neurons, excitatory or inhibitory."},
    {"vacancy", "By vacancy", "Elements that sought a partner and found none."},
    {"hidden", "Hidden", "Boxes only."},
};
inline std::span<const Choice> tableOf(NeuronLook)
{
  return kNeuronLooks;
}

enum class CutAxis
{
  None,
  X,
  Y,
  Z
};

inline constexpr Choice kCutAxes[] = {
    {"none", "None", "Everything is drawn."},
    {"x", "Across x", "What lies beyond the plane in x is not drawn."},
    {"y", "Across y", "What lies beyond the plane in y is not drawn."},
    {"z", "Across z", "What lies beyond the plane in z is not drawn."},
};
inline std::span<const Choice> tableOf(CutAxis)
{
  return kCutAxes;
}

enum class SynapseLook
{
  None,
  Selection, ///< those of the selected neuron
  Bundles    ///< all, joined by the cells of a level
};

inline constexpr Choice kSynapseLooks[] = {
    {"none", "None", "No synapses."},
    {"selection", "Of selection", "Arcs to and from the selected neuron."},
    {"bundles", "Bundles", "All, joined by boxes of the octree; width and colour by their number."},
};
inline std::span<const Choice> tableOf(SynapseLook)
{
  return kSynapseLooks;
}

/// What of a formation is drawn; visitFields has ranges.
struct OctreeLook
{
  int deepest = 3; ///< level of the smallest boxes drawn, 0 (the whole box) to synapse::kDeepestLevel
  int levels = 1;  ///< that are drawn: deepest, deepest - 1, ...
  NeuronLook neurons = NeuronLook::Type;
  CutAxis cut = CutAxis::None;
  double cutShare = 0.5; ///< of the box along that axis: what lies beyond is not drawn
  SynapseLook synapses = SynapseLook::Selection;
  int bundleLevel = 2; ///< of the cells that bundles join

  bool operator==(const OctreeLook&) const = default;
};

template <typename Visitor>
void visitFields(OctreeLook& p, Visitor&& visit)
{
  constexpr double kMostBundleLevel = 5;
  visit(Field{.name = "depth",
              .label = "Depth",
              .range = from(0, synapse::kDeepestLevel),
              .slider = {0, 12},
              .help = "Level of the smallest boxes drawn.",
              .detail = "The edge of a box of level l is that of the whole box divided by 2^l.",
              .section = {"Picture", "What is drawn; changes form no synapses."},
              .concern = Concern::Picture},
        p.deepest);
  visit(Field{.name = "levels",
              .label = "Levels",
              .range = from(0, synapse::kDeepestLevel + 1),
              .slider = {0, 6},
              .help = "How many levels of boxes are drawn, from that one upward.",
              .detail = "A box with more vacant elements is drawn stronger.",
              .concern = Concern::Picture},
        p.levels);
  visit(Field{.name = "neuron-look",
              .label = "Neurons",
              .help = "What neurons are coloured by.",
              .concern = Concern::Picture},
        p.neurons);
  visit(Field{.name = "clip",
              .label = "Clip plane",
              .help = "Leaves out what lies beyond a plane across an axis.",
              .concern = Concern::Picture},
        p.cut);
  visit(Field{.name = "clip-at",
              .label = "Clip at",
              .range = from(0, 1),
              .help = "Where the plane is, as a share of the box.",
              .concern = Concern::Picture}
            .onlyWhen(p.cut != CutAxis::None),
        p.cutShare);
  visit(Field{.name = "synapse-look",
              .label = "Synapses",
              .help = "Which synapses are drawn.",
              .concern = Concern::Picture},
        p.synapses);
  visit(Field{.name = "bundle-level",
              .label = "Bundle level",
              .range = from(1, kMostBundleLevel),
              .help = "Level of the cells that bundles join.",
              .concern = Concern::Picture}
            .onlyWhen(p.synapses == SynapseLook::Bundles),
        p.bundleLevel);
}

/// The colour of a population by its name; not valid: it has none.
using PopulationColors = std::function<QColor(const std::string& population)>;

/// Neurons of one colour: a population of a circuit; of other neurons, excitatory or inhibitory ones.
struct OctreeGroup
{
  std::string name;
  QColor color;
  bool hasNeurons = false;

  bool operator==(const OctreeGroup&) const = default;
};

/// How groups of neurons are told apart, by their places in OctreeScene::groups.
struct OctreeGroupLook
{
  std::vector<bool> isHidden;        ///< of each; empty: none is
  std::vector<std::size_t> standOut; ///< the others are dim; empty: all are alike

  bool hides(std::size_t group) const { return group < isHidden.size() && isHidden[group]; }
  bool operator==(const OctreeGroupLook&) const = default;
};

/// How many boxes of a level are drawn, and how many there are.
struct DrawnLevel
{
  int level = 0;
  std::size_t drawn = 0;
  std::size_t nodes = 0;
};

/// What a selected neuron's search saw.
struct SearchPicture
{
  std::uint32_t seeker = 0;
  std::vector<synapse::AcceptedNode> accepted; ///< from the root
  std::vector<std::uint32_t> descent;          ///< nodes that it picked, the last a leaf; empty: it found nothing
};

/// What the octree view draws: boxes of the tree, neurons as small spheres, and what the search of one of them saw.
/// Knows nothing of widgets and gestures. Scene units are um, the middle of the box is the origin.
class OctreeScene
{
public:
  /// Adds its actors to the renderer, which must outlive it.
  explicit OctreeScene(vtkRenderer& renderer);
  ~OctreeScene();
  OctreeScene(const OctreeScene&) = delete;
  OctreeScene& operator=(const OctreeScene&) = delete;

  /// Forgets the search. `populations`: of a circuit that the neurons are of; null: of none. Returns whether the
  /// neurons are others than before.
  bool setContent(const OctreeContent& content, PopulationColors populations = {});
  const synapse::Formation* formation() const { return shown.get(); }
  void setLook(const OctreeLook& look);
  const OctreeLook& look() const { return drawnLook; }
  const std::vector<OctreeGroup>& groups() const { return grouped; }
  void setGroupLook(const OctreeGroupLook& look);
  const OctreeGroupLook& groupLook() const { return lookOfGroups; }
  /// These are not drawn, beside those of a hidden group. Returns whether others were before.
  bool setHidden(const std::vector<std::uint32_t>& neurons);
  bool isHidden(std::uint32_t neuron) const;
  /// None: nothing is selected.
  void setSearch(std::optional<SearchPicture> search);
  const std::optional<SearchPicture>& search() const { return selected; }
  /// Fewer neurons, for a slow device while the camera moves.
  void setCoarse(bool coarse);
  /// Colours everything by the current theme.
  void repaint();
  /// Whether populations have other colours than before, by which their neurons are painted then.
  bool recolor();
  /// Many neurons get to the device, and get new colours, over several frames: whether some have yet to. Until they are
  /// there for the first time, fewer stand in for them.
  bool isPainting() const;
  /// Lets the next frame have more of them.
  void paintMore();
  void paintAll();

  const std::vector<DrawnLevel>& drawnLevels() const { return levels; }
  double highestProbability() const { return highest; }   ///< of an accepted node; 0 where nothing is selected
  std::uint32_t mostVacant() const { return left->most; } ///< elements of a neuron that no synapse took
  static QColor typeColor(bool isInhibitory);

  OrbitCamera& camera() { return eye; }
  const OrbitCamera& camera() const { return eye; }
  void fit();
  void applyCamera(vtkRenderer& renderer) const;
  /// Rendered pixels a logical pixel: neurons look as large on every screen and in every quality.
  void setPixelRatio(double ratio);
  Vec3 world(const synapse::Position& position) const;
  Vec3 worldOfNeuron(std::uint32_t neuron) const;
  /// The middle of the vacant elements of a node, or its neuron.
  Vec3 worldOfNode(std::uint32_t node) const;
  QPointF pixelOf(const Vec3& point) const;
  /// What surrounds the box of the tree in the picture, pixels.
  QRectF pictureOfBox() const;
  bool isCutAway(const Vec3& point) const;
  /// The neuron that is drawn nearest to a pixel, within a few; the foremost of several.
  std::optional<std::uint32_t> neuronAt(const QPointF& pixel) const;
  /// Those that are drawn in an area, ascending, whatever is in front of them.
  std::vector<std::uint32_t> neuronsIn(const DrawnArea& area) const;

private:
  class Actors;

  void regroup();
  std::size_t groupOf(std::uint32_t neuron) const;
  void paintNeurons();
  void drawBoxes();
  void drawSearch();
  void applyCut();
  std::uint64_t soughtIn(std::uint32_t node) const;
  bool hidesGroup() const;
  bool showsNeurons() const { return drawnLook.neurons != NeuronLook::Hidden; }

  std::unique_ptr<Actors> actors;
  OrbitCamera eye;
  std::shared_ptr<const synapse::Formation> shown;
  std::shared_ptr<const NeuronCloud> cloud;
  std::shared_ptr<const VacancyLeft> left;
  std::optional<SearchPicture> selected;
  OctreeLook drawnLook;
  PopulationColors populationColor; ///< null: neurons are of no circuit
  std::vector<OctreeGroup> grouped;
  OctreeGroupLook lookOfGroups;
  std::shared_ptr<const std::vector<bool>> hidden; ///< per neuron; null: none
  std::vector<DrawnLevel> levels;
  double highest = 0;
};

} // namespace hinesight::widgets
