#include "morphology/swc_rows.hpp"

#include "core/error.hpp"
#include "morphology/problem_list.hpp"
#include "morphology/swc_fields.hpp"
#include "morphology/swc_numbers.hpp"
#include "morphology/tally.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

namespace hinesight::morphology {

namespace {

constexpr std::array<std::string_view, SwcFields::kSample> kFieldNames = {"id", "type",   "x",     "y",
                                                                          "z",  "radius", "parent"};

constexpr double kNoRadius = std::numeric_limits<double>::quiet_NaN();

struct Sample
{
  std::int64_t id = 0;
  std::int64_t type = 0;
  double x = 0, y = 0, z = 0, radius = 0;
  std::int64_t parentId = 0;
};

/// Skips what follows the parent on a row; null if it could be further samples or holds a NUL byte: these deserve a
/// closer look.
inline const char* skipExtraFields(const char* position)
{
  std::size_t fields = 0;
  bool inField = false;
  bool inComment = false;
  for (; *position != '\n' && *position != '\r'; ++position) {
    if (*position == '\0')
      return nullptr;
    inComment = inComment || *position == '#';
    const bool isBlank = *position == ' ' || *position == '\t';
    fields += !isBlank && !inField && !inComment;
    inField = !isBlank;
  }
  return fields > 0 && fields % SwcFields::kSample == 0 ? nullptr : position;
}

/// Seven plain numbers at the start: nearly every row of nearly every file. Returns the row's line end, or null for
/// any other row. `position` must lie before a line end in the same buffer.
inline const char* scanPlainRow(const char* position, Sample& sample)
{
  position = scanWhole(skipBlanks(position), sample.id);
  if (!position || sample.id < 0)
    return nullptr;
  position = scanWhole(skipBlanks(position), sample.type);
  if (!position || sample.type < 0 || sample.type > std::numeric_limits<std::int32_t>::max())
    return nullptr;
  for (double* real : {&sample.x, &sample.y, &sample.z, &sample.radius}) {
    position = scanReal(skipBlanks(position), *real);
    if (!position)
      return nullptr;
  }
  position = scanWhole(skipBlanks(position), sample.parentId);
  if (!position)
    return nullptr;
  return skipExtraFields(position);
}

bool isUnknownRadius(std::string_view text)
{
  std::string lower(text.substr(0, 8));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower == "na" || lower == "n/a" || lower == "nan" || lower == "-nan" || lower == "+nan" || lower == "none" ||
         lower == "null";
}

bool hasDecimalComma(std::string_view text)
{
  return std::count(text.begin(), text.end(), ',') == 1 && text.find('.') == std::string_view::npos;
}

class RowReader
{
public:
  RowReader(std::string_view swcText, const std::string& file, const SwcOptions& swcOptions,
            const RunControl& runControl)
      : text(swcText), path(file), options(swcOptions), control(runControl), problems(file)
  {}

  SwcRows read();

private:
  void readLines();
  void readUnusualLine(std::string_view content, bool terminated);
  void readData(std::string_view data, bool mayBeCut);
  bool skipTitle(std::string_view data, const SwcFields& fields);
  bool skipIncompleteEnd(const SwcFields& fields);
  void readSample(const SwcFields& fields);
  bool readWhole(const SwcFields& fields, std::size_t index, std::int64_t& value);
  void readReal(const SwcFields& fields, std::size_t index, double& value);
  void refuseField(const SwcFields& fields, std::size_t index, const std::string& reason);
  void refuseNumber(const SwcFields& fields, std::size_t index, NumberStatus status);
  void noteSpelling(const SwcFields& fields);
  void noteUnknownRadius(const Sample& sample);
  void add(const Sample& sample);
  void refuseIfNoSample() const;
  void warnOfSpelling();
  void warnOfUnknownRadii();

  std::string_view text;
  const std::string& path;
  const SwcOptions& options;
  const RunControl& control;
  ProblemList problems;
  SwcRows rows;

