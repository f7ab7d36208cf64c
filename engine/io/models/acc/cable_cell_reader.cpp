#include "io/models/acc/cable_cell.hpp"
#include "io/models/acc/cable_regions.hpp"
#include "io/models/acc/cable_tree.hpp"
#include "io/models/acc/s_expression.hpp"

#include "cell/mechanism.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "morphology/swc.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace hinesight::io {

namespace {

namespace fs = std::filesystem;
using cell::Biophysics;
using cell::NodeShare;
using cell::Region;
using detail::tidied;
using Kind = SExpression::Kind;

constexpr double kForever = 1e300; // ms

/// The only SWC file in the folder of another.
fs::path morphologyBeside(const fs::path& path)
{
  std::vector<fs::path> found;
  std::error_code failure;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure))
    if (entry->path().extension() == ".swc")
      found.push_back(entry->path());
  if (found.size() != 1)
    throw Error(
        ErrorCode::BadParameter,
        "has no morphology, and there " +
            (found.empty() ? std::string("is no SWC file") : "are " + std::to_string(found.size()) + " SWC files") +
            " beside it; say which is the cell's",
        path.string());
  return found.front();
}

class Reader
{
public:
  Reader(const fs::path& file, const CableCellOptions& wanted)
      : path(file.string()), options(wanted), root(parseSExpression(readFile(file), path))
  {}

  CableCell read()
  {
    findParts();
    for (const SExpression* entry : entriesOf(decor))
      readPolicy(*entry);
    makeForm();
    regions.emplace(tree, path);
    for (const SExpression* label : entriesOf(labels))
      regions->define(*label);
    setDefaults();
    for (const SExpression* entry : entriesOf(decor)) {
      if (entry->head() == "paint")
        paint(*entry);
      else if (entry->head() == "place")
        place(*entry);
    }
    finish();
    return std::move(made);
  }

private:
  [[noreturn]] void fail(const SExpression& at, const std::string& what) const
  {
    throw Error(ErrorCode::BadFormat, what, path, at.line);
  }
  void note(std::string sentence)
  {
    if (std::ranges::find(made.notes, sentence) == made.notes.end())
      made.notes.push_back(std::move(sentence));
  }

  double number(const SExpression& of, std::size_t argument) const
  {
    if (argument >= of.arguments() || of.argument(argument).kind != Kind::Number ||
        !std::isfinite(of.argument(argument).number))
      fail(of, "\"" + std::string(of.head()) + "\" has no number where one is needed");
    return of.argument(argument).number;
  }

  const std::string& text(const SExpression& of, std::size_t argument) const
  {
    if (argument >= of.arguments() || of.argument(argument).kind != Kind::Text)
      fail(of, "\"" + std::string(of.head()) + "\" has no text in quotes where one is needed");
    return of.argument(argument).text;
  }

  const SExpression& list(const SExpression& of, std::size_t argument) const
  {
    if (argument >= of.arguments() || !of.argument(argument).isList())
      fail(of, "\"" + std::string(of.head()) + "\" has no list where one is needed");
    return of.argument(argument);
  }

  // --- Parts of the file --------------------------------------------------------------------------------------------

  void findParts()
  {
    if (root.head() != "arbor-component")
      fail(root, "is no component of Arbor; it begins with \"" + std::string(root.head()) +
                     "\" where \"arbor-component\" is needed");
    for (std::size_t k = 0; k < root.arguments(); ++k) {
      const SExpression& part = root.argument(k);
      if (part.head() == "cable-cell")
        for (std::size_t i = 0; i < part.arguments(); ++i)
          takePart(part.argument(i));
      else
        takePart(part);
    }
    if (!labels && !decor && !form)
      fail(root, "has no cable-cell, decor, label-dict or morphology");
  }

  void takePart(const SExpression& part)
  {
    const std::string_view head = part.head();
    const SExpression** into = head == "label-dict"   ? &labels
                               : head == "decor"      ? &decor
                               : head == "morphology" ? &form
                                                      : nullptr;
    if (head == "meta-data")
      return;
    if (!into)
      fail(part, "\"" + std::string(head) + "\" is no part of a cell");
    if (*into)
      fail(part, "has two parts \"" + std::string(head) + "\"");
    *into = &part;
  }

