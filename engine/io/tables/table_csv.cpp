#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "io/tables/projection_export.hpp"

#include <array>
#include <charconv>

// A weight table as text: metadata as "# name: value" lines, a line that names the columns, then a line a row. Numbers
// are the shortest that read back to the same.

namespace hinesight::io::detail {

namespace {

constexpr std::string_view kTitle = "# hinesight weight table";
constexpr std::string_view kColumns = "pre,post,weight,delay";

template <typename Number>
void appendNumber(std::string& text, Number value, char end)
{
  appendText(text, value);
  text += end;
}

/// A value on a line of its own: line ends, which an expression may hold, become blanks.
std::string onOneLine(std::string text)
{
  for (char& c : text)
    if (c == '\n' || c == '\r')
      c = ' ';
  return text;
}

class CsvTableReader
{
public:
  CsvTableReader(const std::string& bytes, std::string file) : text(bytes), path(std::move(file)) {}

  std::shared_ptr<ImportedTable> read(const RunControl& control)
  {
    constexpr std::int64_t kLinesBetweenChecks = 1 << 16;
    constexpr std::size_t kLeastBytesOfRow = 7; // "0,0,0,0"
    readHead();
    const std::uint64_t rows = countOf(metadata, "rows", path);
    if (rows > text.size() / kLeastBytesOfRow)
      throw Error(ErrorCode::BadFormat, "is too short for the " + std::to_string(rows) + " rows that it claims", path);
    TableBuilder builder(path, countOf(metadata, "sources", path), countOf(metadata, "destinations", path), rows);
    while (nextLine()) {
      if (number % kLinesBetweenChecks == 0)
        control.report("read", static_cast<double>(at) / static_cast<double>(text.size()));
      if (line.empty())
        continue;
      const auto source = take<std::uint64_t>(',');
      const auto destination = take<std::uint64_t>(',');
      const auto weight = take<float>(',');
      const auto delay = take<float>('\n');
      builder.add(source, destination, weight, delay, number);
    }
    return builder.finish(std::move(metadata), control);
  }

private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(ErrorCode::BadFormat, what, path, number); }

  bool nextLine()
  {
    if (at >= text.size())
      return false;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    line = std::string_view(text).substr(at, end - at);
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    at = end + 1;
    ++number;
    return true;
  }

  void readHead()
  {
    if (!nextLine() || line != kTitle)
      fail("is no weight table of this program: its first line is not \"" + std::string(kTitle) + "\"");
    while (nextLine() && line.starts_with("# ")) {
      const std::size_t colon = line.find(": ");
      if (colon != std::string_view::npos)
        metadata.push_back({std::string(line.substr(2, colon - 2)), std::string(line.substr(colon + 2))});
    }
    if (line != kColumns)
      fail("does not name the columns \"" + std::string(kColumns) + "\"");
  }

  /// The next number of the line, and the separator behind it; '\n' for the last.
  template <typename Number>
  Number take(char separator)
  {
    Number value{};
    const auto [end, failure] = std::from_chars(line.data(), line.data() + line.size(), value);
    const auto used = static_cast<std::size_t>(end - line.data());
    const bool last = separator == '\n';
    if (failure != std::errc{} || (last ? used != line.size() : used == line.size() || *end != separator))
      fail("is no row of " + std::string(kColumns));
    line.remove_prefix(last ? used : used + 1);
    return value;
  }

  const std::string& text;
  std::string path;
  Metadata metadata;
  std::size_t at = 0;
  std::int64_t number = 0;
  std::string_view line;
};

} // namespace

void writeTableCsv(const TableSource& table, const std::filesystem::path& path, const RunControl& control)
{
  writeFileAtomically(path, [&](std::ostream& stream) {
    stream << kTitle << '\n';
    for (const auto& [name, value] : metadataOf(table))
      stream << "# " << name << ": " << onOneLine(value) << '\n';
    stream << "# units: pre and post are indices from 0, weight as the kernel gives it, delay in ms\n"
           << kColumns << '\n';
    writeRows(table, stream, control,
              [&](const projection::TableSlab& slab, std::uint64_t begin, std::uint64_t end, std::string& text) {
                forRows(slab, begin, end, [&](std::uint64_t row, std::uint64_t source) {
                  appendNumber(text, source, ',');
                  appendNumber(text, slab.destination[row], ',');
                  appendNumber(text, slab.weight[row], ',');
                  appendNumber(text, slab.delay.empty() ? slab.constantDelay : slab.delay[row], '\n');
                });
              });
  });
}

std::shared_ptr<ImportedTable> readTableCsv(const std::filesystem::path& path, const RunControl& control)
{
  const std::string text = readFile(path);
  return CsvTableReader(text, path.string()).read(control);
}

} // namespace hinesight::io::detail
