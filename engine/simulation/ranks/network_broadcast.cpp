#include "simulation/ranks/network_broadcast.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// What is made of lists of different lengths goes as one list of bytes: a function for each type, which says its
// members once, writes or reads them. All ranks are of one program, so that numbers go as they lie in memory.

namespace hinesight::simulation {

namespace {

template <typename T>
inline constexpr bool kIsPlain = std::is_trivially_copyable_v<T>;

class Writer
{
public:
  template <typename T>
  void plain(const T* values, std::size_t count)
  {
    const auto* const first = reinterpret_cast<const std::byte*>(values);
    bytes.insert(bytes.end(), first, first + count * sizeof(T));
  }
  template <typename List>
  void resize(const List& list)
  {
    const std::uint64_t count = list.size();
    plain(&count, 1);
  }

  std::vector<std::byte> bytes;
};

class Reader
{
public:
  explicit Reader(const std::vector<std::byte>& from) : bytes(from) {}

  template <typename T>
  void plain(T* values, std::size_t count)
  {
    if (count * sizeof(T) > bytes.size() - next)
      throw std::runtime_error("a network came that is too short");
    if (count > 0)
      std::memcpy(static_cast<void*>(values), bytes.data() + next, count * sizeof(T));
    next += count * sizeof(T);
  }
  template <typename List>
  void resize(List& list)
  {
    std::uint64_t count = 0;
    plain(&count, 1);
    list.resize(count);
  }

private:
  const std::vector<std::byte>& bytes;
  std::size_t next = 0;
};

template <typename Archive, typename T>
void item(Archive& archive, T& value);

template <typename Archive, typename... Items>
void items(Archive& archive, Items&... each)
{
  (item(archive, each), ...);
}

/// A list, or a text.
template <typename Archive, typename List>
void list(Archive& archive, List& values)
{
  archive.resize(values);
  if constexpr (kIsPlain<typename std::remove_const_t<List>::value_type>)
    archive.plain(values.data(), values.size());
  else
    for (auto& each : values)
      item(archive, each);
}

/// Something that several may own, or nobody; a reader gets one of its own.
template <typename T>
void pointer(Writer& archive, const std::shared_ptr<const T>& value)
{
  const bool isThere = value != nullptr;
  archive.plain(&isThere, 1);
  if (isThere)
    item(archive, *value);
}
template <typename T>
void pointer(Reader& archive, std::shared_ptr<const T>& value)
{
  bool isThere = false;
  archive.plain(&isThere, 1);
  if (!isThere)
    return;
  auto made = std::make_shared<T>();
  item(archive, *made);
  value = std::move(made);
}

template <typename T, typename Of>
inline constexpr bool kIs = std::is_same_v<std::remove_const_t<T>, Of>;

template <typename T>
struct IsVector : std::false_type
{};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type
{};
template <typename T>
struct IsPointer : std::false_type
{};
template <typename T>
struct IsPointer<std::shared_ptr<const T>> : std::true_type
{};

void regions(Writer& archive, const std::map<std::int32_t, cell::Region>& all)
{
  archive.resize(all);
  for (const auto& [type, region] : all)
    items(archive, type, region);
}
void regions(Reader& archive, std::map<std::int32_t, cell::Region>& all)
{
  std::vector<std::pair<std::int32_t, cell::Region>> read;
  archive.resize(read);
  for (auto& [type, region] : read)
    items(archive, type, region);
  all = {read.begin(), read.end()};
}

void catalogue(Writer& archive, const cell::MechanismCatalogue& mechanisms)
{
  list(archive, mechanisms.own());
}
void catalogue(Reader& archive, cell::MechanismCatalogue& mechanisms)
{
  cell::MechanismTables own;
  list(archive, own);
  mechanisms = std::move(own);
}

/// Members are taken apart by their structs, so that a new one is not forgotten.
template <typename Archive, typename T>
void item(Archive& archive, T& value)
{
  if constexpr (kIsPlain<T>) {
    archive.plain(&value, 1);
  } else if constexpr (kIs<T, std::string> || IsVector<std::remove_const_t<T>>::value) {
    list(archive, value);
  } else if constexpr (IsPointer<std::remove_const_t<T>>::value) {
    pointer(archive, value);
  } else if constexpr (kIs<T, cell::Section>) {
    auto& [type, parent, parentPosition, points, length, segments, firstNode] = value;
    items(archive, type, parent, parentPosition, length, segments, firstNode);
  } else if constexpr (kIs<T, cell::CutCell>) {
    auto& [sections, parent, area, resistance, section, longestSegment] = value;
    items(archive, sections, parent, area, resistance, section, longestSegment);
  } else if constexpr (kIs<T, cell::Density>) {
    auto& [mechanism, type, parameters, places] = value;
    items(archive, mechanism, type, parameters, places);
  } else if constexpr (kIs<T, cell::PaintedValue>) {
    auto& [what, number, places] = value;
    items(archive, what, number, places);
  } else if constexpr (kIs<T, cell::ChannelTable>) {
    auto& [gates, names, parameters, usesCalcium] = value;
    items(archive, gates, names, parameters, usesCalcium);
  } else if constexpr (kIs<T, cell::ChannelUse>) {
    auto& [kind, carrier, reversal, table] = value;
    items(archive, kind, carrier, reversal, table);
  } else if constexpr (kIs<T, cell::MechanismParameter>) {
    auto& [name, unit, usual, range] = value;
    items(archive, name, unit, usual, range);
  } else if constexpr (kIs<T, cell::Mechanism>) {
    auto& [name, title, channels, parameters, source] = value;
    items(archive, name, title, channels, parameters, source);
  } else if constexpr (kIs<T, cell::Biophysics>) {
    auto& [celsius, startPotential, junctionPotential, byType, densities, painted, mechanisms] = value;
    items(archive, celsius, startPotential, junctionPotential, densities, painted);
    regions(archive, byType);
    catalogue(archive, mechanisms);
  } else if constexpr (kIs<T, cell::CellModel>) {
    auto& [name, cut, biophysics] = value;
    items(archive, name, cut, biophysics);
  } else {
    static_assert(kIs<T, VoltageClamp>);
    auto& [cell, node, levels, seriesResistance, delay] = value;
    items(archive, cell, node, levels, seriesResistance, delay);
  }
}

} // namespace

Network broadcastNetwork(Communicator& ranks, const Network* whole)
{
  static const Network none;
  const Network& from = whole ? *whole : none;
  Network network;
  Writer writer;
  together(ranks, [&] {
    if (whole)
      items(writer, from.models, from.trains, from.clamps);
  });
  const std::vector<std::byte> bytes = ranks.broadcastFrom(0, std::span<const std::byte>(writer.bytes));
  together(ranks, [&] {
    if (whole)
      return;
    Reader reader(bytes);
    items(reader, network.models, network.trains, network.clamps);
  });
  const auto broadcast = [&ranks]<typename T>(const std::vector<T>& list) {
    return ranks.broadcastFrom(0, std::span<const T>(list));
  };
  network.modelOf = broadcast(from.modelOf);
  network.detectors = broadcast(from.detectors);
  network.synapses = broadcast(from.synapses);
  network.pointNeurons = broadcast(from.pointNeurons);
  network.poisson = broadcast(from.poisson);
  network.steps = broadcast(from.steps);
  network.sinusoids = broadcast(from.sinusoids);
  network.noises = broadcast(from.noises);
  network.junctions = broadcast(from.junctions);
  network.probes = broadcast(from.probes);
  return network;
}

} // namespace hinesight::simulation
