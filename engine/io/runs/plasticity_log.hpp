#pragma once

#include "synapse/plasticity/plasticity.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

namespace hinesight::io {

/// A CSV file that grows while a model runs: a head (logHead), then rows whose first column is the step. Every function
/// throws Error(WriteFailed).
class StepLog
{
public:
  /// Begins a file anew.
  StepLog(const std::filesystem::path& path, std::string_view head);
  /// Goes on with a file after `step`: what it holds of later steps, and a last row that is not whole, is cut off; the
  /// head that it has stays, without parameters in files of earlier versions. Where there is no file one is begun.
  /// Throws Error(BadFormat) where the file has other columns.
  StepLog(const std::filesystem::path& path, std::string_view head, std::uint32_t step);

  void write(std::string_view rows);
  /// Hands everything to the system: then it is in the file even if the program is killed.
  void flush();
  /// Returns when everything is on the disk: then it is in the file even after a power cut.
  void flushToDisk();

private:
  void open(std::ios::openmode mode);
  void requireGood() const;

  std::filesystem::path path;
  std::ofstream stream;
};

/// Writes a checkpoint of a model whose rows up to its step were written to these logs. They are on the disk before the
/// checkpoint is: a run that goes on from it begins behind them and would not write them again. Throws as StepLog and
/// synapse::writeCheckpoint.
void writeCheckpoint(const synapse::PlasticityModel& model, const std::filesystem::path& path,
                     std::span<StepLog* const> logs);

/// What such a file begins with, no line end behind it: comments "# parameter NAME=TEXT" of all that the growth depends
/// on (the model's parameters, its seed, how its neurons were placed or which file they are from), then the columns.
/// `network`: what the model began with, by name; empty: no synapses, or a checkpoint.
std::string logHead(const synapse::PlasticityModel& model, std::string_view columns, const std::string& network);

/// Columns and rows of records: step, neurons that fired, calcium, elements, synapses.
std::string_view recordColumns();
std::string recordRow(const synapse::StepRecord& record);

/// Columns and rows of single neurons: step, neuron, enabled, fired, membrane, recovery, calcium, target, elements.
std::string_view neuronColumns();
std::string neuronRows(std::uint32_t step, const synapse::NeuronState& state, std::span<const std::uint32_t> neurons);

/// Columns and rows of areas: step, area, neurons that are enabled, fired, mean calcium, elements.
std::string_view areaColumns();
std::string areaRows(std::uint32_t step, const synapse::NeuronState& state,
                     const synapse::NeuronPopulation& population);

} // namespace hinesight::io
