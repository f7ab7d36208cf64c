#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "io/tables/projection_export.hpp"
#include "io/tables/table_records.hpp"
#include "io/xml_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <exception>
#include <limits>
#include <optional>

#include <expat.h>
#include <nlohmann/json.hpp>

// A weight table as an explicit connection list of SpineML's network layer (low-level schema): .xml holds every
// connection, .spineml names two binary files beside it, FILE.connections.bin (int32 source, int32 destination and,
// where delays differ, float32 delay) and FILE.weights.bin (int32 connection, float64 weight), records without padding
// as SpineCreator packs them. The metadata are an annotation of the projection. Components have placeholder URLs.

namespace hinesight::io::detail {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWeightBytes = 12; ///< of a record: int32 connection, float64 weight

std::size_t connectionBytes(bool hasDelays)
{
  return hasDelays ? 12 : 8;
}

/// As the value of an attribute. Bytes that are no UTF-8, which XML cannot hold, are replaced.
std::string quoteXml(const std::string& text)
{
  const std::string clean =
      nlohmann::json::parse(nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))
          .get<std::string>();
  std::string quoted = "\"";
  for (const char c : clean) {
    if (c == '&')
      quoted += "&amp;";
    else if (c == '<')
      quoted += "&lt;";
    else if (c == '"')
      quoted += "&quot;";
    else if (c == '\t' || c == '\n' || c == '\r')
      quoted += "&#" + std::to_string(int{c}) + ';';
    else
      quoted += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  }
  return quoted + '"';
}

/// Ids and connections are int32 in the binary files, and in what reads them.
void requireRange(const TableSource& table, const fs::path& path)
{
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
  if (std::max({table.rows(), table.projection.source->count(), table.projection.destination->count()}) > kMost)
    throw Error(ErrorCode::BadParameter,
                "SpineML counts neurons and connections in 31 bits, too few for this table; export it as .h5 or .npy",
                path.string());
}

/// Everything of the document but the connections and the weights, which `writeConnections` and `writeWeights` put in
/// their places.
template <typename Connections, typename Weights>
void writeDocument(std::ostream& xml, const TableSource& table, const Connections& writeConnections,
                   const Weights& writeWeights)
{
  const auto [source, destination] = distinctNames(table.projection);
  const auto writePopulation = [&](const std::string& name, std::uint64_t size) {
    xml << " <LL:Population>\n  <LL:Neuron name=" << quoteXml(name) << " size=\"" << size
        << "\" url=\"neuron.xml\"/>\n  <Layout url=\"none.xml\" seed=\"0\" minimum_distance=\"0\"/>\n";
  };
  xml << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<LL:SpineML xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
         "xmlns=\"http://www.shef.ac.uk/SpineMLNetworkLayer\" "
         "xmlns:LL=\"http://www.shef.ac.uk/SpineMLLowLevelNetworkLayer\" "
         "xsi:schemaLocation=\"http://www.shef.ac.uk/SpineMLLowLevelNetworkLayer SpineMLLowLevelNetworkLayer.xsd "
         "http://www.shef.ac.uk/SpineMLNetworkLayer SpineMLNetworkLayer.xsd\" name=\"hinesight\">\n";
  writePopulation(source, table.projection.source->count());
  xml << "  <LL:Projection dst_population=" << quoteXml(destination)
      << ">\n   <LL:Annotation>\n    <hinesight:parameters xmlns:hinesight=\"urn:hinesight:weight-table\">\n";
  for (const auto& [name, value] : metadataOf(table))
    xml << "     <hinesight:parameter name=" << quoteXml(name) << " value=" << quoteXml(value) << "/>\n";
  xml << "    </hinesight:parameters>\n   </LL:Annotation>\n   <LL:Synapse>\n    <ConnectionList>\n";
  writeConnections();
  if (!table.hasDelays)
    xml << "     <Delay dimension=\"ms\"><FixedValue value=\"" << textOf(table.constantDelay) << "\"/></Delay>\n";
  xml << "    </ConnectionList>\n    <LL:WeightUpdate name="
      << quoteXml(source + " to " + destination + " Synapse 0 weight_update")
      << " url=\"weight_update.xml\" input_src_port=\"spike\" input_dst_port=\"spike\">\n"
         "     <Property name=\"w\" dimension=\"?\">\n      <ValueList>\n";
  writeWeights();
  xml << "      </ValueList>\n     </Property>\n    </LL:WeightUpdate>\n    <LL:PostSynapse name="
      << quoteXml(source + " to " + destination + " Synapse 0 postsynapse")
      << " url=\"post_synapse.xml\" input_src_port=\"w\" input_dst_port=\"w\" output_src_port=\"I\" "
         "output_dst_port=\"I\"/>\n   </LL:Synapse>\n  </LL:Projection>\n </LL:Population>\n";
  if (destination != source) {
    writePopulation(destination, table.projection.destination->count());
    xml << " </LL:Population>\n";
  }
  xml << "</LL:SpineML>\n";
}

