#include "foreign_sonata.hpp"
#include "paths/paths.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "io/networks/network_files.hpp"
#include "io/networks/network_start.hpp"
#include "io/networks/relearn_files.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <bit>
#include <random>

using namespace hinesight;
using synapse::NeuronPopulation;
using synapse::StaticSynapse;
using synapse::Synapse;

namespace {

constexpr std::array<const char*, 4> kEndings = {"one.txt", "one.h5", "one.csv", "folder/"};

/// Neurons whose coordinates have all their digits, of the given areas.
NeuronPopulation makeNeurons(std::size_t count, std::vector<std::string> areas)
{
  std::mt19937_64 random(count);
  std::uniform_real_distribution<double> coordinate(-3000, 3000);
  NeuronPopulation population;
  population.areaNames = std::move(areas);
  for (std::size_t i = 0; i < count; ++i) {
    population.position.push_back({coordinate(random), coordinate(random), coordinate(random)});
    population.isInhibitory.push_back(random() % 4 == 0);
    population.area.push_back(static_cast<std::uint32_t>(random() % population.areaNames.size()));
  }
  return population;
}

/// Every neuron with up to five targets; synapses of inhibitory neurons count down.
std::vector<Synapse> makeSynapses(const NeuronPopulation& population, std::uint64_t seed)
{
  std::mt19937_64 random(seed);
  std::vector<Synapse> synapses;
  for (std::uint32_t source = 0; source < population.size(); ++source)
    for (std::uint64_t n = random() % 6; n > 0; --n) {
      const auto target = static_cast<std::uint32_t>(random() % population.size());
      const auto weight = static_cast<std::int32_t>(1 + random() % 3);
      synapses.push_back({source, target, population.isInhibitory[source] ? -weight : weight});
    }
  std::ranges::sort(synapses);
  const auto again = std::ranges::unique(
      synapses, [](const Synapse& a, const Synapse& b) { return a.source == b.source && a.target == b.target; });
  synapses.erase(again.begin(), again.end());
  return synapses;
}

io::StoredNetwork makeNetwork(const NeuronPopulation& population, bool hasStatic)
{
  io::StoredNetwork network;
  network.plastic = {population.size(), makeSynapses(population, 1)};
  if (hasStatic)
    for (const Synapse& s : makeSynapses(population, 2)) // weights with all their digits
      network.fixed.push_back({s.source, s.target, s.weight / 3.0});
  network.step = 4'200;
  return network;
}

bool isSame(const io::StoredNetwork& a, const io::StoredNetwork& b)
{
  return a.neurons() == b.neurons() && a.plastic.synapses == b.plastic.synapses && a.fixed == b.fixed &&
         a.step == b.step;
}

/// The same places bit for bit, types and names of areas.
bool isSame(const NeuronPopulation& a, const NeuronPopulation& b)
{
  if (a.size() != b.size() || a.isInhibitory != b.isInhibitory || b.area.size() != b.size())
    return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (std::bit_cast<std::uint64_t>(a.position[i][axis]) != std::bit_cast<std::uint64_t>(b.position[i][axis]))
        return false;
    if (a.areaNames[a.area[i]] != b.areaNames[b.area[i]])
      return false;
  }
  return true;
}

/// The standard output of a program; none where it is not installed.
std::optional<QByteArray> outputOf(const QString& program, const QStringList& arguments)
{
  constexpr int kLongest = 60'000;
  QProcess process;
  process.start(program, arguments);
  if (!process.waitForStarted())
    return std::nullopt;
  process.closeWriteChannel();
  if (!process.waitForFinished(kLongest))
    return QByteArray("did not end");
  return process.exitCode() == 0 ? process.readAllStandardOutput() : process.readAllStandardError();
}

const std::string kNetworkHead = "# Total number neurons: 3\n# Local number neurons: 3\n# Number MPI ranks: 1\n"
                                 "# Current simulation step: 102\n";

} // namespace

