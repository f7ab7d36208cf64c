#include "core/error.hpp"
#include "core/files.hpp"
#include "foreign_sonata.hpp"
#include "model/session_file.hpp"
#include "paths/paths.hpp"
#include "study/circuit/circuit_study.hpp"
#include "study/circuit/sonata_import.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace hinesight;
using namespace hinesight::study;

namespace fs = std::filesystem;

namespace {

void write(const fs::path& path, const std::string& text)
{
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

bool isSaid(const std::vector<std::string>& warnings, const std::string& words)
{
  return std::ranges::any_of(warnings, [&](const std::string& w) { return w.find(words) != std::string::npos; });
}

/// The sentence of the error, with its file.
std::string refusalOf(const fs::path& configuration)
{
  try {
    importSonata(configuration);
  } catch (const Error& error) {
    return error.what();
  }
  return "it was imported";
}

std::vector<double> numbersOf(const io::Hdf5Reader& file, const std::string& column)
{
  std::vector<double> numbers(file.count(column));
  file.read(column, 0, std::span(numbers));
  return numbers;
}

} // namespace

class TestSonataImport : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  fs::path path(const char* name) const { return folder.filePath(name).toStdString(); }

  /// Two populations of three nodes without positions, and edges of a file without delays.
  fs::path foreignCircuit(const char* name) const
  {
    const fs::path base = path(name);
    fs::create_directories(base / "network");
    tests::writeForeignEdges((base / "network" / "edges.h5").string(), "A", "B", {{2, 0}, {0, 1}, {2, 1}, {0, 1}});
    for (const std::string population : {"A", "B"}) {
      io::Hdf5Layout nodes(base / "network" / (population + ".h5"), population);
      nodes.addConstantColumn("/nodes/" + population + "/node_type_id", io::StoredNumber::UInt64, 3, 7);
      nodes.addGroup("/nodes/" + population + "/0");
      nodes.close();
    }
    write(base / "network" / "types.csv", "node_type_id model_type ei dynamics_params\n7 point_neuron i a.json\n");
    write(base / "network" / "edge_types.csv", "delay edge_type_id\n2.5 100\n");
    write(base / "circuit_config.json", R"({"manifest": {"$BASE": ".", "$NET": "${BASE}/network"}, "networks": {
      "nodes": [{"nodes_file": "$NET/A.h5", "node_types_file": "$NET/types.csv"},
                {"nodes_file": "$NET/B.h5", "node_types_file": "$NET/types.csv"}],
      "edges": [{"edges_file": "$NET/edges.h5", "edge_types_file": null}]}})");
    return base;
  }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  /// The example of docs/session.md: exported, imported, kept as a session, and exported again.
  void whatIsExportedComesBack()
  {
    const fs::path first = path("first"), second = path("second");
    const Circuit circuit =
        makeCircuit(model::readSession(tests::sourceFile("docs/example.hinesight").toStdString()).project);
    exportSonata(circuit, first);
    const ImportedSonata imported = importSonata(first / "circuit_config.json");
    QVERIFY2(imported.warnings.empty(), imported.warnings.empty() ? "" : imported.warnings[0].c_str());
    model::writeSession(imported.project, path("again.hinesight"));
    const Circuit again = makeCircuit(model::readSession(path("again.hinesight")).project);
    QCOMPARE(again.edges.size(), circuit.edges.size());
    exportSonata(again, second);
    for (std::size_t k = 0; k < circuit.neurons.size(); ++k) {
      const std::string name = circuit.neurons[k]->name();
      QVERIFY(again.project.populations[k].role == circuit.project.populations[k].role);
      QVERIFY(again.project.populations[k].cells == circuit.project.populations[k].cells);
      QVERIFY(readFile(first / "network" / (name + "_nodes.h5")) ==
              readFile(second / "network" / (name + "_nodes.h5")));
      QVERIFY(readFile(first / "network" / (name + "_node_types.csv")) ==
              readFile(second / "network" / (name + "_node_types.csv")));
    }
    for (const io::CircuitEdges& edges : circuit.edges)
      QVERIFY2(readFile(first / "network" / (edges.name + "_edges.h5")) ==
                   readFile(second / "network" / (edges.name + "_edges.h5")),
               edges.name.c_str());
    QCOMPARE(readFile(first / "circuit_config.json"), readFile(second / "circuit_config.json"));
    const io::Hdf5Reader nodes(second / "network" / "pyramidal_nodes.h5");
    QCOMPARE(numbersOf(nodes, "/nodes/pyramidal/0/rotation_angle_yaxis").size(), std::size_t{400});
  }

  void edgesOfOthersAreOrderedBySource()
  {
    const fs::path base = foreignCircuit("foreign");
    const ImportedSonata imported = importSonata(base / "circuit_config.json");
    QVERIFY(imported.project.populations[0].role == model::Role::Inhibitory);
    QVERIFY(isSaid(imported.warnings, "have no positions"));
    QVERIFY(isSaid(imported.warnings, "dynamics_params is not used"));
    QVERIFY(isSaid(imported.warnings, "have no delay; it is 1"));
    const Circuit circuit = makeCircuit(imported.project);
    const io::CircuitEdges& edges = circuit.edges.at(0);
    QVERIFY(std::ranges::equal(edges.offsets, std::vector<std::uint64_t>{0, 2, 2, 4}));
    QVERIFY(std::ranges::equal(edges.targetOfRow, std::vector<std::uint32_t>{1, 1, 0, 1}));
    QVERIFY(edges.delay.empty() && edges.constantDelay == 1);
  }

  void typesSayWhatEdgesDoNot()
  {
    const fs::path base = foreignCircuit("typed");
    {
      io::Hdf5Layout file(base / "network" / "edges.h5", "edges.h5");
      for (const char* const end : {"source", "target"}) {
        const std::string column = std::string("/edges/AB/") + end + "_node_id";
        file.addConstantColumn(column, io::StoredNumber::UInt64, 2, 1);
        file.addAttribute(column, "node_population", end == std::string("source") ? "A" : "B",
                          io::StoredText::Variable);
      }
      file.addConstantColumn("/edges/AB/edge_type_id", io::StoredNumber::UInt32, 2, 100);
      file.addConstantColumn("/edges/AB/0/syn_weight", io::StoredNumber::Float64, 2, -0.5);
      file.close();
    }
    std::string text = readFile(base / "circuit_config.json");
    text.replace(text.find("null"), 4, "\"network/edge_types.csv\"");
    write(base / "circuit_config.json", text);
    const Circuit circuit = makeCircuit(importSonata(base / "circuit_config.json").project);
    QCOMPARE(circuit.edges.at(0).constantDelay, 2.5F);
    QCOMPARE(circuit.edges.at(0).weight[1], -0.5F);
    write(base / "network" / "edge_types.csv", "delay edge_type_id\nsoon 100\n");
    QVERIFY_EXCEPTION_THROWN(makeCircuit(importSonata(base / "circuit_config.json").project), Error);
  }

  void edgesToNeuronsThatAreNotThereAreRefused()
  {
    const fs::path base = foreignCircuit("beyond");
    tests::writeForeignEdges((base / "network" / "edges.h5").string(), "A", "B", {{0, 3}});
    try {
      makeCircuit(importSonata(base / "circuit_config.json").project);
      QFAIL("an edge ended nowhere");
    } catch (const Error& error) {
      QVERIFY2(error.message().find("is 3 where there are 3 neurons") != std::string::npos, error.what());
    }
  }

  void whatIsWrongIsSaid_data()
  {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("words");
    QTest::newRow("no variable") << "$NET/A.h5"
                                 << "$NONE/A.h5"
                                 << "the manifest has not";
    QTest::newRow("in a circle") << "\".\""
                                 << "\"$NET\""
                                 << "do not come to an end";
    QTest::newRow("twice itself") << "\".\""
                                  << "\"$BASE$BASE\""
                                  << "do not come to an end";
    QTest::newRow("no file") << "A.h5"
                             << "none.h5"
                             << "none.h5";
    QTest::newRow("no table") << "types.csv"
                              << "none.csv"
                              << "none.csv";
    QTest::newRow("a folder") << "$NET/A.h5"
                              << "$NET"
                              << "network";
    QTest::newRow("not HDF5") << "A.h5"
                              << "types.csv"
                              << "types.csv";
    QTest::newRow("nodes for edges") << "edges.h5"
                                     << "A.h5"
                                     << "has no /edges";
    QTest::newRow("no list") << "\"edges\": ["
                             << "\"edges\": {\"x\": ["
                             << "is no JSON object";
    QTest::newRow("not text") << "null"
                              << "3"
                              << "is no text";
    QTest::newRow("no networks") << "\"networks\""
                                 << "\"others\""
                                 << "has no \"networks\"";
    QTest::newRow("population not named") << "{\"nodes_file\": \"$NET/A.h5\", \"node_types_file\": \"$NET/types.csv\"},"
                                          << ""
                                          << "which the configuration does not name";
  }
  void whatIsWrongIsSaid()
  {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, words);
    const fs::path base = foreignCircuit("wrong");
    std::string text = readFile(base / "circuit_config.json");
    const std::size_t at = text.find(from.toStdString());
    QVERIFY(at != std::string::npos);
    text.replace(at, static_cast<std::size_t>(from.size()), to.toStdString());
    write(base / "circuit_config.json", text);
    const std::string refusal = refusalOf(base / "circuit_config.json");
    QVERIFY2(refusal.find(words.toStdString()) != std::string::npos, refusal.c_str());
  }

  void filesElsewhereAreNamed()
  {
    const fs::path base = foreignCircuit("elsewhere");
    const fs::path inner = base / "inner" / "circuit_config.json";
    std::string text = readFile(base / "circuit_config.json");
    text.replace(text.find("\".\""), 3, "\"..\"");
    write(inner, text);
    QVERIFY(isSaid(importSonata(inner).warnings, "edges.h5\" lies outside of the configuration's folder"));
    text.replace(text.find("\"..\""), 4, '"' + base.string() + '"');
    write(inner, text);
    QVERIFY(isSaid(importSonata(inner).warnings, "edges.h5\" lies outside of the configuration's folder"));
  }

  void morphologiesAreOfTheirFolder()
  {
    const fs::path base = foreignCircuit("cells");
    std::string text = readFile(base / "circuit_config.json");
    const auto morphology = [&](const std::string& name) {
      write(base / "network" / "types.csv", "node_type_id morphology\n7 " + name + "\n");
      return refusalOf(base / "circuit_config.json");
    };
    QVERIFY(morphology("one").find("has no \"morphologies_dir\"") != std::string::npos);
    text.insert(1, "\"components\": {\"morphologies_dir\": \"swc\"}, ");
    write(base / "circuit_config.json", text);
    QVERIFY(morphology("one").find("is not there") != std::string::npos);
    QVERIFY(morphology("../secret").find("a name below") != std::string::npos);
    QVERIFY(morphology("/etc/passwd").find("a name below") != std::string::npos);
    write(base / "swc" / "one.swc", "1 1 0 0 0 5 -1\n");
    QCOMPARE(morphology("one"), std::string("it was imported"));
    QCOMPARE(importSonata(base / "circuit_config.json").project.cells.at(0).name, std::string("one"));
  }

  void countsThatNoMachineHoldsAreRefused()
  {
    const fs::path base = foreignCircuit("huge");
    {
      io::Hdf5Layout nodes(base / "network" / "A.h5", "A.h5");
      nodes.addConstantColumn("/nodes/A/node_type_id", io::StoredNumber::UInt64, std::uint64_t{1} << 33, 7);
      nodes.close();
    }
    const std::string refusal = refusalOf(base / "circuit_config.json");
    QVERIFY2(refusal.find("claims more values than") != std::string::npos, refusal.c_str());
  }

  void publishedCircuitsAreOpened_data()
  {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("cells");
    QTest::addColumn<int>("connections");
    QTest::newRow("five cells") << "sonata/5_cells_iclamp/circuit_config.json" << 5 << 0;
    QTest::newRow("a cell and its inputs") << "bmtk/bio_1cell/config.simulation_syns.json" << 1 << 1;
  }
  void publishedCircuitsAreOpened()
  {
    QFETCH(QString, file);
    QFETCH(int, cells);
    QFETCH(int, connections);
    const fs::path config = tests::sharedFile("models/" + file).toStdString();
    if (!fs::exists(config))
      QSKIP("the published models are not here");
    const ImportedSonata imported = importSonata(config);
    QCOMPARE(imported.project.cells.size(), static_cast<std::size_t>(cells));
    QCOMPARE(imported.project.connections.size(), static_cast<std::size_t>(connections));
    QVERIFY(isSaid(imported.warnings, "model_template"));
    const Circuit circuit = makeCircuit(imported.project);
    QCOMPARE(circuit.cells.size(), static_cast<std::size_t>(cells));
    exportSonata(circuit, path(qPrintable("published" + QString::number(cells))));
  }
};

HINESIGHT_TEST(TestSonataImport)

#include "test_sonata_import.moc"