void writeConnectionElements(std::ostream& xml, const TableSource& table, const RunControl& control)
{
  writeRows(table, xml, control,
            [&](const projection::TableSlab& slab, std::uint64_t begin, std::uint64_t end, std::string& text) {
              forRows(slab, begin, end, [&](std::uint64_t row, std::uint64_t source) {
                text += "     <Connection src_neuron=\"";
                appendText(text, source);
                text += "\" dst_neuron=\"";
                appendText(text, slab.destination[row]);
                if (table.hasDelays) {
                  text += "\" delay=\"";
                  appendText(text, slab.delay[row]);
                }
                text += "\"/>\n";
              });
            });
}

void writeValueElements(std::ostream& xml, const TableSource& table, const RunControl& control)
{
  writeRows(table, xml, control,
            [&](const projection::TableSlab& slab, std::uint64_t begin, std::uint64_t end, std::string& text) {
              const std::uint64_t first = slab.offsets[slab.sourceBegin];
              for (std::uint64_t row = begin; row < end; ++row) {
                text += "       <Value index=\"";
                appendText(text, first + row);
                text += "\" value=\"";
                appendText(text, slab.weight[row]);
                text += "\"/>\n";
              }
            });
}

/// The binary file of that kind beside a document.
fs::path binaryPath(const fs::path& document, const char* kind)
{
  return document.string() + "." + kind + ".bin";
}