  static std::vector<const SExpression*> entriesOf(const SExpression* part)
  {
    std::vector<const SExpression*> entries;
    for (std::size_t k = 0; part && k < part->arguments(); ++k)
      entries.push_back(&part->argument(k));
    return entries;
  }

  // --- The form -----------------------------------------------------------------------------------------------------

  /// `(default (cv-policy (max-extent L)))` says how long segments may be.
  void readPolicy(const SExpression& entry)
  {
    if (entry.head() != "default" || entry.arguments() != 1 || entry.argument(0).head() != "cv-policy")
      return;
    const SExpression& policy = list(entry.argument(0), 0);
    if (policy.head() != "max-extent" && policy.head() != "max-extent-per-branch") {
      note("The cv-policy \"" + std::string(policy.head()) +
           "\" has no effect; sections are cut into segments of at "
           "most " +
           textOf(longest()) + " µm.");
      return;
    }
    longestInFile = number(policy, 0);
    if (!(*longestInFile > 0))
      fail(policy, "has segments of at most " + textOf(*longestInFile) + " µm; above 0 are possible");
  }

  double longest() const { return longestInFile.value_or(options.longestSegment); }

  void makeForm()
  {
    made.model.name = fs::path(path).stem().string();
    if (!form) {
      const fs::path swc = options.morphology.empty() ? morphologyBeside(path) : options.morphology;
      made.model.cut = cell::cutIntoSections(*morphology::readSwc(swc.string()), {.longestSegment = longest()});
      tree = CableTree(made.model.cut);
      return;
    }
    tree = CableTree(segmentsOf(*form), startsOf());
    made.model.cut = cell::cutSections(tree.sections(), longest(), made.model.name);
  }

  cell::SectionPoint point(const SExpression& of, std::size_t argument) const
  {
    const SExpression& given = list(of, argument);
    if (given.head() != "point" || given.arguments() != 4)
      fail(given, "a segment has no point of x, y, z and radius");
    const cell::SectionPoint at{static_cast<float>(number(given, 0)), static_cast<float>(number(given, 1)),
                                static_cast<float>(number(given, 2)), static_cast<float>(2 * number(given, 3))};
    if (!(at.diameter > 0))
      fail(given, "a point has a radius of " + textOf(number(given, 3)) + " µm; it has to be above 0");
    return at;
  }

  std::int64_t whole(const SExpression& of, std::size_t argument) const
  {
    constexpr double kMost = 2e9;
    const double value = number(of, argument);
    if (value != std::floor(value) || std::abs(value) > kMost)
      fail(of, "\"" + std::string(of.head()) + "\" has a number that is not whole where one is needed");
    return static_cast<std::int64_t>(value);
  }

  /// Segments by their ids, as Arbor orders them.
  std::vector<CableSegment> segmentsOf(const SExpression& morphology) const
  {
    struct Given
    {
      CableSegment segment;
      std::int64_t id, parent;
      std::int64_t line;
    };
    std::vector<Given> given;
    std::map<std::int64_t, std::int64_t> lastOf; // segment of each branch
    for (std::size_t k = 0; k < morphology.arguments(); ++k) {
      const SExpression& branch = morphology.argument(k);
      if (branch.head() != "branch" || branch.arguments() < 3)
        fail(branch, "a morphology has branches of an id, a parent and segments");
      const std::int64_t id = whole(branch, 0), parent = whole(branch, 1);
      std::int64_t before = -1;
      if (parent != -1) {
        if (!lastOf.contains(parent))
          fail(branch, "the branch " + std::to_string(id) + " hangs on the branch " + std::to_string(parent) +
                           ", which does not come before it");
        before = lastOf.at(parent);
      }
      for (std::size_t i = 2; i < branch.arguments(); ++i) {
        const SExpression& segment = branch.argument(i);
        if (segment.head() != "segment" || segment.arguments() != 4)
          fail(segment, "a branch has segments of an id, two points and a tag");
        Given one{{}, whole(segment, 0), before, segment.line};
        one.segment.from = point(segment, 1);
        one.segment.to = point(segment, 2);
        one.segment.tag = static_cast<std::int32_t>(whole(segment, 3));
        before = one.id;
        given.push_back(std::move(one));
      }
      if (!lastOf.try_emplace(id, before).second)
        fail(branch, "there are two branches " + std::to_string(id));
    }
    if (given.empty())
      fail(morphology, "the morphology has no segment");
    std::ranges::stable_sort(given, {}, &Given::id);
    std::map<std::int64_t, std::int32_t> placeOf;
    std::vector<CableSegment> segments;
    for (Given& each : given) {
      if (each.parent >= 0) {
        if (!placeOf.contains(each.parent))
          throw Error(ErrorCode::BadFormat,
                      "the segment " + std::to_string(each.id) + " has an id below that of the one it hangs on", path,
                      each.line);
        each.segment.parent = placeOf.at(each.parent);
      }
      if (!placeOf.try_emplace(each.id, static_cast<std::int32_t>(segments.size())).second)
        throw Error(ErrorCode::BadFormat, "there are two segments " + std::to_string(each.id), path, each.line);
      segments.push_back(each.segment);
    }
    return segments;
  }

