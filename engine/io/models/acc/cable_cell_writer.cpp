#include "io/models/acc/cable_cell.hpp"
#include "io/models/acc/cable_regions.hpp"
#include "io/models/acc/cable_tree.hpp"

#include "cell/mechanism.hpp"
#include "core/files.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <ostream>
#include <set>
#include <utility>

namespace hinesight::io {

namespace {

using cell::NodeShare;
using cell::Region;

class Writer
{
public:
  explicit Writer(const CableCell& given) : cable(given), model(given.model), tree(model.cut)
  {
    for (const cell::Section& section : model.cut.sections)
      types.insert(section.type);
  }

  std::string write()
  {
    text = "(arbor-component\n  (meta-data (version \"0.9-dev\"))\n  (cable-cell\n";
    writeLabels();
    text += "    (decor\n";
    writeDefaults();
    writeRegions();
    for (const cell::Density& density : model.biophysics.densities)
      writeDensity(density);
    writePlaced();
    text.back() = ')'; // the last line's end
    text += '\n';
    writeMorphology();
    text += "))\n";
    return std::move(text);
  }

private:
  void line(const std::string& expression) { text += "      " + expression + "\n"; }

  static std::string tag(std::int32_t type) { return "(tag " + std::to_string(type) + ")"; }

  void writeLabels()
  {
    text += "    (label-dict";
    for (const std::int32_t type : types)
      text += "\n      (region-def \"" + morphology::typeName(type) + "\" " + tag(type) + ")";
    const auto& starts = tree.unmarkedStarts();
    std::string segments;
    for (const std::int32_t segment : starts)
      segments += " (segment " + std::to_string(segment) + ")";
    if (starts.size() == 1)
      text += "\n      (region-def \"" + std::string(detail::kStartsLabel) + "\"" + segments + ")";
    else if (!starts.empty())
      text += "\n      (region-def \"" + std::string(detail::kStartsLabel) + "\" (join" + segments + "))";
    text += ")\n";
  }

  void writeDefaults()
  {
    const cell::Biophysics& biophysics = model.biophysics;
    line("(default (membrane-potential " + textOf(biophysics.startPotential) + "))");
    line("(default (temperature-kelvin " + textOf(detail::tidied(biophysics.celsius + detail::kZeroCelsius)) + "))");
    line("(default (ion-internal-concentration \"ca\" 5e-05))");
    line("(default (ion-external-concentration \"ca\" 2))");
    line("(default (ion-reversal-potential-method \"ca\" (mechanism \"nernst/ca\")))");
    line("(default (cv-policy (max-extent " + textOf(model.cut.longestSegment) + ")))");
  }

  void writeRegions()
  {
    for (const std::int32_t type : types) {
      const Region& region = model.biophysics.regionOf(type);
      for (const auto what :
           {&Region::capacitance, &Region::resistivity, &Region::sodiumReversal, &Region::potassiumReversal})
        line("(paint " + tag(type) + " " + valueText(what, region.*what) + ")");
    }
    for (const cell::PaintedValue& painted : model.biophysics.painted)
      if (!painted.places.empty())
        line("(paint " + regionText(painted.places) + " " + valueText(painted.what, painted.value) + ")");
  }

  static std::string valueText(double Region::*what, double value)
  {
    if (what == &Region::capacitance)
      return "(membrane-capacitance " + textOf(detail::tidied(value * detail::kFaradPerArea)) + ")";
    if (what == &Region::resistivity)
      return "(axial-resistivity " + textOf(value) + ")";
    return std::string("(ion-reversal-potential \"") + (what == &Region::sodiumReversal ? "na" : "k") + "\" " +
           textOf(value) + ")";
  }

