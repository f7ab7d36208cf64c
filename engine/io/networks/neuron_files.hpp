#pragma once

#include "core/run_control.hpp"
#include "projection/populations/population.hpp"

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

// Neurons and their positions from files, the same for every command and page. What a file is, its ending says where it
// is SONATA (.h5), and its rows say where it is text, whatever it is called and packed (.gz) or not:
//   "x,y,z,type,area"       our own CSV file of neurons (writeNeuronPopulation)
//   id x y z area ex|in     RELeARN's positions; a folder holds those of its ranks
//   anything else           x, y and, optional, z of a neuron a line, apart by commas, semicolons, tabs or blanks; '#'
//                           begins a comment, and a first line may name the columns: then x, y and z are taken, else
//                           the first two or three
// SWC files and networks, whose rows would pass for positions, are refused.

namespace hinesight::synapse {
struct NeuronPopulation;
}

namespace hinesight::io {

/// A file of neurons, and which of its populations where it is a SONATA file; empty: the only one.
struct NeuronFile
{
  std::string path;
  std::string population;
};

/// Of "FILE" or "FILE.h5:POPULATION".
NeuronFile parseNeuronFile(const std::string& text);

/// What may be given: ".txt, .csv, .h5 or a folder", in words.
std::string neuronFileHelp();

/// Whether a path is that of a SONATA file (".h5").
bool isSonataFile(const std::filesystem::path& path);

/// Neurons with finite positions; where the file has no types and areas, all are excitatory, of the area "random".
/// Throws as readFile, Error(BadFormat) with what is wrong where, Error(OutOfMemory), Error(Cancelled).
synapse::NeuronPopulation readNeuronPopulation(const NeuronFile& file, const RunControl& control = {});
synapse::NeuronPopulation readNeuronPopulation(const std::filesystem::path& path, const RunControl& control = {});

/// The positions alone, x, y and z of each. Throws as readNeuronPopulation.
std::array<std::vector<double>, 3> readPositions(const NeuronFile& file, const RunControl& control = {});

/// What is lost where the neurons of a file are read alone, such as "only its neurons are read; its 12 connections and
/// their weights are not"; empty: nothing. Throws as readFile, Error(BadFormat).
std::string leftBehind(const NeuronFile& file);

/// The names of the populations of nodes of a SONATA file, in alphabetical order; at least one. Throws as readFile,
/// Error(BadFormat).
std::vector<std::string> sonataPopulations(const std::filesystem::path& path);

/// A population of any kind whose neurons can be made or read; `nodes`: the population of a SONATA file. Throws as
/// projection::makePopulation and readPositions.
std::shared_ptr<const projection::Population> makePopulation(const projection::PopulationParameters& parameters,
                                                             const std::string& nodes, const RunControl& control = {});

} // namespace hinesight::io
