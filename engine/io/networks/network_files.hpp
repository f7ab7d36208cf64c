#pragma once

#include "core/run_control.hpp"
#include "io/networks/neuron_files.hpp"
#include "io/networks/stored_network.hpp"
#include "synapse/formation/formation.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// Networks in files, and populations that are written, by the ending of the name:
//   .txt     RELeARN's positions file or network file (io/networks/relearn_files.hpp), also packed, .txt.gz; a folder:
//            the files of its ranks
//   .h5      SONATA nodes and edges
//   .csv     a line a neuron or synapse
// Files are written to a temporary one that is renamed when it is complete.

namespace hinesight::io {

/// A format of networks, as a person chooses it.
struct NetworkFormat
{
  std::string_view name;   ///< "SONATA"
  std::string_view ending; ///< ".h5"
  bool hasNeurons;         ///< a file of synapses has their neurons too
};

/// In the order in which they are offered.
std::vector<NetworkFormat> networkFormats();

/// ".csv, .h5, .txt or a folder": what these functions know.
std::string networkEndings();

/// What a file is, by its ending and how it begins.
enum class NetworkContent
{
  Other, ///< also what cannot be read: that is said where it is read
  Network,
  Neurons,
  NetworkOrTable ///< edges of other programs: synapses, or weights of a table
};

/// Takes as long as opening the file takes.
NetworkContent networkContent(const std::filesystem::path& path);

/// Throws Error(BadParameter) unless the path has one of these endings, or is a folder or ends in '/'. For the
/// beginning of long work whose result goes there.
void requireNetworkEnding(const std::filesystem::path& path);

/// Throws as requireNetworkEnding and readFile, Error(BadFormat) with what is wrong where, Error(OutOfMemory),
/// Error(Cancelled).
StoredNetwork readNetwork(const std::filesystem::path& path, const RunControl& control = {});
/// Where the format holds nodes (.h5), the population is written besides. .csv and .h5 name the parameters that network
/// and population were made with. Throws Error(BadParameter) where the two have
/// different numbers of neurons, Error(WriteFailed), Error(Cancelled).
void writeNetwork(const StoredNetwork& network, const synapse::NeuronPopulation& population,
                  const std::filesystem::path& path, const RunControl& control = {});

/// Throws Error(BadParameter) for a name of an area that the format cannot hold, Error(WriteFailed), Error(Cancelled).
void writeNeuronPopulation(const synapse::NeuronPopulation& population, const std::filesystem::path& path,
                           const RunControl& control = {});

/// What a SONATA file holds, by its groups and attributes: nothing of the columns is read.
struct SonataContent
{
  bool hasNeurons = false;
  bool canBeNetwork = false; ///< of synapses between neurons of one population
  bool canBeTable = false;   ///< of weights; edges that somebody else wrote may be either, where delays and neurons
                             ///< are there too; where they can be no network, it says what a table lacks
};

/// Throws as Hdf5Reader.
SonataContent sonataContent(const std::filesystem::path& path);

namespace detail {

/// The first line of a text that is no comment, without blanks around it; empty: none begins in the first 64 KiB, or
/// the file cannot be read.
std::string firstRow(const std::filesystem::path& path);

NetworkContent contentOfCsv(const std::filesystem::path& path);
StoredNetwork readNetworkCsv(const std::filesystem::path& path, const RunControl& control);
void writeNetworkCsv(const StoredNetwork& network, const synapse::NeuronPopulation& population,
                     const std::filesystem::path& path, const RunControl& control);
/// The columns by which our own files of neurons are known, and their rows.
inline constexpr std::string_view kNeuronColumns = "x,y,z,type,area";
synapse::NeuronPopulation parseNeuronsCsv(const std::string& text, const std::string& file, const RunControl& control);
void writeNeuronsCsv(const synapse::NeuronPopulation& population, const std::filesystem::path& path,
                     const RunControl& control);

NetworkContent contentOfRelearn(const std::filesystem::path& path);

NetworkContent contentOfSonata(const std::filesystem::path& path);
StoredNetwork readNetworkSonata(const std::filesystem::path& path, const RunControl& control);
void writeNetworkSonata(const StoredNetwork& network, const synapse::NeuronPopulation& population,
                        const std::filesystem::path& path, const RunControl& control);
/// `nodes`: the population; empty: the only one.
synapse::NeuronPopulation readNeuronsSonata(const std::filesystem::path& path, const std::string& nodes,
                                            const RunControl& control);
void writeNeuronsSonata(const synapse::NeuronPopulation& population, const std::filesystem::path& path,
                        const RunControl& control);

/// The parameters that a network of that population is made with.
std::vector<Setting> settingsOf(const StoredNetwork& network, const synapse::NeuronPopulation& population);

/// The index of an area's name, which is added where it is new.
class AreaNames
{
public:
  std::uint32_t indexOf(std::string_view name);
  std::vector<std::string> take() { return std::move(names); }

private:
  std::vector<std::string> names;
  std::map<std::string, std::uint32_t, std::less<>> indices; ///< of the names: a file may have one for each neuron
  std::uint32_t last = 0; ///< the one asked for last: neurons of an area mostly follow each other
};

} // namespace detail

} // namespace hinesight::io