class TestNetworkFiles : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::string path(const QString& name) const { return folder.filePath(name).toStdString(); }

  void write(const QString& name, const std::string& bytes) const
  {
    writeFileAtomically(path(name), [&](std::ostream& stream) { stream << bytes; });
  }

  void makeFolder(const QString& name) const { QVERIFY(QDir(folder.path()).mkpath(name)); }

  static void addEndings()
  {
    QTest::addColumn<QString>("name");
    for (const char* ending : kEndings)
      QTest::newRow(ending) << ending;
  }

  /// What reading the file fails with.
  template <typename Read>
  QString failureOf(const Read& read) const
  {
    try {
      read();
    } catch (const Error& error) {
      QString sentence = QString::fromStdString(error.what());
      return QString::fromUtf8(errorCodeName(error.code()).data()) + " " + sentence.remove(folder.path() + "/");
    }
    return "does not fail";
  }

private slots:
  void initTestCase()
  {
    QVERIFY(folder.isValid());
    makeFolder("folder");
  }

  void readsNeuronsThatItWrote_data() { addEndings(); }

  void readsNeuronsThatItWrote()
  {
    QFETCH(QString, name);
    for (const std::size_t count : {std::size_t{1}, std::size_t{2'500}}) {
      NeuronPopulation population = makeNeurons(count, {"hippocampus", "random", "layer_4"});
      population.position[0] = {1e300, -0x1p-1074, 0.1};
      io::writeNeuronPopulation(population, path(name));
      QVERIFY(isSame(population, io::readNeuronPopulation(path(name))));
    }
  }

  void readsNetworksThatItWrote_data() { addEndings(); }

  void readsNetworksThatItWrote()
  {
    QFETCH(QString, name);
    const NeuronPopulation population = makeNeurons(2'500, {"random"});
    for (const bool hasStatic : {false, true}) {
      const io::StoredNetwork network = makeNetwork(population, hasStatic);
      QVERIFY(network.plastic.synapses.size() > 5'000);
      io::writeNetwork(network, population, path(name));
      QVERIFY(isSame(network, io::readNetwork(path(name))));
    }
    io::StoredNetwork none;
    none.plastic.neurons = population.size();
    io::writeNetwork(none, population, path(name));
    QVERIFY(isSame(none, io::readNetwork(path(name))));
    for (const QString& file : QDir(folder.path()).entryList(QDir::Files | QDir::Hidden))
      QVERIFY2(!file.endsWith(".tmp"), qPrintable(file));
  }

  void writesTheSameBytes_data() { addEndings(); }

  void writesTheSameBytes()
  {
    QFETCH(QString, name);
    const NeuronPopulation population = makeNeurons(400, {"random"});
    const std::string file = path(name) + (name.endsWith('/') ? "rank_0_out_network.txt" : "");
    io::writeNetwork(makeNetwork(population, true), population, path(name));
    const std::string bytes = readFile(file);
    io::writeNetwork(io::readNetwork(path(name)), population, path(name));
    QVERIFY(readFile(file) == bytes);
  }

  void namesTheParametersOfANetwork()
  {
    NeuronPopulation population = makeNeurons(60, {"random"});
    population.origin = {{"neurons", "60"}, {"seed", "2"}};
    io::StoredNetwork network = makeNetwork(population, true);
    network.settings = {{"theta", "0.3"}, {"seed", "1"}, {"stimuli.0.area", "two\nlines, one = other"}};
    std::vector<Setting> expected = network.settings;
    expected.push_back({"neurons", "60"});
    for (const QString name : {"named.csv", "named.h5"}) {
      io::writeNetwork(network, population, path(name));
      const io::StoredNetwork read = io::readNetwork(path(name));
      QVERIFY(isSame(network, read));
      QVERIFY(read.settings == expected);
      const std::string bytes = readFile(path(name));
      io::writeNetwork(read, population, path(name));
      QVERIFY(readFile(path(name)) == bytes);
    }
  }

  void keepsNeuronsBesideSonataEdges()
  {
    const NeuronPopulation population = makeNeurons(300, {"a, b", "\"c\"", "d\xC3\xA9"});
    io::writeNetwork(makeNetwork(population, true), population, path("both.h5"));
    QVERIFY(isSame(population, io::readNeuronPopulation(path("both.h5"))));
    // Names with blanks, commas and quotes are no hindrance in CSV either.
    io::writeNeuronPopulation(population, path("names.csv"));
    QVERIFY(isSame(population, io::readNeuronPopulation(path("names.csv"))));
  }

  void readsSeveralRanks()
  {
    makeFolder("ranks");
    write("ranks/rank_0_positions.txt", "# 2 of 3\n1 0.5 1 2 first ex\n2 3 4 5 second in\n");
    write("ranks/rank_1_positions.txt", "# 1 of 3\r\n1 6 7 8 second ex\r\n");
    const NeuronPopulation neurons = io::readNeuronPopulation(path("ranks"));
    QCOMPARE(neurons.position, (std::vector<synapse::Position>{{0.5, 1, 2}, {3, 4, 5}, {6, 7, 8}}));
    QCOMPARE(neurons.isInhibitory, (std::vector<std::uint8_t>{0, 1, 0}));
    QCOMPARE(neurons.area, (std::vector<std::uint32_t>{0, 1, 1}));
    QCOMPARE(neurons.areaNames, (std::vector<std::string>{"first", "second"}));

    const std::string head = "# Total number neurons: 3\n# Number MPI ranks: 2\n# Current simulation step: 7\n";
    write("ranks/rank_0_in_network.txt", head + "# Local number neurons: 2\n0 1\t1 1\t2\t1\n0 2 0 1 1 1\n");
    write("ranks/rank_1_in_network.txt", head + "# Local number neurons: 1\n1 1\t0 2\t-1\t1\n1 1\t0 1\t3.0\t0\n");
    const io::StoredNetwork network = io::readNetwork(path("ranks"));
    QCOMPARE(network.plastic.synapses, (std::vector<Synapse>{{0, 1, 1}, {1, 2, -1}, {2, 0, 2}}));
    QCOMPARE(network.fixed, (std::vector<StaticSynapse>{{0, 2, 3}}));
    QCOMPARE(network.step, 7u);
    QCOMPARE(network.neurons(), std::size_t{3});

    // The out-networks say the same, by source; then one of them is out of date.
    const std::string outOf0 = head + "# Local number neurons: 2\n0 2 0 1 1 1\n1 1 0 1 3 0\n1 1 0 2 -1 1\n";
    const std::string outOf1 = head + "# Local number neurons: 1\n0 1 1 1 2 1\n";
    write("ranks/rank_0_out_network.txt", outOf0);
    write("ranks/rank_1_out_network.txt", outOf1);
    QVERIFY(isSame(network, io::readNetwork(path("ranks"))));
    write("ranks/rank_1_out_network.txt", head + "# Local number neurons: 1\n");
    const QString failure = failureOf([&] { io::readNetwork(path("ranks")); });
    QVERIFY2(failure.contains("not of the same synapses"), qPrintable(failure));
    // A rank's file alone does not know where the neurons of the others begin.
    const QString alone = failureOf([&] { io::readNetwork(path("ranks/rank_0_in_network.txt")); });
    QVERIFY2(alone.contains("open the folder with the files of all of them"), qPrintable(alone));
  }

  void addsRowsOfOnePairUp()
  {
    write("twice.csv", "source,target,weight,plastic\n4,1,1,1\n0,2,-2,1\n4,1,3,1\n4,1,5.5,0\n4,1,0.25,0\n0,2,-1,1\n");
    const io::StoredNetwork network = io::readNetwork(path("twice.csv"));
    QCOMPARE(network.plastic.synapses, (std::vector<Synapse>{{0, 2, -3}, {4, 1, 4}}));
    QCOMPARE(network.fixed, (std::vector<StaticSynapse>{{4, 1, 5.75}}));
    QCOMPARE(network.neurons(), std::size_t{5});
  }

  void refusesMoreElementsThanCanBeCounted()
  {
    const auto failureOf = [](const std::vector<Synapse>& synapses) {
      const auto population = std::make_shared<NeuronPopulation>(makeNeurons(4, {"all"}));
      std::ranges::fill(population->isInhibitory, 0);
      const io::StoredNetwork network = {{4, synapses}, {}, 0};
      try {
        io::startFromNetwork(population, {}, network, "file");
      } catch (const Error& error) {
        return errorCodeName(error.code()) == "badFormat" ? QString(error.what()) : QString("another failure");
      }
      return QString("none");
    };
    constexpr std::int32_t kMost = INT32_MAX;
    QCOMPARE(failureOf({{0, 1, kMost}, {0, 2, kMost}, {0, 3, 1}}), QString("none"));
    QVERIFY(failureOf({{0, 1, kMost}, {0, 2, kMost}, {0, 3, 2}}).contains("neuron 0 "));
    QVERIFY(failureOf({{0, 3, kMost}, {1, 3, kMost}, {2, 3, 2}}).contains("file: gives neuron 3 "));
  }

  void readsBarePositions()
  {
    write("bare.csv", "x,y,z\n1,2,3\n4,5,6\n");
    const NeuronPopulation neurons = io::readNeuronPopulation(path("bare.csv"));
    QCOMPARE(neurons.position, (std::vector<synapse::Position>{{1, 2, 3}, {4, 5, 6}}));
    QCOMPARE(neurons.isInhibitory, (std::vector<std::uint8_t>{0, 0}));
    QCOMPARE(neurons.areaNames, (std::vector<std::string>{"random"}));
  }

  void pythonReadsTextFiles()
  {
    const NeuronPopulation population = makeNeurons(700, {"random", "other"});
    const io::StoredNetwork network = makeNetwork(population, true);
    QByteArray wanted;
    const auto want = [&wanted](const auto& synapses, int plastic) {
      for (const auto& s : synapses)
        wanted += QString("%1 %2 %3 %4\n")
                      .arg(s.source)
                      .arg(s.target)
                      .arg(double(s.weight), 0, 'g', 17)
                      .arg(plastic)
                      .toUtf8();
    };
    want(network.plastic.synapses, 1);
    want(network.fixed, 0);
    for (const char* name : {"py.csv", "py.txt", "py_out_network.txt"}) {
      io::writeNetwork(network, population, path(name));
      const auto out =
          outputOf("/usr/bin/python3",
                   {"-c",
                    "import sys, csv\n"
                    "lines = [l for l in open(sys.argv[1]) if not l.startswith('#')]\n"
                    "if sys.argv[1].endswith('.csv'):\n"
                    "  rows = [[float(v) for v in r.values()] for r in csv.DictReader(lines)]\n"
                    "else:\n"
                    "  rows = [[float(v) for v in l.split()] for l in lines]\n"
                    "  key = 3 if 'out_network' in sys.argv[1] else 1\n"
                    "  part = [r[key] for r in rows if r[5] == 1]\n"
                    "  assert part == sorted(part) and all(r[0] == r[2] == 0 for r in rows)\n"
                    "  rows = [[r[3] - 1, r[1] - 1, r[4], r[5]] for r in rows]\n"
                    "for r in sorted(rows, key=lambda r: (-r[3], r[0], r[1])): print('%d %d %.17g %d' % tuple(r))",
                    QString::fromStdString(path(name))});
      if (!out)
        QSKIP("there is no python here");
      QVERIFY2(*out == wanted, name);
    }
    io::writeNeuronPopulation(population, path("py_positions.txt"));
    const auto out =
        outputOf("/usr/bin/python3", {"-c",
                                      "import sys\n"
                                      "for l in open(sys.argv[1]):\n"
                                      "  w = l.split()\n"
                                      "  if w[0] != '#': print(w[0], *(float(v).hex() for v in w[1:4]), w[4], w[5])",
                                      QString::fromStdString(path("py_positions.txt"))});
    const QList<QByteArray> lines = out->trimmed().split('\n');
    QCOMPARE(lines.size(), qsizetype(population.size()));
    for (std::size_t i = 0; i < population.size(); ++i) {
      const QList<QByteArray> words = lines[qsizetype(i)].split(' ');
      QCOMPARE(words[0].toULongLong(), qulonglong(i + 1));
      for (std::size_t axis = 0; axis < 3; ++axis)
        QCOMPARE(std::strtod(words[qsizetype(1 + axis)].constData(), nullptr), population.position[i][axis]);
      QCOMPARE(words[4].toStdString(), population.areaNames[population.area[i]]);
      QCOMPARE(words[5], QByteArray(population.isInhibitory[i] ? "in" : "ex"));
    }
  }

  void h5dumpReadsSonata()
  {
    const NeuronPopulation population = makeNeurons(40, {"random", "other"});
    const io::StoredNetwork network = makeNetwork(population, true);
    io::writeNetwork(network, population, path("dump.h5"));
    const auto dump = [&](const QString& column) {
      const auto out = outputOf("h5dump", {"-y", "-w", "0", "-d", column, QString::fromStdString(path("dump.h5"))});
      return out ? QString::fromUtf8(*out).simplified() : QString();
    };
    const QString edges = "/edges/neurons__neurons__plastic/";
    QString text = dump(edges + "target_node_id");
    if (text.isEmpty())
      QSKIP("there is no h5dump here");
    QStringList targets, weights, classes;
    for (const Synapse& synapse : network.plastic.synapses) {
      targets << QString::number(synapse.target);
      weights << QString::number(synapse.weight);
    }
    QVERIFY2(text.contains("DATA { " + targets.join(", ") + " }"), qPrintable(text));
    QVERIFY2(text.contains("\"neurons\""), qPrintable(text));
    text = dump(edges + "0/syn_weight");
    QVERIFY2(text.contains("DATA { " + weights.join(", ") + " }"), qPrintable(text));
    for (const std::uint8_t isInhibitory : population.isInhibitory)
      classes << QString::number(isInhibitory);
    text = dump("/nodes/neurons/0/synapse_class");
    QVERIFY2(text.contains("DATA { " + classes.join(", ") + " }"), qPrintable(text));
    text = dump("/nodes/neurons/0/@library/synapse_class");
    QVERIFY2(text.contains("\"EXC\"") && text.contains("\"INH\""), qPrintable(text));
  }

  void saysWhatIsWrong_data()
  {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("bytes");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char* title, const char* name, const std::string& bytes, const char* sentence) {
      QTest::newRow(title) << name << QString::fromStdString(bytes) << sentence;
    };
    row("unknown ending", "bad.dat", "", "badParameter bad.dat: neurons and networks are in files .csv, .h5, .txt");
    row("no rows", "bad_positions.txt", "# 0 of 0\n", "holds no neurons");
    row("no id", "bad_positions.txt", "# a\nx 0 0 0 a ex\n",
        "badFormat bad_positions.txt:2: \"x 0 0 0 a ex\" is no row");
    row("ids with a gap", "bad_positions.txt", "1 0 0 0 a ex\n3 0 0 0 a ex\n",
        ":2: is of neuron 3 where 2 is expected");
    row("too few columns", "bad_positions.txt", "1 0 0 0 a\n", ":1: \"1 0 0 0 a\" does not end in an area");
    row("a type unknown", "bad_positions.txt", "1 0 0 0 a exc\n", ":1: \"1 0 0 0 a exc\" does not end in an area");
    row("not a number", "bad_positions.txt", "1 0 nan 0 a ex\n", ":1: \"nan\" is no finite coordinate of neuron 1");
    row("too large", "bad_positions.txt", "1 0 0 1e999 a ex\n", ":1: \"1e999\" is no finite coordinate of neuron 1");
    row("too few neurons", "bad_positions.txt", "# 2 of 2\n1 0 0 0 a ex\n",
        "holds 1 neurons where its first line says 2");
    row("one rank of two", "bad_positions.txt", "# 1 of 2\n1 0 0 0 a ex\n", "holds 1 of 2 neurons; open the folder");
    row("no head", "bad_network.txt", "0 1 0 2 1 1\n", ":1: does not begin with \"# Total number neurons: N\"");
    row("a short row", "bad_network.txt", kNetworkHead + "0 1\t0 2\t1\n", ":5: \"0 1\t0 2\t1\" is no row");
    row("a long row", "bad_network.txt", kNetworkHead + "0 1 0 2 1 1 1\n", ":5: \"0 1 0 2 1 1 1\" is no row");
    row("neither plastic nor static", "bad_network.txt", kNetworkHead + "0 1 0 2 1 2\n",
        ":5: \"0 1 0 2 1 2\" is no row");
    row("no such neuron", "bad_network.txt", kNetworkHead + "0 1 0 4 1 1\n",
        ":5: names neuron 4 of rank 0, which has neurons 1 to 3");
    row("neuron 0", "bad_network.txt", kNetworkHead + "0 0 0 2 1 1\n", ":5: names neuron 0 of rank 0");
    row("no such rank", "bad_network.txt", kNetworkHead + "1 1 0 2 1 1\n",
        ":5: names rank 1, of which there is no file");
    row("half a synapse", "bad_network.txt", kNetworkHead + "0 1 0 2 0.5 1\n", ":5: has a weight that is no count");
    row("no weight", "bad_network.txt", kNetworkHead + "0 1 0 2 nan 0\n",
        ":5: has a static weight that is not a number");
    row("no synapse", "bad_network.txt", kNetworkHead + "0 1 0 2 0 1\n", ":5: has a weight that is no count");
    row("too many synapses", "bad_network.txt", kNetworkHead + "0 1 0 2 2147483647 1\n0 1 0 2 1 1\n",
        "the synapses from neuron 1 to 0 (counted from 0) are more than there can be");
    row("sizes disagree", "bad_network.txt", "# Total number neurons: 4\n# Local number neurons: 3\n",
        "says that there are 4 neurons, its ranks have 3");
    row("no columns", "bad_network.csv", "# a\n1,2,1,1\n", ":2: does not name the columns");
    row("an empty file", "bad_network.csv", "", "does not name the columns");
    row("a row cut short", "bad_network.csv", "source,target,weight,plastic\n1,2,1\n", ":2: \"1,2,1\" is no row");
    row("rows missing", "bad_network.csv", "# rows: 2\nsource,target,weight,plastic\n1,2,1,1\n", "holds 1 of 2 rows");
    row("beyond the neurons", "bad_network.csv", "# neurons: 2\nsource,target,weight,plastic\n1,2,1,1\n",
        ":3: names neuron 2 (counted from 0) of 2");
    row("too many neurons", "bad_network.csv", "# neurons: 5000000000\nsource,target,weight,plastic\n",
        "has 5000000000 neurons, more than there can be");
    row("a type missing", "bad_positions.csv", "x,y,z,type,area\n1,2,3\n", ":2: \"\" is no type of a neuron");
    row("neurons missing", "bad_positions.csv", "# neurons: 2\nx,y,z,type,area\n1,2,3,ex,a\n", "holds 1 of 2 neurons");
    row("a quote left open", "bad_positions.csv", "x,y,z,type,area\n1,2,3,ex,\"a\n", "badFormat bad_positions.csv:");
    row("no HDF5", "bad_network.h5", "no HDF5", "badFormat bad_network.h5: is no HDF5 file");
  }

  void saysWhatIsWrong()
  {
    QFETCH(QString, name);
    QFETCH(QString, bytes);
    QFETCH(QString, sentence);
    write(name, bytes.toStdString());
    const QString failure = failureOf([&] {
      if (name.contains("positions"))
        io::readNeuronPopulation(path(name));
      else
        io::readNetwork(path(name));
    });
    QVERIFY2(failure.contains(sentence), qPrintable(failure));
  }

  void tellsWhatSonataHolds()
  {
    const auto isOf = [](const io::SonataContent& content, bool neurons, bool network, bool table) {
      return content.hasNeurons == neurons && content.canBeNetwork == network && content.canBeTable == table;
    };
    const NeuronPopulation population = makeNeurons(9, {"a"});
    io::writeNetwork(makeNetwork(population, true), population, path("own.h5"));
    QVERIFY(isOf(io::sonataContent(path("own.h5")), true, true, false));
    io::writeNeuronPopulation(population, path("nodes.h5"));
    QVERIFY(isOf(io::sonataContent(path("nodes.h5")), true, false, false));
    tests::writeForeignEdges(path("recurrent.h5"), "v1", "v1", {{0, 1}, {1, 2}});
    QVERIFY(isOf(io::sonataContent(path("recurrent.h5")), false, true, false));
    tests::writeForeignEdges(path("whole.h5"), "v1", "v1", {{0, 1}, {1, 2}}, 3);
    QVERIFY(isOf(io::sonataContent(path("whole.h5")), true, true, true));
    tests::writeForeignEdges(path("forward.h5"), "lgn", "v1", {{0, 1}});
    QVERIFY(isOf(io::sonataContent(path("forward.h5")), false, false, true));
    write("none.h5", "nothing of the kind");
    QVERIFY(failureOf([&] { io::sonataContent(path("none.h5")); }).contains("is no HDF5 file"));
  }

  void tellsWhatAFileIs()
  {
    using enum io::NetworkContent;
    const NeuronPopulation population = makeNeurons(9, {"a"});
    for (const io::NetworkFormat& format : io::networkFormats()) {
      const std::string network = "a_network" + std::string(format.ending);
      io::writeNetwork(makeNetwork(population, false), population, path(network.c_str()));
      QVERIFY2(io::networkContent(path(network.c_str())) == Network, network.c_str());
      const std::string neurons = "a_neurons" + std::string(format.ending);
      io::writeNeuronPopulation(population, path(neurons.c_str()));
      QVERIFY2(io::networkContent(path(neurons.c_str())) == Neurons, neurons.c_str());
    }
    tests::writeForeignEdges(path("either.h5"), "v1", "v1", {{0, 1}, {1, 2}}, 3);
    QVERIFY(io::networkContent(path("either.h5")) == NetworkOrTable);
    write("late.TXT", "# a comment\n \n\t2 0 1 0 1 1 \r\n");
    QVERIFY(io::networkContent(path("late.TXT")) == Network);
    write("static.txt", "# Total number neurons: 3\n0 2 0 1 -0.25 0\n");
    QVERIFY(io::networkContent(path("static.txt")) == Network);
    write("table.csv", "source,destination,weight\n0,1,0.5\n");
    write("part.txt", "0 0 1 0 1\n");
    write("fraction.txt", "0 0.5 1 0 1 1\n");
    write("word.txt", "0 2 0 1 much 0\n");
    write("none.h5", "nothing of the kind");
    write("network.dat", "0 0 1 0 1 1\n");
    for (const char* other :
         {"table.csv", "part.txt", "fraction.txt", "word.txt", "none.h5", "network.dat", "missing.csv"})
      QVERIFY2(io::networkContent(path(other)) == Other, other);
  }

  void saysWhatIsWrongWithSonata()
  {
    const NeuronPopulation population = makeNeurons(50, {"random"});
    io::writeNeuronPopulation(population, path("nodes.h5"));
    QVERIFY(failureOf([&] { io::readNetwork(path("nodes.h5")); }).contains("has no /edges"));
    io::writeNetwork(makeNetwork(population, true), population, path("whole.h5"));
    const std::string bytes = readFile(path("whole.h5"));
    // Cut anywhere: refused, or not noticed because what is missing is nothing that was read.
    for (std::size_t kept = 0; kept < bytes.size(); kept += bytes.size() / 97) {
      write("cut.h5", bytes.substr(0, kept));
      const QString failure = failureOf([&] { io::readNetwork(path("cut.h5")); });
      QVERIFY2(failure.startsWith("badFormat cut.h5: "), qPrintable(failure));
    }
  }

  void namesTheFileAndTheRow()
  {
    const NeuronPopulation population = makeNeurons(9, {"a"});
    const QString failure =
        failureOf([&] { io::writeNetwork(makeNetwork(makeNeurons(8, {"a"}), false), population, path("other.csv")); });
    QVERIFY2(failure.startsWith("badParameter other.csv: is to hold a network of 8 neurons with a population of 9"),
             qPrintable(failure));
    // The first row as any other.
    tests::writeForeignEdges(path("first.h5"), "v1", "v1", {{0, 9}, {1, 2}}, 3);
    const QString first = failureOf([&] { io::readNetwork(path("first.h5")); });
    QVERIFY2(first.startsWith("badFormat first.h5: row 1 names neuron 9 (counted from 0) of 3"), qPrintable(first));
  }

  void saysWhatIsMissing()
  {
    QVERIFY(failureOf([&] { io::readNetwork(path("absent.txt")); }).startsWith("fileNotFound"));
    makeFolder("empty");
    QVERIFY(failureOf([&] { io::readNetwork(path("empty")); }).contains("holds no files rank_R_in_network.txt"));
    QVERIFY(failureOf([&] { io::readNeuronPopulation(path("empty")); }).contains("holds no files rank_R_positions"));
    makeFolder("gap");
    write("gap/rank_1_positions.txt", "1 0 0 0 a ex\n");
    QVERIFY(failureOf([&] { io::readNeuronPopulation(path("gap")); }).contains("of rank 0, but one of rank 1"));
  }

  void refusesWhatItCannotWrite()
  {
    const NeuronPopulation population = makeNeurons(3, {"two words"});
    QVERIFY(failureOf([&] { io::writeNeuronPopulation(population, path("area.txt")); }).contains("without blanks"));
    QVERIFY(!QFile::exists(folder.filePath("area.txt")));
    io::StoredNetwork network;
    network.plastic.neurons = 4;
    QVERIFY(failureOf([&] { io::writeNetwork(network, population, path("n.txt")); }).startsWith("badParameter"));
    network.plastic.neurons = 3;
    QVERIFY(failureOf([&] { io::writeNetwork(network, population, path("no/n.txt")); }).startsWith("writeFailed"));
  }

  void canBeCancelled()
  {
    const NeuronPopulation population = makeNeurons(100'000, {"random"});
    const io::StoredNetwork network = makeNetwork(population, false);
    for (const char* name : {"cancel.txt", "cancel.h5", "cancel.csv"}) {
      io::writeNetwork(network, population, path(name));
      const std::string bytes = readFile(path(name));
      const RunControl control;
      control.cancel();
      QVERIFY(failureOf([&] { io::readNetwork(path(name), control); }).startsWith("cancelled"));
      QVERIFY(failureOf([&] { io::writeNetwork(network, population, path(name), control); }).startsWith("cancelled"));
      QVERIFY(readFile(path(name)) == bytes);
    }
  }

  void readsPackedText()
  {
    const NeuronPopulation population = makeNeurons(60'000, {"random"});
    io::writeNeuronPopulation(population, path("packed.txt"));
    const std::string text = readFile(path("packed.txt"));
    const QString packed = folder.filePath("packed.txt.gz");
    if (!outputOf("gzip", {"-k", "-1", folder.filePath("packed.txt")}))
      QSKIP("there is no gzip here");
    QVERIFY(isSame(population, io::readNeuronPopulation(packed.toStdString())));
    const std::string bytes = readFile(packed.toStdString());
    write("half.txt.gz", bytes.substr(0, bytes.size() / 2));
    write("none.txt.gz", "no gzip");
    write("empty.txt.gz", "");
    for (const char* name : {"half.txt.gz", "none.txt.gz", "empty.txt.gz"})
      QVERIFY(failureOf([&] { io::readNeuronPopulation(path(name)); }).endsWith("is no gzip file, or was cut short"));
    // Two members, as two packed files one behind the other.
    const std::size_t middle = text.find('\n', text.size() / 2) + 1;
    write("a.txt", text.substr(0, middle));
    write("b.txt", text.substr(middle));
    QVERIFY(outputOf("gzip", {"-1", folder.filePath("a.txt"), folder.filePath("b.txt")}));
    write("members.txt.gz", readFile(path("a.txt.gz")) + readFile(path("b.txt.gz")));
    QVERIFY(isSame(population, io::readNeuronPopulation(path("members.txt.gz"))));
  }

  /// Of more rows than any part of a file that is read or written at once.
  void keepsLargeNetworks()
  {
    const NeuronPopulation population = makeNeurons(400'000, {"random"});
    const io::StoredNetwork network = makeNetwork(population, false);
    QVERIFY(network.plastic.synapses.size() > 950'000);
    for (const char* name : {"large.txt", "large.h5", "large.csv"}) {
      io::writeNetwork(network, population, path(name));
      QVERIFY(isSame(network, io::readNetwork(path(name))));
      io::writeNeuronPopulation(population, path(name));
      QVERIFY(isSame(population, io::readNeuronPopulation(path(name))));
    }
  }

  void readsRealFiles()
  {
    const QString real = tests::sharedFile("reference/relearn_networks/");
    if (!QFile::exists(real + "positions.txt.gz"))
      QSKIP("RELeARN's own files are not here");
    const NeuronPopulation neurons = io::readNeuronPopulation((real + "positions.txt.gz").toStdString());
    QCOMPARE(neurons.size(), std::size_t{10'000});
    QVERIFY(neurons.position[1] == (synapse::Position{25.1381628233939, 401.829619854223, 165.963918617461}));
    const io::StoredNetwork network = io::readNetwork((real + "in_network_sigma100_seed01.txt.gz").toStdString());
    QCOMPARE(network.neurons(), neurons.size());
    QCOMPARE(network.step, 102u);
    QVERIFY(network.plastic.synapses.size() >= 6'221 && network.plastic.synapses.size() <= 6'302);
    QVERIFY(std::ranges::binary_search(network.plastic.synapses, Synapse{4640, 0, 1}));
    // Written again, the file is RELeARN's, byte for byte, but for the empty line at its end.
    io::writeNetwork(network, neurons, path("again_in_network.txt"));
    const auto text = outputOf("gunzip", {"-c", real + "in_network_sigma100_seed01.txt.gz"});
    QVERIFY(text);
    QVERIFY(readFile(path("again_in_network.txt")) + "\n" == text->toStdString());
  }
};

HINESIGHT_TEST(TestNetworkFiles)
#include "test_network_files.moc"