  void writeDensity(const cell::Density& density)
  {
    const bool isPlaced = density.type == cell::kPlaced;
    if (isPlaced ? density.places.empty() : !types.contains(density.type))
      return; // it is nowhere
    const cell::Mechanism& mechanism = model.biophysics.mechanisms[density.mechanism];
    std::string name = mechanism.name, values;
    for (std::size_t k = 0; k < mechanism.parameters.size(); ++k) {
      const cell::MechanismParameter& parameter = mechanism.parameters[k];
      // Arbor has one reversal potential for all that is of a name.
      if (density.mechanism == cell::kPassive && parameter.name == "e")
        name += "/e=" + textOf(density.parameters[k]);
      else if (k < std::max<std::size_t>(1, mechanism.channels.size()) || density.parameters[k] != parameter.usual)
        values += " (\"" + parameter.name + "\" " + textOf(density.parameters[k]) + ")";
    }
    line("(paint " + (isPlaced ? regionText(density.places) : tag(density.type)) + " (density (mechanism \"" + name +
         "\"" + values + ")))");
  }

  // --- Places -------------------------------------------------------------------------------------------------------

  /// Cables of nodes; of a part of one, from its start on as far as its area goes.
  std::string regionText(const std::vector<NodeShare>& places) const
  {
    Cables cables;
    for (const NodeShare& place : places) {
      const std::int32_t number = model.cut.section[static_cast<std::size_t>(place.node)];
      const cell::Section& section = model.cut.sections[static_cast<std::size_t>(number)];
      const std::int32_t k = place.node - section.firstNode;
      const double step = section.length / section.segments;
      const double end = place.share == 1 ? (k + 1) * step : endOfShare(section, k * step, (k + 1) * step, place.share);
      addCables(number, k * step, end, cables);
    }
    cables = merged(std::move(cables));
    std::string joined;
    for (const Cable& each : cables)
      joined += (joined.empty() ? "" : " ") + ("(cable " + std::to_string(each.branch) + " " + textOf(each.from)) +
                " " + textOf(each.to) + ")";
    return cables.size() == 1 ? joined : "(join " + joined + ")";
  }

  /// Where a share of the area between two places ends.
  static double endOfShare(const cell::Section& section, double from, double to, double share)
  {
    const double wanted = share * areaBetween(section, from, to);
    double low = from, high = to;
    constexpr int kHalvings = 60;
    for (int k = 0; k < kHalvings; ++k) {
      const double middle = (low + high) / 2;
      (areaBetween(section, from, middle) < wanted ? low : high) = middle;
    }
    return high;
  }

  void addCables(std::int32_t section, double from, double to, Cables& cables) const
  {
    constexpr double kRounding = 1e-12; // of a branch
    for (const CableSegment& segment : tree.segments()) {
      if (segment.section != section)
        continue;
      const double low = std::max(from, segment.sectionBegin);
      const double high = std::min(to, segment.sectionBegin + segment.length);
      if (!(high > low))
        continue;
      const double length = tree.branches()[static_cast<std::size_t>(segment.branch)].length;
      const auto position = [&](double along) {
        const double at = (segment.begin + along - segment.sectionBegin) / length;
        return at < kRounding ? 0.0 : at > 1 - kRounding ? 1.0 : at;
      };
      cables.push_back({segment.branch, position(low), position(high)});
    }
  }

  /// The middle of a node's segment; of a node without membrane the end of its section.
  std::string locationText(std::int32_t node) const
  {
    const std::int32_t number = model.cut.section[static_cast<std::size_t>(node)];
    const cell::Section& section = model.cut.sections[static_cast<std::size_t>(number)];
    if (node < section.firstNode)
      return "(root)";
    const std::int32_t k = node - section.firstNode;
    const double along = k < section.segments ? (k + 0.5) * section.length / section.segments : section.length;
    const CableSegment* found = nullptr;
    for (const CableSegment& segment : tree.segments())
      if (segment.section == number && (!found || segment.sectionBegin < along))
        found = &segment;
    const double length = tree.branches()[static_cast<std::size_t>(found->branch)].length;
    const double position = (found->begin + along - found->sectionBegin) / length;
    return "(location " + std::to_string(found->branch) + " " + textOf(std::clamp(position, 0.0, 1.0)) + ")";
  }

