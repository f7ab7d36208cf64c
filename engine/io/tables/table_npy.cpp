#include "core/error.hpp"
#include "core/files.hpp"
#include "core/json_text.hpp"
#include "io/tables/projection_export.hpp"
#include "io/tables/table_records.hpp"

#include <cstring>

#include <nlohmann/json.hpp>

// A weight table as a structured NumPy array (NumPy Enhancement Proposal 1, version 1.0): records of source,
// destination, weight and delay without padding. What a .npy file has no place for, the metadata, is in FILE.npy.json.

namespace hinesight::io::detail {

namespace {

constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
constexpr std::string_view kFields = "[('pre', '<u4'), ('post', '<u4'), ('weight', '<f4'), ('delay', '<f4')]";
constexpr std::size_t kRecord = 16;
constexpr std::array<RecordField, 4> kRecordFields = {
    {{RowValue::Source, 4}, {RowValue::Destination, 4}, {RowValue::Weight, 4}, {RowValue::Delay, 4}}};

std::string headerOf(std::uint64_t rows)
{
  constexpr std::size_t kAlignment = 64;
  std::string dictionary =
      "{'descr': " + std::string(kFields) + ", 'fortran_order': False, 'shape': (" + std::to_string(rows) + ",), }";
  const std::size_t before = kMagic.size() + 2;
  dictionary.append(kAlignment - 1 - (before + dictionary.size()) % kAlignment, ' ');
  dictionary += '\n';
  std::string header(kMagic);
  header += static_cast<char>(dictionary.size() & 0xFF);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

std::filesystem::path metadataPath(const std::filesystem::path& path)
{
  return path.string() + ".json";
}

template <typename Value>
Value valueAt(const char* bytes)
{
  Value value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

Metadata readMetadata(const std::filesystem::path& path)
{
  const std::string text = readFile(path);
  requireModestJson(text, path.string());
  const auto document = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!document.is_object())
    throw Error(ErrorCode::BadFormat, "is no JSON object with the metadata of a weight table", path.string());
  Metadata metadata;
  for (const auto& [name, value] : document.items()) {
    if (!value.is_string())
      throw Error(ErrorCode::BadFormat, "holds something other than text for \"" + name + "\"", path.string());
    metadata.push_back({name, value.get<std::string>()});
  }
  return metadata;
}

void writeMetadata(const Metadata& metadata, const std::filesystem::path& path)
{
  nlohmann::ordered_json document = nlohmann::ordered_json::object();
  for (const auto& [name, value] : metadata)
    document[name] = value;
  writeFileAtomically(path, [&](std::ostream& stream) {
    stream << document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
  });
}

} // namespace

void writeTableNpy(const TableSource& table, const std::filesystem::path& path, const RunControl& control)
{
  // The rows last, and renamed only when the metadata are in their place: no array is without them.
  replaceFileAtomically(path, [&](const std::filesystem::path& temporary) {
    const RecordWriter rows(table, {recordFile(temporary, path)});
    const std::string header = headerOf(table.rows());
    RowFile(temporary, path.string()).write(0, header.data(), header.size());
    rows.write({RowRecords{0, header.size(), kRecordFields}}, control);
    writeMetadata(metadataOf(table), metadataPath(path));
  });
}

std::shared_ptr<ImportedTable> readTableNpy(const std::filesystem::path& path, const RunControl& control)
{
  constexpr std::uint64_t kRowsBetweenChecks = 1 << 20;
  const std::string name = path.string();
  const Metadata metadata = readMetadata(metadataPath(path));
  const std::string metadataName = metadataPath(path).string();
  const std::uint64_t rows = countOf(metadata, "rows", metadataName);
  const std::string bytes = readFile(path);
  const std::string header = headerOf(rows);
  if (!bytes.starts_with(kMagic))
    throw Error(ErrorCode::BadFormat, "is no NumPy array of version 1.0", name);
  if (!bytes.starts_with(header))
    throw Error(ErrorCode::BadFormat,
                "is no array of " + std::to_string(rows) + " records " + std::string(kFields) +
                    ", as the metadata beside it say",
                name);
  const std::size_t held = bytes.size() - header.size();
  if (held / kRecord != rows || held % kRecord != 0)
    throw Error(ErrorCode::BadFormat,
                "holds " + std::to_string(held) + " bytes of records where " + std::to_string(rows) + " records take " +
                    std::to_string(kRecord) + " each",
                name);
  TableBuilder builder(name, countOf(metadata, "sources", metadataName),
                       countOf(metadata, "destinations", metadataName), rows);
  const char* record = bytes.data() + header.size();
  for (std::uint64_t row = 0; row < rows; ++row, record += kRecord) {
    if (row % kRowsBetweenChecks == 0)
      control.report("read", static_cast<double>(row) / static_cast<double>(rows));
    builder.add(valueAt<std::uint32_t>(record), valueAt<std::uint32_t>(record + 4), valueAt<float>(record + 8),
                valueAt<float>(record + 12));
  }
  return builder.finish(metadata, control);
}

} // namespace hinesight::io::detail
