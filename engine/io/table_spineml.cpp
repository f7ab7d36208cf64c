#include "core/error.hpp"
#include "core/files.hpp"
#include "io/projection_export.hpp"

#include <bit>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>

// A weight table as a SpineML network (low-level layer) with an explicit connection list: FILE.spineml is the XML, FILE
// .connections.bin has int32 source, int32 destination and, where delays differ, float32 delay in ms a connection, FILE
// .weights.bin has int32 index, float64 weight. The metadata are comments.

namespace hinesight::io::detail {

namespace {

static_assert(std::endian::native == std::endian::little, "the records are written as they lie in memory");

constexpr std::size_t kWeightRecord = 12;

std::size_t connectionRecord(bool delays)
{
  return delays ? 12 : 8;
}

std::filesystem::path besides(const std::filesystem::path& path, const char* what)
{
  return path.string() + "." + what + ".bin";
}

std::string escape(std::string_view text)
{
  std::string escaped;
  for (const char c : text)
    switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += c;
    }
  return escaped;
}

std::string unescape(std::string_view text)
{
  constexpr std::pair<std::string_view, char> kEntities[] = {
      {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string plain;
  while (!text.empty()) {
    std::size_t used = 1;
    char c = text.front();
    for (const auto& [entity, character] : kEntities)
      if (text.starts_with(entity)) {
        c = character;
        used = entity.size();
      }
    plain += c;
    text.remove_prefix(used);
  }
  return plain;
}

/// A comment must not hold two hyphens in a row; in an expression a blank between them changes nothing.
std::string forComment(std::string text)
{
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at))
    text.insert(at + 1, " ");
  return text;
}

std::string shortest(float value)
{
  char text[32];
  const int length = std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
  return {text, static_cast<std::size_t>(length)};
}

template <typename Value>
void appendBytes(std::string& bytes, Value value)
{
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename Value>
Value valueAt(const char* bytes)
{
  Value value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

void writeConnections(const TableSource& table, std::ostream& stream, const RunControl& control)
{
  writeRows(table, stream, control,
            [&](const projection::TableSlab& slab, std::uint64_t begin, std::uint64_t end, std::string& bytes) {
              forRows(slab, begin, end, [&](std::uint64_t row, std::uint64_t source) {
                appendBytes(bytes, static_cast<std::int32_t>(source));
                appendBytes(bytes, static_cast<std::int32_t>(slab.destination[row]));
                if (!slab.delay.empty())
                  appendBytes(bytes, slab.delay[row]);
              });
            });
}

void writeWeights(const TableSource& table, std::ostream& stream, const RunControl& control)
{
  writeRows(table, stream, control,
            [&](const projection::TableSlab& slab, std::uint64_t begin, std::uint64_t end, std::string& bytes) {
              const std::uint64_t first = slab.offsets[slab.sourceBegin];
              for (std::uint64_t row = begin; row < end; ++row) {
                appendBytes(bytes, static_cast<std::int32_t>(first + row));
                appendBytes(bytes, static_cast<double>(slab.weight[row]));
              }
            });
}

void writeXml(const TableSource& table, const std::filesystem::path& path, std::ostream& stream)
{
  const projection::Projection& p = table.projection;
  const std::string source = escape(p.source->name()), destination = escape(p.destination->name());
  const std::string rows = std::to_string(table.rows());
  const std::string connections = escape(besides(path, "connections").filename().string());
  const std::string weights = escape(besides(path, "weights").filename().string());
  stream << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<LL:SpineML xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n"
            "  xmlns=\"http://www.shef.ac.uk/SpineMLNetworkLayer\"\n"
            "  xmlns:LL=\"http://www.shef.ac.uk/SpineMLLowLevelNetworkLayer\"\n"
            "  xsi:schemaLocation=\"http://www.shef.ac.uk/SpineMLLowLevelNetworkLayer SpineMLLowLevelNetworkLayer.xsd "
            "http://www.shef.ac.uk/SpineMLNetworkLayer SpineMLNetworkLayer.xsd\" name=\"hinesight weight table\">\n";
  for (const auto& [name, value] : metadataOf(table))
    stream << " <!-- " << name << ": " << forComment(value) << " -->\n";
  const auto population = [&](const std::string& name, const projection::Population& of) {
    stream << " <LL:Population>\n  <LL:Neuron name=\"" << name << "\" size=\"" << of.count()
           << "\" url=\"SpikeSource\"/>\n  <Layout url=\"none.xml\" seed=\"123\" minimum_distance=\"0\"/>\n";
  };
  population(source, *p.source);
  stream << "  <LL:Projection dst_population=\"" << destination << "\">\n   <LL:Synapse>\n    <ConnectionList>\n"
         << "     <BinaryFile file_name=\"" << connections << "\" num_connections=\"" << rows
         << "\" explicit_delay_flag=\"" << (table.hasDelays ? 1 : 0) << "\" packed_data=\"true\"/>\n";
  if (!table.hasDelays)
    stream << "     <Delay dimension=\"ms\"><FixedValue value=\"" << shortest(table.constantDelay) << "\"/></Delay>\n";
  stream << "    </ConnectionList>\n    <LL:WeightUpdate name=\"" << source << " to " << destination
         << " Synapse 0 weight_update\" url=\"FixedWeight.xml\" input_src_port=\"spike\" input_dst_port=\"spike\">\n"
         << "     <Property name=\"w\" dimension=\"?\"><ValueList><BinaryFile file_name=\"" << weights
         << "\" num_elements=\"" << rows
         << "\"/></ValueList></Property>\n    </LL:WeightUpdate>\n   </LL:Synapse>\n  </LL:Projection>\n"
         << " </LL:Population>\n";
  population(destination, *p.destination);
  stream << " </LL:Population>\n</LL:SpineML>\n";
}

/// An element's begin, with its attributes, or a comment.
struct Tag
{
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string comment;
};

/// The tags of an XML file in their order; ends of elements are passed over.
class TagScanner
{
public:
  TagScanner(const std::string& bytes, const std::string& file) : text(bytes), path(file) {}

  std::optional<Tag> next()
  {
    while (true) {
      const std::size_t begin = text.find('<', at);
      if (begin == std::string::npos)
        return {};
      at = begin;
      if (startsWith("<!--"))
        return Tag{"", {}, upTo("-->", 4)};
      const std::string inside = upTo(">", 1);
      if (inside.empty() || inside[0] == '/' || inside[0] == '?' || inside[0] == '!')
        continue;
      return parse(inside);
    }
  }

private:
  bool startsWith(std::string_view token) const { return text.compare(at, token.size(), token) == 0; }

  std::string upTo(std::string_view token, std::size_t skipped)
  {
    const std::size_t end = text.find(token, at + skipped);
    if (end == std::string::npos)
      throw Error(ErrorCode::BadFormat, "ends within a tag", path);
    const std::string inside = text.substr(at + skipped, end - at - skipped);
    at = end + token.size();
    return inside;
  }

  Tag parse(const std::string& inside) const
  {
    constexpr const char* kBlanks = " \t\r\n/";
    Tag tag;
    std::size_t i = inside.find_first_of(kBlanks);
    tag.name = inside.substr(0, i);
    while (true) {
      i = inside.find_first_not_of(kBlanks, std::min(i, inside.size()));
      if (i == std::string::npos)
        return tag;
      const std::size_t equals = inside.find('=', i);
      const std::size_t quote = equals == std::string::npos ? equals : inside.find_first_of("\"'", equals);
      const std::size_t end = quote == std::string::npos ? quote : inside.find(inside[quote], quote + 1);
      if (end == std::string::npos)
        throw Error(ErrorCode::BadFormat, "has an element <" + tag.name + "> whose attributes cannot be read", path);
      tag.attributes[inside.substr(i, equals - i)] =
          unescape(std::string_view(inside).substr(quote + 1, end - quote - 1));
      i = end + 1;
    }
  }

  const std::string& text;
  const std::string& path;
  std::size_t at = 0;
};

/// What the XML says of the two binary files.
struct Description
{
  Metadata metadata;    ///< of the comments
  Metadata connections; ///< attributes of the connection list's file
  Metadata weights;     ///< attributes of the weights' file
  std::string delay;    ///< of all connections; empty where each has its own
};

Description readXml(const std::filesystem::path& path)
{
  const std::string name = path.string();
  const std::string text = readFile(path);
  TagScanner scanner(text, name);
  Description found;
  bool isSpineml = false, inDelay = false;
  while (const auto tag = scanner.next()) {
    const Metadata attributes(tag->attributes.begin(), tag->attributes.end());
    const std::size_t colon = tag->comment.find(": ");
    if (colon != std::string::npos && colon > 1)
      found.metadata.emplace_back(tag->comment.substr(1, colon - 1),
                                  tag->comment.substr(colon + 2, tag->comment.size() - colon - 3));
    isSpineml = isSpineml || tag->name == "LL:SpineML";
    if (tag->name == "BinaryFile")
      (tag->attributes.contains("num_connections") ? found.connections : found.weights) = attributes;
    if (tag->name == "FixedValue" && inDelay)
      found.delay = valueOf(attributes, "value");
    inDelay = tag->name == "Delay";
  }
  if (!isSpineml)
    throw Error(ErrorCode::BadFormat, "is no SpineML network: it has no element <LL:SpineML>", name);
  if (found.connections.empty() || found.weights.empty())
    throw Error(ErrorCode::BadFormat, "has no connection list and weights in binary files", name);
  return found;
}

/// The bytes of a binary file beside the XML, as many as `records` take.
std::string readRecords(const std::filesystem::path& path, const Metadata& attributes, std::uint64_t records,
                        std::size_t record)
{
  // Only a name: a path could lead anywhere.
  const auto file = path.parent_path() / std::filesystem::path(valueOf(attributes, "file_name")).filename();
  std::string bytes = readFile(file);
  if (bytes.size() / record != records || bytes.size() % record != 0)
    throw Error(ErrorCode::BadFormat,
                "holds " + std::to_string(bytes.size()) + " bytes where " + std::to_string(records) + " records take " +
                    std::to_string(record) + " each",
                file.string());
  return bytes;
}

float parseDelay(const std::string& text, const std::string& file)
{
  float delay = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), delay);
  if (failure != std::errc{} || end != text.data() + text.size())
    throw Error(ErrorCode::BadFormat, "has neither a delay for each connection nor one for all", file);
  return delay;
}

void requireIndices(const TableSource& table, const std::filesystem::path& path)
{
  constexpr std::uint64_t kMost = std::uint64_t{1} << 31;
  const projection::Projection& p = table.projection;
  if (p.source->count() > kMost || p.destination->count() > kMost || table.rows() > kMost)
    throw Error(ErrorCode::BadParameter,
                "SpineML has indices of 31 bits, too few for this table; choose another format", path.string());
}

} // namespace