  void place(std::int32_t node, const std::string& what, const char* name, std::size_t number)
  {
    line("(place " + locationText(node) + " " + what + " \"" + name + "_" + std::to_string(number) + "\")");
  }

  static std::string envelope(double amplitude, double delay, double duration)
  {
    constexpr double kForever = 1e30; // ms
    const std::string begin = "(" + textOf(delay) + " " + textOf(amplitude) + ")";
    if (duration >= kForever)
      return "(envelope " + begin + ")";
    const std::string end = textOf(delay + duration);
    return "(envelope " + begin + " (" + end + " " + textOf(amplitude) + ") (" + end + " 0))";
  }

  void writePlaced()
  {
    constexpr double kTwoPi = 6.283185307179586, kMilliseconds = 1000;
    std::size_t number = 0;
    for (const CableCell::Step& step : cable.steps)
      place(step.node, "(current-clamp " + envelope(step.amplitude, step.delay, step.duration) + " 0 0)", "step",
            number++);
    number = 0;
    for (const CableCell::Sinusoid& each : cable.sinusoids)
      place(each.node,
            "(current-clamp " + envelope(each.amplitude, each.delay, each.duration) + " " +
                textOf(each.frequency / detail::kHertz) + " " +
                textOf(each.phase - kTwoPi * each.frequency * each.delay / kMilliseconds) + ")",
            "sinusoid", number++);
    number = 0;
    for (const CableCell::Detector& detector : cable.detectors)
      place(detector.node, "(threshold-detector " + textOf(detector.threshold) + ")", "detector", number++);
    number = 0;
    for (const CableCell::Synapse& synapse : cable.synapses)
      place(synapse.node,
            synapse.tau1 == 0 ? "(synapse (mechanism \"expsyn\" (\"tau\" " + textOf(synapse.tau2) + ") (\"e\" " +
                                    textOf(synapse.reversal) + ")))"
                              : "(synapse (mechanism \"exp2syn\" (\"tau1\" " + textOf(synapse.tau1) + ") (\"tau2\" " +
                                    textOf(synapse.tau2) + ") (\"e\" " + textOf(synapse.reversal) + ")))",
            "synapse", number++);
    number = 0;
    for (const CableCell::Junction& junction : cable.junctions)
      place(junction.node, "(junction (mechanism \"gj\" (\"g\" " + textOf(junction.conductance) + ")))", "junction",
            number++);
  }

  // --- Form ---------------------------------------------------------------------------------------------------------

  static std::string pointText(const cell::SectionPoint& point)
  {
    return "(point " + textOf(point.x) + " " + textOf(point.y) + " " + textOf(point.z) + " " +
           textOf(point.diameter / 2) + ")";
  }

  void writeMorphology()
  {
    text += "    (morphology";
    for (std::size_t b = 0; b < tree.branches().size(); ++b) {
      const CableBranch& branch = tree.branches()[b];
      text += "\n      (branch " + std::to_string(b) + " " + std::to_string(branch.parent);
      for (const std::int32_t number : branch.segments) {
        const CableSegment& segment = tree.segments()[static_cast<std::size_t>(number)];
        text += "\n        (segment " + std::to_string(number) + " " + pointText(segment.from) + " " +
                pointText(segment.to) + " " + std::to_string(segment.tag) + ")";
      }
      text += ")";
    }
    text += ")";
  }

  const CableCell& cable;
  const cell::CellModel& model;
  const CableTree tree;
  std::set<std::int32_t> types;
  std::string text;
};

} // namespace

std::string cableCellText(const CableCell& cell)
{
  return Writer(cell).write();
}

void writeCableCell(const CableCell& cell, const std::filesystem::path& path)
{
  const std::string text = cableCellText(cell);
  writeFileAtomically(path, [&](std::ostream& stream) { stream << text; });
}

} // namespace hinesight::io
