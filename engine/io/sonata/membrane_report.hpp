#pragma once

#include "core/run_control.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace hinesight::io {

/// What was recorded of a population of nodes: an element is a place on a node.
struct MembraneReport
{
  std::string population;
  std::string variable;                        ///< "v"
  std::string unit;                            ///< "mV"
  double timeStep = 0;                         ///< ms; frame i is of the time start + (i + 1) timeStep
  double stop = 0;                             ///< ms
  std::vector<std::uint64_t> node;             ///< ids
  std::vector<std::uint64_t> firstElement;     ///< of each node, and of none
  std::vector<std::uint32_t> section;          ///< of each element
  std::vector<double> position;                ///< of each element, on its section
  std::vector<std::span<const double>> values; ///< of each element: a value a frame
  double start = 0;                            ///< ms
};

/// A SONATA file of /report/POPULATION of each (SONATA Developer Guide, "Frame-oriented node element recording").
/// Throws Error(WriteFailed), Error(Cancelled).
void writeMembraneReports(std::span<const MembraneReport> reports, const std::filesystem::path& path,
                          const RunControl& control = {});

} // namespace hinesight::io
