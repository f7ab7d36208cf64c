#include "core/error.hpp"
#include "core/files.hpp"
#include "io/networks/network_files.hpp"
#include "io/networks/neuron_files.hpp"
#include "test_main.hpp"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace hinesight;
using projection::PopulationKind;
using projection::PopulationParameters;

namespace {

const QList<double> kTwoNeurons = {1, 2, 3, -4.5, 5e1, 0.25}; ///< x, y, z of each

/// The positions one neuron after the other.
QList<double> inOrder(const std::array<std::vector<double>, 3>& positions)
{
  QList<double> all;
  for (std::size_t i = 0; i < positions[0].size(); ++i)
    for (const std::vector<double>& axis : positions)
      all.append(axis[i]);
  return all;
}

QList<double> inOrder(const synapse::NeuronPopulation& population)
{
  QList<double> all;
  for (const synapse::Position& position : population.position)
    all.append({position[0], position[1], position[2]});
  return all;
}

} // namespace

/// One reader of neurons for all commands and pages.
class TestNeuronFiles : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::string path(const QString& name) const { return folder.filePath(name).toStdString(); }

  std::string write(const QString& name, const QByteArray& text) const
  {
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
      qFatal("cannot write %s", qPrintable(name));
    return path(name);
  }

  /// What reading it as positions fails with; as neurons it must fail alike.
  QString failureOf(const io::NeuronFile& file) const
  {
    const auto messageOf = [](const auto& read) {
      try {
        read();
      } catch (const Error& error) {
        return QString("%1: ").arg(errorCodeName(error.code()).data()) + error.what();
      }
      return QString("none");
    };
    const QString failure = messageOf([&] { io::readPositions(file); });
    return failure == messageOf([&] { io::readNeuronPopulation(file); }) ? failure : "another failure";
  }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  void readsPositions_data()
  {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QList<double>>("expected");
    QTest::newRow("commas") << "a.csv" << QByteArray("1,2,3\n-4.5,5e1,.25\n") << kTwoNeurons;
    QTest::newRow("header and comment") << "a.csv" << QByteArray("# from here\nx, y, z\n1, 2, 3\n\n-4.5, 5e1, +0.25")
                                        << kTwoNeurons;
    QTest::newRow("other columns") << "a.csv" << QByteArray("name;z;y;x\r\na;3;2;1\r\nb;0.25;50;-4.5\r\n")
                                   << kTwoNeurons;
    QTest::newRow("blanks") << "a.dat" << QByteArray(" 1   2 3\n-4.5\t50 0.25 7\n") << kTwoNeurons;
    QTest::newRow("no ending") << "positions" << QByteArray("1 2 3\n-4.5 50 0.25\n") << kTwoNeurons;
    QTest::newRow("text") << "a.txt" << QByteArray("1 2 3\n-4.5 50 0.25\n") << kTwoNeurons;
    QTest::newRow("flat") << "a.csv" << QByteArray("x,y\n1,2\n3,4") << QList<double>{1, 2, 0, 3, 4, 0};
    QTest::newRow("RELeARN") << "a.txt" << QByteArray("# 2 of 2\n1 1 2 3 area ex\n2 -4.5 50 0.25 area in\n")
                             << kTwoNeurons;
    QTest::newRow("RELeARN under another name")
        << "a.csv" << QByteArray("1 1 2 3 area ex\n2 -4.5 50 0.25 area in\n") << kTwoNeurons;
    QTest::newRow("our own") << "a.csv" << QByteArray("# ours\nx,y,z,type,area\n1,2,3,ex,a\n-4.5,50,.25,in,\"b\"\n")
                             << kTwoNeurons;
  }

  void readsPositions()
  {
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(QList<double>, expected);
    const std::string file = write(name, text);
    QCOMPARE(inOrder(io::readPositions({file, {}})), expected);
    QCOMPARE(inOrder(io::readNeuronPopulation(file)), expected);
    PopulationParameters parameters;
    parameters.kind = PopulationKind::File;
    parameters.file = file;
    const auto population = io::makePopulation(parameters, {});
    QVERIFY(population->parameters() == parameters);
    QCOMPARE(inOrder({population->coordinates(0), population->coordinates(1), population->coordinates(2)}), expected);
    // Packed, the same.
    QFile::remove(folder.filePath(name + ".gz"));
    if (QProcess::execute("gzip", {folder.filePath(name)}) != 0)
      QSKIP("there is no gzip here");
    QCOMPARE(inOrder(io::readPositions({file + ".gz", {}})), expected);
    QCOMPARE(inOrder(io::readNeuronPopulation(file + ".gz")), expected);
  }

  void readsAPopulationOfSonataNodes()
  {
    synapse::NeuronPopulation neurons;
    neurons.position = {{1, 2, 3}, {-4.5, 50, 0.25}};
    neurons.isInhibitory = {0, 1};
    neurons.area = {0, 0};
    io::writeNeuronPopulation(neurons, path("nodes.h5"));
    const io::NeuronFile whole = io::parseNeuronFile(path("nodes.h5"));
    const io::NeuronFile named = io::parseNeuronFile(path("nodes.h5") + ":neurons");
    QVERIFY(whole.path == path("nodes.h5") && whole.population.empty());
    QVERIFY(named.path == path("nodes.h5") && named.population == "neurons");
    for (const io::NeuronFile& file : {whole, named}) {
      QCOMPARE(inOrder(io::readPositions(file)), kTwoNeurons);
      const synapse::NeuronPopulation read = io::readNeuronPopulation(file);
      QCOMPARE(inOrder(read), kTwoNeurons);
      QCOMPARE(read.isInhibitory, neurons.isInhibitory);
    }
    QVERIFY(failureOf({path("nodes.h5"), "others"})
                .contains("nodes.h5: has no population \"others\" in /nodes; there are: neurons"));
  }

  void refusesMalformedFiles_data()
  {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("line");
    QTest::newRow("empty") << QByteArray("") << 0;
    QTest::newRow("only a header") << QByteArray("x,y,z\n") << 0;
    QTest::newRow("no columns") << QByteArray("alpha,beta\n1,2\n") << 1;
    QTest::newRow("a word") << QByteArray("1,2,3\n1,two,3\n") << 2;
    QTest::newRow("nan") << QByteArray("1,2,3\n\n1,nan,3\n") << 3;
    QTest::newRow("too large") << QByteArray("1,2,1e999\n") << 1;
    QTest::newRow("one field") << QByteArray("1\n") << 1;
    QTest::newRow("short line") << QByteArray("1,2,3\n4,5\n") << 2;
    QTest::newRow("bytes") << QByteArray("\x00\xff\x13\x88,\x01", 6) << 1;
  }

  void refusesMalformedFiles()
  {
    QFETCH(QByteArray, text);
    QFETCH(int, line);
    try {
      io::readPositions({write("positions.csv", text), {}});
      QFAIL("not refused");
    } catch (const Error& error) {
      QCOMPARE(error.code(), ErrorCode::BadFormat);
      QCOMPARE(int(error.line()), line);
    }
  }

  void refusesFilesWhoseRowsWouldPassForPositions_data()
  {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("sentence");
    const QByteArray cell = "# a cell\n1 1 0 0 0 5 -1\n2 3 10 0 0 1 1\n3 3 20 0 0 1 2\n";
    const QString isSwc = "is an SWC file";
    QTest::newRow("SWC") << "cell.swc" << cell << isSwc;
    QTest::newRow("SWC in capitals") << "CELL.SWC" << cell << isSwc;
    QTest::newRow("SWC under another name") << "cell.csv" << cell << isSwc;
    QTest::newRow("SWC whose root comes last") << "cell.txt" << QByteArray("2 3 10 0 0 1 3\n3 1 0 0 0 5 -1\n") << isSwc;
    QTest::newRow("a network") << "in_network.txt" << QByteArray("# Total number neurons: 2\n0 1\t0 2\t1\t1\n")
                               << "is a network of RELeARN";
  }

  void refusesFilesWhoseRowsWouldPassForPositions()
  {
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(QString, sentence);
    const QString failure = failureOf({write(name, text), {}});
    QVERIFY2(failure.startsWith("badFormat: " + folder.filePath(name) + ": " + sentence), qPrintable(failure));
  }

  /// Seven numbers a line may still be positions.
  void takesPositionsWithSevenColumns()
  {
    const std::string file = write("seven.csv", "1,2,3,4,5,6,7\n2,3,4,5,6,7,8\n");
    QCOMPARE(inOrder(io::readPositions({file, {}})), (QList<double>{1, 2, 3, 2, 3, 4}));
  }

  void saysWhatIsMissing()
  {
    QVERIFY(failureOf({path("none.txt"), {}}).startsWith("fileNotFound: "));
    QVERIFY(failureOf({path("none.h5"), {}}).startsWith("fileNotFound: "));
    std::filesystem::create_symlink("loop.txt", path("loop.txt"));
    QVERIFY(failureOf({path("loop.txt"), {}}).startsWith("fileUnreadable: " + folder.filePath("loop.txt")));
  }
};

HINESIGHT_TEST(TestNeuronFiles)
#include "test_neuron_files.moc"