  /// What of our own files tells sections apart.
  std::vector<std::int32_t> startsOf() const
  {
    std::vector<std::int32_t> starts;
    const auto take = [&](const SExpression& segment) {
      if (segment.head() == "segment")
        starts.push_back(static_cast<std::int32_t>(whole(segment, 0)));
    };
    for (const SExpression* label : entriesOf(labels))
      if (label->arguments() == 2 && label->argument(0).text == detail::kStartsLabel) {
        take(label->argument(1));
        for (std::size_t k = 0; k < label->argument(1).arguments(); ++k)
          take(label->argument(1).argument(k));
      }
    return starts;
  }

  // --- Values of the cell -------------------------------------------------------------------------------------------

  void setDefaults()
  {
    // Those of Arbor where the file says nothing (its neuron_cable_properties).
    Region usual{.capacitance = 1, .resistivity = 35.4, .sodiumReversal = 50, .potassiumReversal = -77};
    Biophysics& biophysics = made.model.biophysics;
    biophysics.mechanisms = options.mechanisms;
    biophysics.celsius = tidied(279.45 - detail::kZeroCelsius);
    for (const SExpression* entry : entriesOf(decor)) {
      if (entry->head() == "paint" || entry->head() == "place")
        continue;
      if (entry->head() != "default")
        fail(*entry, "\"" + std::string(entry->head()) + "\" is no decoration; there are default, paint and place");
      setDefault(list(*entry, 0), usual);
    }
    for (const cell::Section& section : made.model.cut.sections)
      biophysics.regions[section.type] = usual;
  }

  void setDefault(const SExpression& property, Region& usual)
  {
    const std::string_view head = property.head();
    requirePlain(property);
    if (head == "membrane-potential")
      made.model.biophysics.startPotential = number(property, 0);
    else if (head == "temperature-kelvin")
      made.model.biophysics.celsius = tidied(number(property, 0) - detail::kZeroCelsius);
    else if (const auto value = valueOf(property))
      usual.*value->first = value->second;
    else if (head == "ion-reversal-potential-method")
      takeMethod(property);
    else if (!isKnownOfIons(property) && head != "cv-policy")
      fail(property, "the property \"" + std::string(head) + "\" is not known");
  }

  /// Values may be scaled over the cell; here they are not.
  void requirePlain(const SExpression& property) const
  {
    for (std::size_t k = 1; k < property.arguments(); ++k)
      if (property.argument(k).isList() && property.argument(k).head() != "mechanism") {
        const SExpression& scale = property.argument(k);
        if (scale.head() != "scalar" || number(scale, 0) != 1)
          fail(property, "\"" + std::string(property.head()) + "\" is scaled over the cell, which is not possible");
      }
  }

