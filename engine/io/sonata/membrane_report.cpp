#include "io/sonata/membrane_report.hpp"

#include "core/files.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/row_file.hpp"
#include "io/sonata/sonata_parts.hpp"

#include <algorithm>

namespace hinesight::io {

namespace {

/// Where the columns of a report begin in the file.
struct ReportRoom
{
  std::uint64_t data, node, firstElement, section, position, time;
};

std::uint64_t framesOf(const MembraneReport& report)
{
  return report.values.empty() ? 0 : report.values.front().size();
}

ReportRoom layOut(Hdf5Layout& layout, const MembraneReport& report)
{
  const std::string group = "/report/" + report.population;
  const std::string mapping = group + "/mapping";
  layout.addGroup(mapping);
  ReportRoom room{};
  room.data = layout.addMatrix(group + "/data", StoredNumber::Float64, framesOf(report), report.values.size());
  layout.addAttribute(group + "/data", "units", report.unit, StoredText::Variable);
  layout.addAttribute(group + "/data", "variable", report.variable, StoredText::Variable);
  room.node = layout.addColumn(mapping + "/node_ids", StoredNumber::UInt64, report.node.size());
  room.firstElement = layout.addColumn(mapping + "/index_pointers", StoredNumber::UInt64, report.firstElement.size());
  layout.addHardLink(mapping + "/index_pointers", mapping + "/index_pointer"); // as BMTK has it
  room.section = layout.addColumn(mapping + "/element_ids", StoredNumber::UInt32, report.section.size());
  room.position = layout.addColumn(mapping + "/element_pos", StoredNumber::Float64, report.position.size());
  room.time = layout.addColumn(mapping + "/time", StoredNumber::Float64, 3);
  layout.addAttribute(mapping + "/time", "units", "ms", StoredText::Variable);
  return room;
}

template <typename Value>
void writeAll(const RowFile& file, std::uint64_t at, const std::vector<Value>& values)
{
  file.write(at, values.data(), values.size() * sizeof(Value));
}

void write(const RowFile& file, const MembraneReport& report, const ReportRoom& room, const RunControl& control)
{
  constexpr std::uint64_t kValuesOfPiece = std::uint64_t{1} << 20;
  writeAll(file, room.node, report.node);
  writeAll(file, room.firstElement, report.firstElement);
  writeAll(file, room.section, report.section);
  writeAll(file, room.position, report.position);
  writeAll(file, room.time, std::vector<double>{report.start, report.stop, report.timeStep});
  const std::uint64_t frames = framesOf(report), elements = report.values.size();
  if (elements == 0)
    return;
  const std::uint64_t framesOfPiece = std::max<std::uint64_t>(1, kValuesOfPiece / elements);
  std::vector<double> piece;
  for (std::uint64_t begin = 0; begin < frames; begin += framesOfPiece) {
    control.report("export", static_cast<double>(begin) / static_cast<double>(frames));
    const std::uint64_t end = std::min(frames, begin + framesOfPiece);
    piece.clear();
    for (std::uint64_t frame = begin; frame < end; ++frame)
      for (const std::span<const double> values : report.values)
        piece.push_back(values[frame]);
    file.write(room.data + begin * elements * sizeof(double), piece.data(), piece.size() * sizeof(double));
  }
}

} // namespace

void writeMembraneReports(std::span<const MembraneReport> reports, const std::filesystem::path& path,
                          const RunControl& control)
{
  replaceFileAtomically(path, [&](const std::filesystem::path& temporary) {
    std::vector<ReportRoom> rooms;
    {
      Hdf5Layout layout(temporary, path.string());
      detail::addSonataRoot(layout);
      for (const MembraneReport& report : reports)
        rooms.push_back(layOut(layout, report));
      layout.close();
    }
    const RowFile file(temporary, path.string());
    for (std::size_t k = 0; k < reports.size(); ++k)
      write(file, reports[k], rooms[k], control);
  });
}

} // namespace hinesight::io
