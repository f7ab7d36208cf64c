#pragma once

#include "cell/cell_model.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::io {

/// A cell of Arbor with what is placed on it ("Arbor Cable Cell", ACC; Arbor documentation).
struct CableCell
{
  struct Step
  {
    std::int32_t node;
    double amplitude; ///< nA
    double delay;     ///< ms
    double duration;

    bool operator==(const Step&) const = default;
  };
  /// amplitude sin(2 pi frequency (t - delay) + phase).
  struct Sinusoid
  {
    std::int32_t node;
    double amplitude; ///< nA
    double frequency; ///< Hz
    double phase;     ///< rad
    double delay;     ///< ms
    double duration;

    bool operator==(const Sinusoid&) const = default;
  };
  struct Detector
  {
    std::int32_t node;
    double threshold; ///< mV

    bool operator==(const Detector&) const = default;
  };
  /// expsyn (tau1 is 0) or exp2syn, without a source.
  struct Synapse
  {
    std::int32_t node;
    double tau1, tau2; ///< ms
    double reversal;   ///< mV

    bool operator==(const Synapse&) const = default;
  };
  /// One side of a gap junction, without the other.
  struct Junction
  {
    std::int32_t node;
    double conductance; ///< uS

    bool operator==(const Junction&) const = default;
  };

  cell::CellModel model;
  std::vector<Step> steps;
  std::vector<Sinusoid> sinusoids;
  std::vector<Detector> detectors;
  std::vector<Synapse> synapses;
  std::vector<Junction> junctions;
  std::vector<std::string> notes; ///< what of the file is not honoured or was chosen, one sentence each
};

struct CableCellOptions
{
  double longestSegment = 40;          ///< µm, unless the file has a policy of that kind
  cell::MechanismCatalogue mechanisms; ///< by whose names the file's are known
  std::filesystem::path morphology;    ///< an SWC file, of a file that has none; empty: the only one beside it
};

/// Whether a file is one of Arbor's components: it begins with a parenthesis. Throws as readFile.
bool isCableCell(const std::filesystem::path& path);

/// Reads a component: a cable cell, or a decoration or labels whose morphology lies beside it. Throws as readFile and
/// readSwc, Error(BadFormat) with the line: what is not known, or cannot be simulated.
CableCell readCableCell(const std::filesystem::path& path, const CableCellOptions& options = {});

/// A component of labels, decoration and morphology, which reads back as the same cell, on the same nodes.
std::string cableCellText(const CableCell& cell);
/// Throws Error(WriteFailed).
void writeCableCell(const CableCell& cell, const std::filesystem::path& path);

namespace detail {

/// The label of segments that begin a section where nothing else says so.
inline constexpr std::string_view kStartsLabel = "section-starts";

/// A number to fourteen digits: what a change of units and back leaves.
double tidied(double value);

constexpr double kFaradPerArea = 0.01;  // F/m2 of 1 uF/cm2
constexpr double kZeroCelsius = 273.15; // K
constexpr double kHertz = 1000;         // of 1 kHz

} // namespace detail

} // namespace hinesight::io