  /// A value of regions; none for another property.
  std::optional<std::pair<double Region::*, double>> valueOf(const SExpression& property) const
  {
    const std::string_view head = property.head();
    if (head == "membrane-capacitance")
      return std::pair(&Region::capacitance, tidied(number(property, 0) / detail::kFaradPerArea));
    if (head == "axial-resistivity")
      return std::pair(&Region::resistivity, number(property, 0));
    if (head == "ion-reversal-potential" && text(property, 0) == "na")
      return std::pair(&Region::sodiumReversal, number(property, 1));
    if (head == "ion-reversal-potential" && text(property, 0) == "k")
      return std::pair(&Region::potassiumReversal, number(property, 1));
    return std::nullopt;
  }

  void takeMethod(const SExpression& property)
  {
    const std::string& ion = text(property, 0);
    const std::string& method = text(list(property, 1), 0);
    if (ion != "ca" || method != "nernst/ca")
      fail(property, "the reversal potential of \"" + ion + "\" is of the method \"" + method +
                         "\"; that of ca is \"nernst/ca\", those of na and k are constant");
    isNernst = true;
  }

  /// Concentrations that are as here need no word; others are told.
  bool isKnownOfIons(const SExpression& property)
  {
    constexpr double kInside = 5e-5, kOutside = 2; // mM of calcium
    const std::string_view head = property.head();
    if (head == "ion-reversal-potential") {
      calciumReversal = text(property, 0) == "ca" ? std::optional(number(property, 1)) : calciumReversal;
      if (text(property, 0) != "ca")
        note("The reversal potential of \"" + text(property, 0) + "\" has no effect; nothing carries it.");
      return true;
    }
    if (head == "ion-internal-concentration" || head == "ion-external-concentration") {
      const bool isCalcium = text(property, 0) == "ca";
      const double usual = head == "ion-internal-concentration" ? kInside : kOutside;
      if (isCalcium && number(property, 1) != usual)
        note("\"" + std::string(head) + "\" of ca is " + textOf(number(property, 1)) + " mM and has no effect; it is " +
             textOf(usual) + " mM.");
      return true;
    }
    if (head == "ion-diffusivity") {
      note("\"ion-diffusivity\" has no effect; ions do not diffuse along a cell.");
      return true;
    }
    return false;
  }

  // --- Paint --------------------------------------------------------------------------------------------------------

  struct Painted
  {
    std::vector<std::int32_t> types; ///< those whose sections are in it as a whole
    std::vector<NodeShare> places;   ///< what else is in it
    std::vector<NodeShare> everything;
  };

  void paint(const SExpression& entry)
  {
    const SExpression& property = list(entry, 1);
    const Painted painted = nodesOf(regions->region(list(entry, 0)));
    const std::string_view head = property.head();
    if (head == "density" || head == "mechanism")
      return addDensity(head == "density" ? list(property, 0) : property, nullptr, painted);
    if (head == "scaled-mechanism")
      return addDensity(list(list(property, 0), 0), &property, painted);
    requirePlain(property);
    if (const auto value = valueOf(property)) {
      for (const std::int32_t type : painted.types)
        made.model.biophysics.regions[type].*value->first = value->second;
      if (!painted.places.empty())
        made.model.biophysics.painted.push_back({value->first, value->second, painted.places});
      return;
    }
    if (head == "membrane-potential" || head == "temperature-kelvin") {
      std::set<std::int32_t> types;
      for (const cell::Section& section : made.model.cut.sections)
        types.insert(section.type);
      if (painted.types.size() != types.size())
        fail(property, "\"" + std::string(head) + "\" is painted on a part of the cell; it is one for all of it");
      Region none;
      return setDefault(property, none);
    }
    if (head == "voltage-process")
      fail(property, "a voltage-process cannot be simulated");
    if (!isKnownOfIons(property))
      fail(property, "the property \"" + std::string(head) + "\" is not known");
  }

