#include "io/networks/bare_positions.hpp"

#include "core/error.hpp"
#include "io/text_lines.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace hinesight::io::detail {

namespace {

constexpr const char* kAxisNames[] = {"x", "y", "z"};

/// The fields of a line: apart by commas, semicolons or tabs where there are some, else by blanks.
std::vector<std::string_view> splitFields(std::string_view line)
{
  const auto trim = [](std::string_view field) {
    const std::size_t begin = field.find_first_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view()
                                           : field.substr(begin, field.find_last_not_of(" \t\r") + 1 - begin);
  };
  const char* const separators = line.find_first_of(",;") != std::string_view::npos ? ",;" : " \t";
  const bool blanks = separators[0] == ' ';
  std::vector<std::string_view> fields;
  line = trim(line);
  while (true) {
    const std::size_t end = line.find_first_of(separators);
    fields.push_back(trim(line.substr(0, end)));
    if (end == std::string_view::npos)
      return fields;
    line = blanks ? trim(line.substr(end)) : line.substr(end + 1);
  }
}

bool parseNumber(std::string_view text, double& value)
{
  if (!text.empty() && text.front() == '+')
    text.remove_prefix(1);
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
}

/// Tells the rows of an SWC file, "id type x y z radius parent", from those of positions: every row has whole numbers
/// where it has them, and a root has the parent -1.
class SwcLook
{
public:
  void take(const std::vector<std::string_view>& fields)
  {
    constexpr std::size_t kParent = 6;
    std::int64_t id = 0, type = 0, parent = 0;
    isAlike = isAlike && fields.size() > kParent && parseWhole(fields[0], id) && parseWhole(fields[1], type) &&
              parseWhole(fields[kParent], parent);
    hasRoot = hasRoot || parent == -1;
  }

  bool isSwc() const { return isAlike && hasRoot; }

private:
  bool isAlike = true; ///< all rows so far
  bool hasRoot = false;
};

class PositionReader
{
public:
  explicit PositionReader(std::string path) : file(std::move(path)) {}

  void addLine(std::string_view text, std::int64_t number)
  {
    if (text.find_first_not_of(" \t\r") == std::string_view::npos || text[text.find_first_not_of(" \t")] == '#')
      return;
    const std::vector<std::string_view> fields = splitFields(text);
    if (first && takeHeader(fields, number))
      return;
    first = false;
    if (!hasHeader)
      swc.take(fields);
    if (fields.size() < needed || (columns == 0 && fields.size() < 2))
      fail("has " + std::to_string(fields.size()) + " fields where x and y are needed", number);
    if (columns == 0) {
      columns = fields.size() >= 3 ? 3 : 2;
      needed = columns;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double value = 0;
      if (axis < columns && !parseNumber(fields[column[axis]], value))
        fail("\"" + std::string(fields[column[axis]].substr(0, 40)) + "\" is no finite number for " + kAxisNames[axis],
             number);
      positions[axis].push_back(value);
    }
  }

  std::array<std::vector<double>, 3> take()
  {
    if (!hasHeader && swc.isSwc())
      refuseSwc(file);
    if (positions[0].empty())
      throw Error(ErrorCode::BadFormat, "holds no positions; a line a neuron with x, y and z is needed", file);
    return std::move(positions);
  }

private:
  [[noreturn]] void fail(const std::string& what, std::int64_t line) const
  {
    throw Error(ErrorCode::BadFormat, what, file, line);
  }

  /// Whether the line names columns: none of its fields is a number.
  bool takeHeader(const std::vector<std::string_view>& fields, std::int64_t line)
  {
    first = false;
    double value = 0;
    for (const std::string_view field : fields)
      if (parseNumber(field, value))
        return false;
    std::array<std::size_t, 3> named;
    for (std::size_t axis = 0; axis < 3; ++axis)
      named[axis] =
          static_cast<std::size_t>(std::find(fields.begin(), fields.end(), kAxisNames[axis]) - fields.begin());
    if (named[0] == fields.size() || named[1] == fields.size())
      fail("holds no numbers, nor does it name columns x and y", line);
    hasHeader = true;
    columns = named[2] < fields.size() ? 3 : 2;
    column = named;
    needed = 1 + *std::max_element(named.begin(), named.begin() + static_cast<std::ptrdiff_t>(columns));
    return true;
  }

  std::string file;
  bool first = true;
  bool hasHeader = false;
  SwcLook swc;
  std::size_t columns = 0; ///< coordinates that the file has, 0 while not known
  std::size_t needed = 0;  ///< fields that a line must have
  std::array<std::size_t, 3> column = {0, 1, 2};
  std::array<std::vector<double>, 3> positions;
};

} // namespace

void refuseSwc(const std::string& file)
{
  throw Error(ErrorCode::BadFormat,
              "is an SWC file, which holds the tree of a neuron and no positions of neurons; give a file with x, y and "
              "z of a neuron a line",
              file);
}

std::array<std::vector<double>, 3> parseBarePositions(std::string_view text, const std::string& file,
                                                      const RunControl& control)
{
  PositionReader reader(file);
  TextLines lines(text, file, control);
  while (lines.next())
    reader.addLine(lines.line(), lines.number());
  return reader.take();
}

} // namespace hinesight::io::detail