template <typename Value>
Value valueAt(const char* bytes)
{
  Value value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// What stands in the two binary files.
std::vector<RowRecords> recordsOf(bool hasDelays)
{
  const RecordField delay{RowValue::Delay, static_cast<std::uint8_t>(hasDelays ? 4 : 0)};
  return {RowRecords{0, 0, {{{RowValue::Source, 4}, {RowValue::Destination, 4}, delay}}},
          RowRecords{1, 0, {{{RowValue::Row, 4}, {RowValue::Weight, 8}}}}};
}

/// What stands in a document. Rows are in its order.
struct Document
{
  struct Binary
  {
    std::string file;
    std::uint64_t count = 0;
    bool hasDelays = false;
  };

  Metadata metadata;
  std::vector<std::pair<std::string, std::uint64_t>> populations; ///< names and sizes
  std::string source, destination;
  std::vector<std::array<std::uint32_t, 2>> connections;
  std::vector<float> delays; ///< of each connection; NaN where it has none of its own
  std::optional<Binary> connectionFile;
  std::optional<float> fixedDelay;
  std::vector<float> weights;
  std::optional<Binary> weightFile;
  std::optional<float> fixedWeight;
};

/// Takes what belongs to a connection list out of the elements of a document; passes over everything else.
class DocumentReader
{
public:
  DocumentReader(const std::string& text, std::string file)
      : path(std::move(file)), bytes(text), parser(XML_ParserCreate(nullptr))
  {
    if (!parser)
      throw std::bad_alloc();
    XML_SetUserData(parser.get(), this);
    XML_SetElementHandler(parser.get(), onStart, onEnd);
    XML_SetStartDoctypeDeclHandler(parser.get(), onDoctype);
  }

  Document read(const RunControl& control)
  {
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    for (std::size_t begin = 0; begin == 0 || begin < bytes.size(); begin += kPiece) {
      control.report("read", static_cast<double>(begin) / static_cast<double>(bytes.size() + 1));
      const std::size_t count = std::min(kPiece, bytes.size() - begin);
      const bool isLast = begin + count == bytes.size();
      if (XML_Parse(parser.get(), bytes.data() + begin, static_cast<int>(count), isLast) != XML_STATUS_OK)
        failToParse();
    }
    if (projections == 0)
      throw Error(ErrorCode::BadFormat, "has no Projection; is it a SpineML network?", path);
    return std::move(document);
  }

private:
  static void onStart(void* self, const XML_Char* name, const XML_Char** attributes)
  {
    static_cast<DocumentReader*>(self)->guard([&](DocumentReader& reader) { reader.start(name, attributes); });
  }
  static void onEnd(void* self, const XML_Char*)
  {
    static_cast<DocumentReader*>(self)->guard([](DocumentReader& reader) { reader.end(); });
  }
  static void onDoctype(void* self, const XML_Char*, const XML_Char*, const XML_Char*, int)
  {
    static_cast<DocumentReader*>(self)->guard(
        [](DocumentReader& reader) { reader.fail("declares a document type, which SpineML has no use for"); });
  }

  /// Keeps exceptions from passing through the parser, which is C.
  template <typename Body>
  void guard(const Body& body)
  {
    if (failure)
      return;
    try {
      body(*this);
    } catch (...) {
      failure = std::current_exception();
      XML_StopParser(parser.get(), XML_FALSE);
    }
  }

  [[noreturn]] void failToParse() const
  {
    if (failure)
      std::rethrow_exception(failure);
    throw Error(ErrorCode::BadFormat,
                std::string("is no well-formed XML: ") + XML_ErrorString(XML_GetErrorCode(parser.get())), path,
                currentLine(parser.get()));
  }

  [[noreturn]] void fail(const std::string& what) const
  {
    throw Error(ErrorCode::BadFormat, what, path, currentLine(parser.get()));
  }

  void start(const char* qualified, const char** attributes)
  {
    const std::string_view whole(qualified);
    const std::string name(whole.substr(whole.find(':') + 1)); // npos + 1 is 0
    given = attributes;
    const std::string_view parent = above(0);
    if (name == "Neuron" && parent == "Population")
      document.populations.emplace_back(text("name"), number<std::uint64_t>("size"));
    else if (name == "Projection")
      startProjection();
    else if (name == "Synapse" && ++synapses > 1)
      fail("has a second Synapse; a file with one is needed");
    else if (name == "parameter" && parent == "parameters")
      document.metadata.push_back({text("name"), text("value")});
    else if (name == "Connection" && parent == "ConnectionList")
      addConnection();
    else if (name == "BinaryFile" && parent == "ConnectionList")
      document.connectionFile = connectionFile();
    else if (name == "FixedValue" && parent == "Delay" && above(1) == "ConnectionList")
      document.fixedDelay = number<float>("value");
    else if (name == "Property" && parent == "WeightUpdate")
      isWeight = text("name") == "w";
    else if (isWeight)
      startWeight(name, parent);
    names.push_back(name);
  }

  void end()
  {
    if (above(0) == "Property")
      isWeight = false;
    names.pop_back();
  }

  void startProjection()
  {
    if (++projections > 1)
      fail("has a second Projection; a file with one is needed");
    if (document.populations.empty())
      fail("has a Projection outside of a Population");
    document.source = document.populations.back().first;
    document.destination = text("dst_population");
  }

  void addConnection()
  {
    document.connections.push_back({number<std::uint32_t>("src_neuron"), number<std::uint32_t>("dst_neuron")});
    document.delays.push_back(find("delay") ? number<float>("delay") : std::numeric_limits<float>::quiet_NaN());
  }

  Document::Binary connectionFile() const
  {
    const char* const packed = find("packed_data");
    if (!packed || std::strcmp(packed, "true") != 0)
      fail("names a connection file that is not packed; write it again with packed_data=\"true\"");
    return {fileName(), number<std::uint64_t>("num_connections"), number<unsigned>("explicit_delay_flag") != 0};
  }

  void startWeight(const std::string& name, std::string_view parent)
  {
    if (name == "FixedValue")
      document.fixedWeight = number<float>("value");
    else if (name == "BinaryFile" && parent == "ValueList")
      document.weightFile = Document::Binary{fileName(), number<std::uint64_t>("num_elements"), false};
    else if (name == "Value" && parent == "ValueList") {
      if (number<std::uint64_t>("index") != document.weights.size())
        fail("has the weight of connection " + std::string(find("index")) + " where that of connection " +
             std::to_string(document.weights.size()) + " is needed");
      document.weights.push_back(number<float>("value"));
    }
  }

  /// The element so many levels above the one that begins; empty where there is none.
  std::string_view above(std::size_t levels) const
  {
    return levels < names.size() ? std::string_view(names[names.size() - 1 - levels]) : std::string_view();
  }

  const char* find(std::string_view name) const
  {
    for (const char** attribute = given; attribute[0]; attribute += 2)
      if (attribute[0] == name)
        return attribute[1];
    return nullptr;
  }

  std::string text(const char* name) const
  {
    const char* const value = find(name);
    if (!value)
      fail(std::string("has an element without its attribute ") + name);
    return value;
  }

  template <typename Number>
  Number number(const char* name) const
  {
    const std::string value = text(name);
    Number result{};
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
    if (error != std::errc{} || end != value.data() + value.size())
      fail("\"" + value.substr(0, 40) + "\" is no value for " + name);
    return result;
  }

  /// Of a file beside the document: one elsewhere is none of its own.
  std::string fileName() const
  {
    const std::string name = text("file_name");
    if (name.empty() || name.find('/') != std::string::npos || name == "." || name == "..")
      fail("names the binary file \"" + name.substr(0, 80) + "\", which is not beside it");
    return name;
  }

  struct Free
  {
    void operator()(XML_Parser owned) const { XML_ParserFree(owned); }
  };

  std::string path;
  const std::string& bytes;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, Free> parser;
  std::exception_ptr failure;
  Document document;
  std::vector<std::string> names; ///< of the elements that are open
  const char** given = nullptr;   ///< attributes of the one that begins
  int projections = 0;
  int synapses = 0;
  bool isWeight = false;
};

/// Reads a binary file of `count` records of so many bytes.
std::string readRecords(const fs::path& folder, const Document::Binary& binary, std::size_t recordBytes)
{
  const fs::path path = folder / binary.file;
  std::string records = readFile(path);
  if (records.size() % recordBytes != 0 || records.size() / recordBytes != binary.count)
    throw Error(ErrorCode::BadFormat,
                "holds " + std::to_string(records.size()) + " bytes where " + std::to_string(binary.count) +
                    " records of " + std::to_string(recordBytes) + " bytes are named",
                path.string());
  return records;
}

/// Puts the rows of a document and its binary files into a table.
class DocumentTable
{
public:
  DocumentTable(const Document& read, const fs::path& file)
      : document(read), path(file.string()), folder(file.parent_path())
  {
    const auto& binary = document.connectionFile;
    rows = binary ? binary->count : document.connections.size();
    if (binary)
      connectionRecords = readRecords(folder, *binary, connectionBytes(binary->hasDelays));
    if (document.weightFile)
      weightRecords = readRecords(folder, *document.weightFile, kWeightBytes);
    if (weights() != rows)
      throw Error(ErrorCode::BadFormat,
                  "has " + std::to_string(weights()) + " weights for " + std::to_string(rows) + " connections", path);
    if (rows > 0 && !document.fixedDelay && !(binary && binary->hasDelays))
      requireDelays();
  }

  std::shared_ptr<ImportedTable> build(const RunControl& control) const
  {
    constexpr std::uint64_t kRowsBetweenChecks = 1 << 18;
    TableBuilder builder(path, sizeOf(document.source), sizeOf(document.destination), rows);
    for (std::uint64_t row = 0; row < rows; ++row) {
      if (row % kRowsBetweenChecks == 0)
        control.report("read", static_cast<double>(row) / static_cast<double>(rows));
      const auto [source, destination] = connection(row);
      builder.add(source, destination, weight(row), delay(row));
    }
    return builder.finish(document.metadata, control);
  }

private:
  std::uint64_t sizeOf(const std::string& population) const
  {
    for (const auto& [name, size] : document.populations)
      if (name == population)
        return size;
    throw Error(ErrorCode::BadFormat, "has no Population \"" + population + "\"", path);
  }

  void requireDelays() const
  {
    const auto lacking =
        std::find_if(document.delays.begin(), document.delays.end(), [](float delay) { return std::isnan(delay); });
    if (document.delays.empty() || lacking != document.delays.end())
      throw Error(ErrorCode::BadFormat, "has connections without a delay, and no Delay for all of them", path);
  }

  std::uint64_t weights() const
  {
    if (document.weightFile)
      return document.weightFile->count;
    return document.fixedWeight ? rows : document.weights.size();
  }

  std::array<std::uint32_t, 2> connection(std::uint64_t row) const
  {
    if (!document.connectionFile)
      return document.connections[row];
    const char* const record = connectionRecords.data() + row * connectionBytes(document.connectionFile->hasDelays);
    return {valueAt<std::uint32_t>(record), valueAt<std::uint32_t>(record + 4)};
  }

  float delay(std::uint64_t row) const
  {
    if (document.connectionFile && document.connectionFile->hasDelays)
      return valueAt<float>(connectionRecords.data() + row * connectionBytes(true) + 8);
    if (!document.connectionFile && !std::isnan(document.delays[row]))
      return document.delays[row];
    return *document.fixedDelay;
  }

  float weight(std::uint64_t row) const
  {
    if (!document.weightFile)
      return document.fixedWeight ? *document.fixedWeight : document.weights[row];
    const char* const record = weightRecords.data() + row * kWeightBytes;
    if (valueAt<std::uint32_t>(record) != row)
      throw Error(ErrorCode::BadFormat,
                  "record " + std::to_string(row + 1) + " is of connection " +
                      std::to_string(valueAt<std::uint32_t>(record)) +
                      "; weights are to be in the order of connections",
                  (folder / document.weightFile->file).string());
    return static_cast<float>(valueAt<double>(record + 4));
  }

  const Document& document;
  std::string path;
  fs::path folder;
  std::uint64_t rows = 0;
  std::string connectionRecords, weightRecords;
};

} // namespace