  /// The nodes of a region, each with its share.
  Painted nodesOf(const Cables& cables) const
  {
    const cell::CutCell& cut = made.model.cut;
    std::map<std::int32_t, std::vector<std::pair<double, double>>> parts; // of sections, µm
    for (const Cable& cable : cables) {
      const CableBranch& branch = tree.branches()[static_cast<std::size_t>(cable.branch)];
      for (const std::int32_t number : branch.segments) {
        const CableSegment& segment = tree.segments()[static_cast<std::size_t>(number)];
        const double from = std::max(cable.from * branch.length, segment.begin) - segment.begin;
        const double to = std::min(cable.to * branch.length, segment.begin + segment.length) - segment.begin;
        if (to > from)
          parts[segment.section].emplace_back(segment.sectionBegin + from, segment.sectionBegin + to);
      }
    }
    Painted painted;
    std::map<std::int32_t, std::pair<std::size_t, std::size_t>> wholeOf; // of each type: nodes in it, nodes
    std::vector<std::pair<std::int32_t, NodeShare>> found;
    for (std::size_t s = 0; s < cut.sections.size(); ++s) {
      const cell::Section& section = cut.sections[s];
      const double step = section.length / section.segments;
      for (std::int32_t k = 0; k < section.segments; ++k) {
        const double share = shareOf(section, parts[static_cast<std::int32_t>(s)], k * step, (k + 1) * step);
        auto& [in, all] = wholeOf[section.type];
        ++all;
        if (share == 1)
          ++in;
        if (share > 0)
          found.push_back({section.type, {section.firstNode + k, share}});
      }
    }
    for (const auto& [type, count] : wholeOf)
      if (count.first == count.second)
        painted.types.push_back(type);
    for (const auto& [type, share] : found) {
      painted.everything.push_back(share);
      if (std::ranges::find(painted.types, type) == painted.types.end())
        painted.places.push_back(share);
    }
    return painted;
  }

  /// By area.
  static double shareOf(const cell::Section& section, const std::vector<std::pair<double, double>>& parts, double from,
                        double to)
  {
    constexpr double kRounding = 1e-9;
    double covered = 0, area = 0;
    for (const auto& [low, high] : parts)
      if (const double a = std::max(low, from), b = std::min(high, to); b > a) {
        covered += b - a;
        area += areaBetween(section, a, b);
      }
    if (covered >= (to - from) * (1 - kRounding))
      return 1;
    const double share = area / areaBetween(section, from, to);
    return share < kRounding ? 0 : std::min(share, 1.0);
  }

  /// The place of a mechanism that Arbor's catalogues name, and values in its name: "default::pas/e=-65".
  std::int32_t mechanismOf(const SExpression& mechanism, std::map<std::string, double>& given) const
  {
    std::string name = text(mechanism, 0);
    std::string catalogue;
    if (const std::size_t end = name.find("::"); end != std::string::npos) {
      catalogue = name.substr(0, end);
      name = name.substr(end + 2);
    }
    if (const std::size_t slash = name.find('/'); slash != std::string::npos) {
      readValues(mechanism, name.substr(slash + 1), given);
      name.resize(slash);
    }
    for (std::size_t k = 1; k < mechanism.arguments(); ++k) {
      const SExpression& parameter = mechanism.argument(k);
      if (!parameter.isList() || parameter.items.size() != 2 || parameter.items[0].kind != Kind::Text ||
          parameter.items[1].kind != Kind::Number)
        fail(parameter, "a parameter of \"" + name + "\" is no name in quotes with a number");
      given[parameter.items[0].text] = parameter.items[1].number;
    }
    const std::int32_t place = options.mechanisms.find(name);
    if (place < 0)
      fail(mechanism, "the mechanism \"" + name + "\" is not known");
    // Its rates are those of 34 degrees, the other's those of the cell's temperature.
    constexpr double kWarm = 34;
    if ((catalogue == "bbp" || catalogue == "BBP") && name == "Im" && made.model.biophysics.celsius != kWarm)
      fail(mechanism, "the mechanism \"Im\" of the catalogue bbp is of 34 degrees Celsius, the cell of " +
                          textOf(made.model.biophysics.celsius) + "; that is not possible");
    return place;
  }

  void readValues(const SExpression& mechanism, const std::string& values, std::map<std::string, double>& given) const
  {
    for (std::size_t begin = 0; begin < values.size();) {
      const std::size_t end = std::min(values.find(',', begin), values.size());
      const std::string each = values.substr(begin, end - begin);
      const std::size_t equals = each.find('=');
      const auto value = equals == std::string::npos ? std::nullopt : numberOf<double>(each.substr(equals + 1));
      if (!value)
        fail(mechanism, "the name of a mechanism ends with \"" + each + "\"; NAME=NUMBER is possible");
      given[each.substr(0, equals)] = *value;
      begin = end + 1;
    }
  }

