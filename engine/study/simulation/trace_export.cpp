#include "study/simulation/trace_export.hpp"

#include "core/files.hpp"
#include "core/text.hpp"
#include "morphology/morphology.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <ostream>

namespace hinesight::study {

namespace {

constexpr std::int64_t kStepsBetweenLooks = 1 << 14;

/// Calls `row` with the time and the values of each step that any trace has, in their order.
template <typename Row>
void forSteps(const std::vector<NamedTrace>& traces, const RunControl& control, const Row& row)
{
  if (traces.empty())
    return;
  const double dt = traces.front().trace.timeStep();
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = 0;
  std::vector<std::vector<float>> values;
  for (const NamedTrace& each : traces) {
    first = std::min(first, each.trace.firstStep());
    end = std::max(end, each.trace.endStep());
    values.push_back(each.trace.values());
  }
  std::vector<double> ofStep(traces.size());
  for (std::int64_t step = first; step < end; ++step) {
    if ((step - first) % kStepsBetweenLooks == 0)
      control.report("export", static_cast<double>(step - first) / static_cast<double>(end - first));
    for (std::size_t k = 0; k < traces.size(); ++k) {
      const std::int64_t place = step - traces[k].trace.firstStep();
      const bool isThere = place >= 0 && place < static_cast<std::int64_t>(values[k].size());
      ofStep[k] = isThere ? static_cast<double>(values[k][static_cast<std::size_t>(place)])
                          : std::numeric_limits<double>::quiet_NaN();
    }
    row(static_cast<double>(step) * dt, ofStep);
  }
}

/// Within quotes as RFC 4180 says.
std::string quoted(const std::string& text)
{
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"')
      made += '"';
    made += c;
  }
  return made + '"';
}

/// Shortest that reads back to the same single number; times to the nanosecond.
void addNumber(std::string& line, double number)
{
  if (!std::isnan(number))
    appendText(line, static_cast<float>(number));
}

} // namespace

void writeTracesCsv(const std::vector<NamedTrace>& traces, const std::filesystem::path& path, const RunControl& control)
{
  writeFileAtomically(path, [&](std::ostream& stream) {
    stream << "time ms";
    for (const NamedTrace& each : traces)
      stream << ',' << quoted(each.name + " mV");
    stream << '\n';
    std::string line;
    forSteps(traces, control, [&](double time, const std::vector<double>& values) {
      char text[32];
      std::snprintf(text, sizeof text, "%.10g", time);
      line = text;
      for (const double value : values) {
        line += ',';
        addNumber(line, value);
      }
      line += '\n';
      stream << line;
    });
  });
}

void writeTracesNpy(const std::vector<NamedTrace>& traces, const std::filesystem::path& path, const RunControl& control)
{
  static_assert(std::endian::native == std::endian::little);
  constexpr std::size_t kAlignment = 64;
  std::uint64_t rows = 0;
  forSteps(traces, control, [&](double, const std::vector<double>&) { ++rows; });
  writeFileAtomically(path, [&](std::ostream& stream) {
    std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
                         std::to_string(traces.size() + 1) + "), }";
    constexpr std::size_t kBefore = 10; // magic, version, length
    header.append(kAlignment - (kBefore + header.size() + 1) % kAlignment, ' ');
    header += '\n';
    const auto length = static_cast<std::uint16_t>(header.size());
    stream.write("\x93NUMPY\x01\x00", 8);
    stream.write(reinterpret_cast<const char*>(&length), sizeof length);
    stream << header;
    forSteps(traces, control, [&](double time, const std::vector<double>& values) {
      stream.write(reinterpret_cast<const char*>(&time), sizeof time);
      stream.write(reinterpret_cast<const char*>(values.data()),
                   static_cast<std::streamsize>(sizeof(double) * values.size()));
    });
  });
}

void writeChangesCsv(const std::vector<LiveChange>& changes, const std::filesystem::path& path)
{
  writeFileAtomically(path, [&](std::ostream& stream) {
    stream << "time ms,change\n";
    LiveFactors before;
    for (const LiveChange& each : changes) {
      stream << textOf(each.time) << ',' << quoted(describeChange(before, each.factors)) << '\n';
      before = each.factors;
    }
  });
}

std::string placeName(const cell::CellModel& model, std::int32_t node)
{
  const cell::CutCell& cut = model.cut;
  const auto number = static_cast<std::size_t>(cut.section[static_cast<std::size_t>(node)]);
  const cell::Section& section = cut.sections[number];
  const auto nameOf = [](std::int32_t type) -> std::string {
    switch (type) {
    case morphology::kSoma:
      return "soma";
    case morphology::kAxon:
      return "axon";
    case morphology::kBasalDendrite:
      return "dend";
    case morphology::kApicalDendrite:
      return "apic";
    default:
      return "type" + std::to_string(type);
    }
  };
  if (section.type == morphology::kSoma)
    return "soma";
  const auto before = std::count_if(cut.sections.begin(), cut.sections.begin() + static_cast<std::ptrdiff_t>(number),
                                    [&](const cell::Section& other) { return other.type == section.type; });
  const std::int32_t segment = node - section.firstNode;
  const double position = segment >= section.segments ? 1 : (segment + 0.5) / section.segments;
  char text[64];
  std::snprintf(text, sizeof text, "[%td] at %.3g", before, position);
  return nameOf(section.type) + text;
}

} // namespace hinesight::study