void writeTableSpineml(const TableSource& table, const std::filesystem::path& path, const RunControl& control)
{
  requireIndices(table, path);
  // The binary files get their names before the XML that names them gets its own.
  writeFileAtomically(path, [&](std::ostream& xml) {
    writeXml(table, path, xml);
    writeFileAtomically(besides(path, "connections"), [&](std::ostream& connections) {
      writeConnections(table, connections, control.part(0, 0.5));
      writeFileAtomically(besides(path, "weights"),
                          [&](std::ostream& weights) { writeWeights(table, weights, control.part(0.5, 1)); });
    });
  });
}

std::shared_ptr<const ImportedTable> readTableSpineml(const std::filesystem::path& path, const RunControl& control)
{
  constexpr std::uint64_t kRowsBetweenChecks = 1 << 20;
  const std::string name = path.string();
  const Description xml = readXml(path);
  const std::uint64_t rows = countOf(xml.connections, "num_connections", name);
  const bool delays = valueOf(xml.connections, "explicit_delay_flag") == "1";
  if (countOf(xml.weights, "num_elements", name) != rows)
    throw Error(ErrorCode::BadFormat, "has different numbers of connections and weights", name);
  const float constantDelay = delays ? 0.0F : parseDelay(xml.delay, name);
  const std::string connections = readRecords(path, xml.connections, rows, connectionRecord(delays));
  const std::string weights = readRecords(path, xml.weights, rows, kWeightRecord);
  TableBuilder builder(name, countOf(xml.metadata, "sources", name), countOf(xml.metadata, "destinations", name), rows);
  const char* connection = connections.data();
  const char* weight = weights.data();
  for (std::uint64_t row = 0; row < rows; ++row) {
    if (row % kRowsBetweenChecks == 0)
      control.report("read", static_cast<double>(row) / static_cast<double>(rows));
    if (valueAt<std::uint32_t>(weight) != row)
      throw Error(ErrorCode::BadFormat, "has weights in another order than its connections", name);
    builder.add(valueAt<std::uint32_t>(connection), valueAt<std::uint32_t>(connection + 4),
                static_cast<float>(valueAt<double>(weight + 4)),
                delays ? valueAt<float>(connection + 8) : constantDelay);
    connection += connectionRecord(delays);
    weight += kWeightRecord;
  }
  return builder.finish(xml.metadata);
}

} // namespace hinesight::io::detail