  void addDensity(const SExpression& expression, const SExpression* scaled, const Painted& on)
  {
    std::map<std::string, double> given;
    const std::int32_t place = mechanismOf(expression, given);
    const cell::Mechanism& mechanism = options.mechanisms[place];
    std::vector<double> parameters;
    for (const cell::MechanismParameter& parameter : mechanism.parameters)
      parameters.push_back(parameter.usual);
    std::set<std::size_t> isGiven;
    for (const auto& [name, value] : given) {
      const auto parameter = mechanism.parameterNamed(name);
      if (!parameter)
        fail(expression, "\"" + name + "\" is no parameter of " + mechanism.name);
      parameters[*parameter] = value;
      isGiven.insert(*parameter);
    }
    if (mechanism.channels.size() == 1 && !isGiven.contains(0) && !mechanism.channels[0].table)
      fail(expression, "the mechanism \"" + mechanism.name + "\" has no conductance; say its gbar");
    for (const cell::ChannelUse& channel : mechanism.channels)
      hasCalciumChannels = hasCalciumChannels || channel.carrier == cell::Carrier::Calcium;
    std::vector<cell::Density>& densities = made.model.biophysics.densities;
    if (scaled && scaled->arguments() > 1)
      return addScaled(*scaled, place, parameters, on);
    for (const std::int32_t type : on.types)
      densities.push_back({place, type, parameters});
    if (!on.places.empty())
      densities.push_back({place, cell::kPlaced, parameters, on.places});
  }

  /// Parameters that change over the cell: a density for each node, with their values in its middle.
  void addScaled(const SExpression& scaled, std::int32_t place, const std::vector<double>& usual, const Painted& on)
  {
    const cell::Mechanism& mechanism = options.mechanisms[place];
    std::vector<std::pair<std::size_t, std::function<double(const CableLocation&)>>> scales;
    for (std::size_t k = 1; k < scaled.arguments(); ++k) {
      const SExpression& each = scaled.argument(k);
      if (!each.isList() || each.items.size() != 2 || each.items[0].kind != Kind::Text)
        fail(each, "what scales a parameter is a name in quotes with an expression");
      const auto parameter = mechanism.parameterNamed(each.items[0].text);
      if (!parameter)
        fail(each, "\"" + each.items[0].text + "\" is no parameter of " + mechanism.name);
      scales.emplace_back(*parameter, regions->value(each.items[1]));
    }
    for (const NodeShare& node : on.everything) {
      std::vector<double> parameters = usual;
      const CableLocation middle = middleOf(node.node);
      for (const auto& [parameter, scale] : scales)
        parameters[parameter] *= scale(middle);
      made.model.biophysics.densities.push_back({place, cell::kPlaced, std::move(parameters), {node}});
    }
  }

  /// The middle of the segment of a node.
  CableLocation middleOf(std::int32_t node) const
  {
    const cell::CutCell& cut = made.model.cut;
    const std::int32_t number = cut.section[static_cast<std::size_t>(node)];
    const cell::Section& section = cut.sections[static_cast<std::size_t>(number)];
    const double along = (node - section.firstNode + 0.5) * section.length / section.segments;
    const CableSegment* found = nullptr;
    for (const CableSegment& segment : tree.segments())
      if (segment.section == number && (!found || segment.sectionBegin <= along))
        found = &segment;
    const CableBranch& branch = tree.branches()[static_cast<std::size_t>(found->branch)];
    return {found->branch, std::clamp((found->begin + along - found->sectionBegin) / branch.length, 0.0, 1.0)};
  }

  // --- Place --------------------------------------------------------------------------------------------------------