  std::int64_t line = 0;
  std::int64_t titleLine = 0; ///< 0: none seen
  Tally commas, semicolons, quotes, decimalCommas, decimalWholes, negativeTypes, severalSamples;
  Tally zeroRadii, negativeRadii, missingRadii, somaRadii;
};

SwcRows RowReader::read()
{
  constexpr std::size_t kTypicalRow = 32; // bytes; a guess that only saves reallocations
  const std::size_t expected = text.size() / kTypicalRow;
  for (std::vector<double>* reals : {&rows.x, &rows.y, &rows.z, &rows.radius})
    reals->reserve(expected);
  for (std::vector<std::int64_t>* wholes : {&rows.id, &rows.parentId, &rows.line})
    wholes->reserve(expected);
  rows.type.reserve(expected);

  readLines();
  problems.throwIfAny(!problems.isFull());
  refuseIfNoSample();
  warnOfSpelling();
  warnOfUnknownRadii();
  return std::move(rows);
}

void RowReader::readLines()
{
  constexpr std::ptrdiff_t kReportEvery = std::ptrdiff_t{1} << 20; // bytes: a few milliseconds
  const char* begin = text.data();
  const char* end = begin + text.size();
  const std::size_t lastEnd = text.find_last_of("\r\n");
  const char* plainEnd = lastEnd == std::string_view::npos ? begin : begin + lastEnd;
  const char* reported = begin;

  const char* position = begin;
  while (position != end && !problems.isFull()) {
    ++line;
    Sample sample;
    const char* lineEnd = position < plainEnd ? scanPlainRow(position, sample) : nullptr;
    if (lineEnd) {
      add(sample);
    } else {
      lineEnd = std::find_if(position, end, [](char c) { return c == '\n' || c == '\r'; });
      readUnusualLine({position, static_cast<std::size_t>(lineEnd - position)}, lineEnd != end);
    }
    position = lineEnd;
    if (position != end)
      position += end - position > 1 && position[0] == '\r' && position[1] == '\n' ? 2 : 1;
    if (position - reported >= kReportEvery) {
      reported = position;
      control.report("read", static_cast<double>(position - begin) / static_cast<double>(text.size()));
    }
  }
}

void RowReader::readUnusualLine(std::string_view content, bool terminated)
{
  const std::string_view trimmed = trimBlanks(content);
  if (trimmed.starts_with('#')) {
    rows.comments.emplace_back(content.substr(content.find('#') + 1));
    return;
  }
  const std::size_t comment = trimmed.find('#');
  const std::string_view data = trimBlanks(trimmed.substr(0, comment));
  if (!data.empty())
    readData(data, !terminated && comment == std::string_view::npos);
}

void RowReader::readData(std::string_view data, bool mayBeCut)
{
  if (data.find('\0') != std::string_view::npos) {
    problems.add(line, "NUL byte; the file is damaged or not plain text");
    return;
  }
  const SwcFields fields = splitFields(data);
  if (skipTitle(data, fields) || (mayBeCut && skipIncompleteEnd(fields)))
    return;
  if (fields.count < SwcFields::kSample) {
    const std::string nonAscii = describeNonAscii(data);
    problems.add(line, std::to_string(fields.count) + (fields.count == 1 ? " field" : " fields") +
                           ", need 7 (id type x y z radius parent): " + quoteForMessage(data) +
                           (nonAscii.empty() ? "" : ": " + nonAscii));
    return;
  }
  readSample(fields);
}

/// One line of words before the first sample is a title or column names. A row with an unreadable id is not.
bool RowReader::skipTitle(std::string_view data, const SwcFields& fields)
{
  if (titleLine > 0 || rows.size() > 0 || startsLikeNumber(fields.field[0]) || endsLikeSample(fields))
    return false;
  titleLine = line;
  rows.comments.emplace_back(" " + std::string(data));
  rows.warnings.push_back({line, "text before the first sample, skipped as a title: " + quoteForMessage(data)});
  return true;
}

/// A last row without line end that breaks off before its parent: the file was cut short.
bool RowReader::skipIncompleteEnd(const SwcFields& fields)
{
  const std::string_view last = fields.field[SwcFields::kSample - 1];
  const bool cut = fields.count < SwcFields::kSample ||
                   (fields.count == SwcFields::kSample && (last.empty() || last == "-" || last == "+"));
  if (!cut || rows.size() == 0 || !startsLikeNumber(fields.field[0]))
    return false;
  const std::string what = "the last row is incomplete (" + std::to_string(fields.count) +
                           (fields.count == 1 ? " field" : " fields") + ", the file ends without a line end)";
  if (options.strict)
    problems.add(line, what + "; the file may have been cut short");
  else
    rows.warnings.push_back({line, what + "; dropped, the file may have been cut short"});
  return true;
}

void RowReader::refuseField(const SwcFields& fields, std::size_t index, const std::string& reason)
{
  problems.add(line, "field " + std::to_string(index + 1) + " (" + std::string(kFieldNames[index]) + ") " +
                         quoteForMessage(fields.field[index]) + reason);
}

void RowReader::refuseNumber(const SwcFields& fields, std::size_t index, NumberStatus status)
{
  const std::string_view field = fields.field[index];
  const std::string name(kFieldNames[index]);
  const bool whole = index == 0 || index == 1 || index == 6;
  if (const std::string nonAscii = describeNonAscii(field); !nonAscii.empty())
    return refuseField(fields, index, ": " + nonAscii);
  switch (status) {
  case NumberStatus::OutOfRange:
    return refuseField(fields, index, whole ? ": " + name + " does not fit 64 bits" : ": " + name + " is out of range");
  case NumberStatus::NotFinite:
    return refuseField(fields, index, ": " + name + " is not finite");
  default:
    break;
  }
  const std::string_view digits = field.substr(field.find_first_not_of("+-") == 1 ? 1 : 0);
  if (digits.starts_with("0x") || digits.starts_with("0X"))
    return refuseField(fields, index, " is not a decimal number");
  refuseField(fields, index, whole ? " is not a whole number" : " is not a number");
}

bool RowReader::readWhole(const SwcFields& fields, std::size_t index, std::int64_t& value)
{
  const NumberStatus status = parseWhole(fields.field[index], value);
  if (status == NumberStatus::WholeDecimal) {
    decimalWholes.noteOnce(line);
    return true;
  }
  if (status != NumberStatus::Plain)
    refuseNumber(fields, index, status);
  return status == NumberStatus::Plain;
}

void RowReader::readReal(const SwcFields& fields, std::size_t index, double& value)
{
  const std::string_view field = fields.field[index];
  NumberStatus status = NumberStatus::Plain;
  if (hasDecimalComma(field)) {
    std::string withPoint(field);
    withPoint[field.find(',')] = '.';
    status = parseReal(withPoint, value);
    if (status == NumberStatus::Plain)
      decimalCommas.noteOnce(line);
  } else {
    status = parseReal(field, value);
  }
  if (status != NumberStatus::Plain)
    refuseNumber(fields, index, status);
}

void RowReader::noteSpelling(const SwcFields& fields)
{
  if (fields.separator == FieldSeparator::Comma)
    commas.note(line);
  if (fields.separator == FieldSeparator::Semicolon)
    semicolons.note(line);
  if (fields.quoted)
    quotes.note(line);
  if (holdsSeveralSamples(fields))
    severalSamples.note(line);
}

void RowReader::readSample(const SwcFields& fields)
{
  Sample sample;
  const std::size_t problemsBefore = problems.size();
  if (readWhole(fields, 0, sample.id) && sample.id < 0)
    refuseField(fields, 0, ": id " + std::to_string(sample.id) + " is negative");
  if (readWhole(fields, 1, sample.type) && sample.type > std::numeric_limits<std::int32_t>::max())
    refuseField(fields, 1, ": type does not fit, it is above 2147483647");
  readReal(fields, 2, sample.x);
  readReal(fields, 3, sample.y);
  readReal(fields, 4, sample.z);
  if (isUnknownRadius(fields.field[5]))
    sample.radius = kNoRadius;
  else
    readReal(fields, 5, sample.radius);
  readWhole(fields, 6, sample.parentId);
  if (problems.size() > problemsBefore)
    return;
  noteSpelling(fields);
  add(sample);
}

void RowReader::noteUnknownRadius(const Sample& sample)
{
  (sample.radius < 0 ? negativeRadii : sample.radius == 0 ? zeroRadii : missingRadii).note(line);
  if (sample.type == kSoma)
    somaRadii.note(line);
}

void RowReader::add(const Sample& sample)
{
  const bool radiusKnown = sample.radius > 0;
  if (!radiusKnown)
    noteUnknownRadius(sample);
  if (sample.type < 0)
    negativeTypes.note(line);
  rows.id.push_back(sample.id);
  rows.type.push_back(static_cast<std::int32_t>(std::max<std::int64_t>(sample.type, kUndefined)));
  rows.x.push_back(sample.x);
  rows.y.push_back(sample.y);
  rows.z.push_back(sample.z);
  rows.radius.push_back(radiusKnown ? sample.radius : 0);
  rows.parentId.push_back(sample.parentId);
  rows.line.push_back(line);
}

void RowReader::refuseIfNoSample() const
{
  if (rows.size() > 0)
    return;
  const std::string rule = "; an SWC file has one row of 7 numbers for each sample";
  if (titleLine > 0)
    throw Error(ErrorCode::BadFormat, "no sample rows, only text" + rule, path, titleLine);
  const std::size_t comments = rows.comments.size();
  const std::string found =
      comments == 0 ? "" : "; " + std::to_string(comments) + (comments == 1 ? " comment line" : " comment lines");
  throw Error(ErrorCode::BadFormat, "no sample rows" + found + rule, path);
}

void RowReader::warnOfSpelling()
{
  const auto warn = [&](const Tally& tally, const std::string& one, const std::string& many, const std::string& rest) {
    if (tally.count > 0)
      rows.warnings.push_back({tally.firstLine, tally.counted(one, many) + rest});
  };
  warn(commas, "row is", "rows are", " comma-separated; read all the same");
  warn(semicolons, "row is", "rows are", " semicolon-separated; read all the same");
  warn(quotes, "row has", "rows have", " numbers in quotes; read without them");
  warn(decimalCommas, "row has", "rows have", " decimal commas; read as decimal points");
  warn(decimalWholes, "row writes", "rows write", " id, type or parent as a decimal number; read as the whole number");
  warn(negativeTypes, "sample has", "samples have", " a negative type; kept as undefined (0)");
  warn(severalSamples, "row has", "rows have",
       " 14 numbers or more, which looks like several samples; only the first 7 are used, put each sample on a line of "
       "its own");
}

void RowReader::warnOfUnknownRadii()
{
  Tally all;
  std::string kinds;
  const auto name = [&](const Tally& tally, const std::string& kind) {
    if (tally.count == 0)
      return;
    all.firstLine = all.count == 0 ? tally.firstLine : std::min(all.firstLine, tally.firstLine);
    all.count += tally.count;
    kinds += (kinds.empty() ? "" : ", ") + std::to_string(tally.count) + " " + kind;
  };
  name(zeroRadii, "zero");
  name(negativeRadii, "negative");
  name(missingRadii, "NaN or NA");
  if (all.count == 0)
    return;
  if (somaRadii.count > 0)
    kinds += "; " + std::to_string(somaRadii.count) + " of them in the soma";
  rows.warnings.push_back({all.firstLine, "radius unknown on " + std::to_string(all.count) + " of " +
                                              std::to_string(rows.size()) + " samples (" + kinds +
                                              "); the nearest known radius along the tree is used, else 0.5"});
}

} // namespace

SwcRows readSwcRows(std::string_view text, const std::string& path, const SwcOptions& options,
                    const RunControl& control)
{
  return RowReader(text, path, options, control).read();
}

} // namespace hinesight::morphology