void writeTableXml(const TableSource& table, const fs::path& path, const RunControl& control)
{
  requireRange(table, path);
  writeFileAtomically(path, [&](std::ostream& xml) {
    // Weights come after all connections: the rows are gone through twice.
    writeDocument(
        xml, table, [&] { writeConnectionElements(xml, table, control.part(0, 0.5)); },
        [&] { writeValueElements(xml, table, control.part(0.5, 1)); });
  });
}

void writeTableSpineml(const TableSource& table, const fs::path& path, const RunControl& control)
{
  requireRange(table, path);
  const fs::path connections = binaryPath(path, "connections");
  const fs::path weights = binaryPath(path, "weights");
  // All three are complete before the first is renamed, and the document that names the others is the last.
  writeFileAtomically(path, [&](std::ostream& xml) {
    writeDocument(
        xml, table,
        [&] {
          xml << "     <BinaryFile file_name=" << quoteXml(connections.filename().string()) << " num_connections=\""
              << table.rows() << "\" explicit_delay_flag=\"" << (table.hasDelays ? 1 : 0)
              << "\" packed_data=\"true\"/>\n";
        },
        [&] {
          xml << "       <BinaryFile file_name=" << quoteXml(weights.filename().string()) << " num_elements=\""
              << table.rows() << "\"/>\n";
        });
    if (!xml.flush())
      return;
    replaceFileAtomically(weights, [&](const fs::path& weightRows) {
      replaceFileAtomically(connections, [&](const fs::path& connectionRows) {
        RecordWriter(table, {recordFile(connectionRows, connections), recordFile(weightRows, weights)})
            .write(recordsOf(table.hasDelays), control);
      });
    });
  });
}

std::shared_ptr<ImportedTable> readTableSpineml(const fs::path& path, const RunControl& control)
{
  const std::string text = readFile(path);
  const Document document = DocumentReader(text, path.string()).read(control.part(0, 0.5));
  return DocumentTable(document, path).build(control.part(0.5, 1));
}

} // namespace hinesight::io::detail