  void place(const SExpression& entry)
  {
    const SExpression& item = list(entry, 1);
    std::vector<std::int32_t> nodes;
    for (const CableLocation& location : regions->locations(list(entry, 0)))
      nodes.push_back(tree.nodeAt(made.model.cut, location));
    const std::string_view head = item.head();
    if (nodes.empty())
      note("\"" + std::string(head) + "\" on line " + std::to_string(entry.line) + " is placed nowhere.");
    if (head == "current-clamp")
      placeClamp(item, nodes);
    else if (head == "threshold-detector")
      for (const std::int32_t node : nodes)
        made.detectors.push_back({node, number(item, 0)});
    else if (head == "synapse" || head == "mechanism")
      placeSynapse(head == "synapse" ? list(item, 0) : item, nodes);
    else if (head == "junction")
      placeJunction(list(item, 0), nodes);
    else if (head == "gap-junction-site")
      note("A gap-junction-site has no conductance and no effect.");
    else
      fail(item, "\"" + std::string(head) +
                     "\" cannot be placed; there are current-clamp, threshold-detector, synapse "
                     "and junction");
  }

  /// Amplitudes at times, between which they change linearly; here they stay the same. The last stays for ever.
  void placeClamp(const SExpression& clamp, const std::vector<std::int32_t>& nodes)
  {
    const SExpression& envelope = list(clamp, 0);
    std::vector<std::pair<double, double>> points;
    if (envelope.head() == "envelope-pulse")
      points = {{number(envelope, 0), number(envelope, 2)},
                {number(envelope, 0) + number(envelope, 1), number(envelope, 2)},
                {number(envelope, 0) + number(envelope, 1), 0}};
    else if (envelope.head() == "envelope")
      for (std::size_t k = 0; k < envelope.arguments(); ++k) {
        const SExpression& point = envelope.argument(k);
        if (!point.isList() || point.items.size() != 2 || point.items[0].kind != Kind::Number ||
            point.items[1].kind != Kind::Number)
          fail(point, "an envelope has pairs of a time and an amplitude");
        points.emplace_back(point.items[0].number, point.items[1].number);
      }
    else
      fail(envelope, "a current-clamp has an envelope, or an envelope-pulse");
    const double frequency = clamp.arguments() > 1 ? number(clamp, 1) * detail::kHertz : 0;
    const double phase = clamp.arguments() > 2 ? number(clamp, 2) : 0;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const bool isLast = k + 1 == points.size();
      const double begin = points[k].first, end = isLast ? kForever : points[k + 1].first;
      if (end < begin)
        fail(envelope, "an envelope goes back in time");
      if (!isLast && end > begin && points[k + 1].second != points[k].second)
        fail(envelope, "an envelope rises or falls between " + textOf(begin) + " and " + textOf(end) +
                           " ms; amplitudes that stay the same can be simulated");
      if (points[k].second == 0 || end == begin)
        continue;
      for (const std::int32_t node : nodes)
        addCurrent(node, points[k].second, frequency, phase, begin, end - begin);
    }
  }

  /// The phase is that of time 0.
  void addCurrent(std::int32_t node, double amplitude, double frequency, double phase, double begin, double duration)
  {
    constexpr double kTwoPi = 6.283185307179586, kMilliseconds = 1000;
    if (frequency == 0)
      made.steps.push_back({node, amplitude, begin, duration});
    else
      made.sinusoids.push_back(
          {node, amplitude, frequency, phase + kTwoPi * frequency * begin / kMilliseconds, begin, duration});
  }

  void placeSynapse(const SExpression& mechanism, const std::vector<std::int32_t>& nodes)
  {
    std::map<std::string, double> given;
    for (std::size_t k = 1; k < mechanism.arguments(); ++k) {
      const SExpression& parameter = mechanism.argument(k);
      if (!parameter.isList() || parameter.items.size() != 2 || parameter.items[0].kind != Kind::Text ||
          parameter.items[1].kind != Kind::Number)
        fail(parameter, "a parameter of a synapse is no name in quotes with a number");
      given[parameter.items[0].text] = parameter.items[1].number;
    }
    const std::string name = plainName(text(mechanism, 0));
    const auto take = [&](const char* parameter, double otherwise) {
      const auto found = given.find(parameter);
      const double value = found == given.end() ? otherwise : found->second;
      given.erase(parameter);
      return value;
    };
    CableCell::Synapse synapse{};
    if (name == "expsyn")
      synapse = {0, 0, take("tau", 2), take("e", 0)};
    else if (name == "exp2syn")
      synapse = {0, take("tau1", 0.5), take("tau2", 2), take("e", 0)};
    else
      fail(mechanism, "the synapse \"" + name + "\" is not known; there are expsyn and exp2syn");
    if (!given.empty())
      fail(mechanism, "\"" + given.begin()->first + "\" is no parameter of " + name);
    if (!(synapse.tau1 >= 0 && synapse.tau2 > synapse.tau1))
      fail(mechanism, "a synapse rises more slowly than it falls; tau2 has to be above tau1");
    for (const std::int32_t node : nodes) {
      synapse.node = node;
      made.synapses.push_back(synapse);
    }
  }

  static std::string plainName(const std::string& name)
  {
    const std::size_t end = name.find("::");
    return end == std::string::npos ? name : name.substr(end + 2);
  }

  void placeJunction(const SExpression& mechanism, const std::vector<std::int32_t>& nodes)
  {
    if (plainName(text(mechanism, 0)) != "gj")
      fail(mechanism, "the junction \"" + text(mechanism, 0) + "\" is not known; there is gj");
    double conductance = 1;
    for (std::size_t k = 1; k < mechanism.arguments(); ++k) {
      const SExpression& parameter = mechanism.argument(k);
      if (!parameter.isList() || parameter.items.size() != 2 || parameter.items[0].text != "g" ||
          parameter.items[1].kind != Kind::Number)
        fail(parameter, "a junction has a \"g\" alone");
      conductance = parameter.items[1].number;
    }
    for (const std::int32_t node : nodes)
      made.junctions.push_back({node, conductance});
  }

  // --- The end ------------------------------------------------------------------------------------------------------

  void finish()
  {
    if (hasCalciumChannels && !isNernst)
      fail(root, "has calcium channels without the reversal potential method \"nernst/ca\"; a constant one" +
                     (calciumReversal ? " of " + textOf(*calciumReversal) + " mV" : std::string()) +
                     " is not possible");
    made.notes.insert(made.notes.end(), regions->notes().begin(), regions->notes().end());
    requireNoneTwice();
    if (const auto problem = cell::problemOf(made.model))
      throw Error(ErrorCode::BadFormat, *problem, path);
  }

  /// A value that is painted twice on a place has no meaning.
  void requireNoneTwice() const
  {
    constexpr double kRounding = 1e-6;
    std::vector<std::pair<double Region::*, std::map<std::int32_t, double>>> sums;
    for (const cell::PaintedValue& painted : made.model.biophysics.painted) {
      auto sum = std::ranges::find_if(sums, [&](const auto& each) { return each.first == painted.what; });
      if (sum == sums.end())
        sum = sums.insert(sums.end(), {painted.what, {}});
      for (const NodeShare& place : painted.places)
        if ((sum->second[place.node] += place.share) > 1 + kRounding)
          throw Error(ErrorCode::BadFormat,
                      "a value is painted twice on one place, where the node " + std::to_string(place.node) + " lies",
                      path);
    }
  }

  const std::string path;
  const CableCellOptions& options;
  const SExpression root;
  const SExpression *labels = nullptr, *decor = nullptr, *form = nullptr;
  std::optional<double> longestInFile;
  CableTree tree;
  std::optional<CableRegions> regions;
  CableCell made;
  bool isNernst = false, hasCalciumChannels = false;
  std::optional<double> calciumReversal;
};

} // namespace

double detail::tidied(double value)
{
  constexpr int kMost = 40;
  char text[kMost];
  const int length = std::snprintf(text, sizeof text, "%.14g", value);
  double rounded = value;
  std::from_chars(text, text + length, rounded);
  return rounded;
}

bool isCableCell(const fs::path& path)
{
  const std::string text = readFile(path);
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ';')
      at = std::min(text.find('\n', at), text.size());
    else if (text[at] != ' ' && text[at] != '\t' && text[at] != '\r' && text[at] != '\n')
      return text[at] == '(';
    else
      ++at;
  }
  return false;
}

CableCell readCableCell(const fs::path& path, const CableCellOptions& options)
{
  return Reader(path, options).read();
}

} // namespace hinesight::io
