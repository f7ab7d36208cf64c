#include "io/csv.hpp"

#include "core/error.hpp"

#include <utility>

namespace hinesight::io {

namespace {

/// Reads one row after another off a text.
class CsvScanner
{
public:
  CsvScanner(std::string_view csv, const std::string& file) : text(csv), path(file) {}

  bool atEnd() const { return at == text.size(); }

  CsvRow row()
  {
    CsvRow result;
    result.line = line;
    while (true) {
      result.fields.push_back(field());
      if (atEnd())
        return result;
      if (text[at] == ',') {
        ++at;
        continue;
      }
      at += text[at] == '\r' ? 2 : 1;
      ++line;
      return result;
    }
  }

private:
  bool atLineEnd() const
  {
    return text[at] == '\n' || (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n');
  }

  std::string field()
  {
    if (!atEnd() && text[at] == '"')
      return quotedField();
    const std::size_t begin = at;
    while (!atEnd() && text[at] != ',' && !atLineEnd()) {
      if (text[at] == '"')
        throw Error(ErrorCode::BadFormat, "a quote in the middle of a field; put the whole field in quotes", path,
                    line);
      ++at;
    }
    return std::string(text.substr(begin, at - begin));
  }

  std::string quotedField()
  {
    const std::int64_t opened = line;
    std::string value;
    for (++at; !atEnd(); ++at) {
      if (text[at] == '\n')
        ++line;
      if (text[at] != '"') {
        value += text[at];
      } else if (at + 1 < text.size() && text[at + 1] == '"') {
        value += text[++at];
      } else {
        ++at;
        if (!atEnd() && text[at] != ',' && !atLineEnd())
          throw Error(ErrorCode::BadFormat, "text after a closing quote; double the quotes inside a field", path, line);
        return value;
      }
    }
    throw Error(ErrorCode::BadFormat, "a quote is not closed; the file may have been cut short", path, opened);
  }

  std::string_view text;
  const std::string& path;
  std::size_t at = 0;
  std::int64_t line = 1;
};

} // namespace

std::string quoteCsv(std::string_view field)
{
  if (field.find_first_of(",\"\r\n") == std::string_view::npos)
    return std::string(field);
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"')
      quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::vector<CsvRow> parseCsv(std::string_view text, const std::string& path)
{
  std::vector<CsvRow> rows;
  CsvScanner scanner(text, path);
  while (!scanner.atEnd()) {
    CsvRow row = scanner.row();
    if (row.fields.size() > 1 || !row.fields.front().empty())
      rows.push_back(std::move(row));
  }
  return rows;
}

namespace {

constexpr std::string_view kParameter = "# parameter ";

} // namespace

std::string parameterComments(std::span<const Setting> settings)
{
  std::string lines;
  for (const Setting& setting : settings)
    ((lines += kParameter) += linesOf({&setting, 1})) += '\n';
  return lines;
}

void takeParameter(std::string_view line, std::vector<Setting>& settings)
{
  if (line.starts_with(kParameter))
    for (Setting& setting : settingsOfLines(line.substr(kParameter.size())))
      settings.push_back(std::move(setting));
}

} // namespace hinesight::io
