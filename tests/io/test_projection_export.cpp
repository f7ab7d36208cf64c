#include "core/error.hpp"
#include "core/files.hpp"
#include "io/tables/projection_export.hpp"
#include "projection/reference.hpp"
#include "test_main.hpp"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <filesystem>

#include <sys/resource.h>

using namespace hinesight;
using namespace hinesight::projection;
using namespace hinesight::tests;

namespace {

std::shared_ptr<const WeightTable> makeExample(bool delays)
{
  ProjectionParameters p = jamesParameters();
  p.kernel = KernelKind::Gabor;
  p.sigma = 2;
  p.delay = 0.3;
  p.velocity = delays ? 2.5 : 0;
  // More than one piece of the parallel writer; the last sources have no rows.
  p.offsetX = 9;
  return project({grid(60, 50), grid(50, 55), p});
}

bool isSameTable(const WeightTable& a, const WeightTable& b)
{
  return a.offsets == b.offsets && std::equal(a.destination.begin(), a.destination.end(), b.destination.begin()) &&
         std::equal(a.weight.begin(), a.weight.end(), b.weight.begin()) && a.constantDelay == b.constantDelay &&
         std::equal(a.delay.begin(), a.delay.end(), b.delay.begin(), b.delay.end());
}

} // namespace

class TestProjectionExport : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::string path(const QString& name) const { return folder.filePath(name).toStdString(); }

  /// The files of the folder, without those that a format puts beside a table.
  QStringList files() const { return QDir(folder.path()).entryList(QDir::Files); }

  /// Runs a script of Debian's Python; false where it or NumPy is missing.
  static bool python(const QString& script, const QStringList& arguments, QByteArray& out)
  {
    QProcess process;
    process.start("/usr/bin/python3", QStringList{"-c", script} + arguments);
    if (!process.waitForFinished(60'000))
      return false;
    out = process.readAllStandardOutput() + process.readAllStandardError();
    return !out.contains("ModuleNotFoundError");
  }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  void readsBackWhatItWrote_data()
  {
    QTest::addColumn<QString>("extension");
    QTest::addColumn<bool>("delays");
    for (const QString extension : {"csv", "npy", "spineml"})
      for (const bool delays : {false, true})
        QTest::addRow("%s%s", qPrintable(extension), delays ? ", delays" : "") << extension << delays;
  }

  void readsBackWhatItWrote()
  {
    QFETCH(QString, extension);
    QFETCH(bool, delays);
    const auto table = makeExample(delays);
    QVERIFY(table->rows() > 100'000);
    QCOMPARE(table->delay.empty(), !delays);
    const std::string file = path("table." + extension);
    io::exportTable(*table, file);
    const auto read = io::importTable(file);
    QVERIFY(isSameTable(read->table, *table));
    QCOMPARE(read->destinations, std::uint64_t{50 * 55});
    QCOMPARE(io::valueOf(read->metadata, "kernel"), std::string("gabor"));
    QCOMPARE(io::valueOf(read->metadata, "sigma"), std::string("2"));

    // Made slab by slab, the same bytes.
    const std::string streamed = path("streamed." + extension);
    const auto prepared = prepare(table->projection, {});
    io::exportStreamed(*prepared, streamed);
    QVERIFY(isSameTable(io::importTable(streamed)->table, *table));
    // The XML names the files beside it, and those have names of their own.
    for (const char* const beside : {"", ".connections.bin", ".weights.bin"})
      if (std::filesystem::exists(file + beside) && (extension != "spineml" || *beside != '\0'))
        QCOMPARE(readFile(streamed + beside), readFile(file + beside));
  }

  void isReadByNumpy()
  {
    const auto table = makeExample(true);
    const std::string npy = path("numpy.npy"), csv = path("numpy.csv");
    io::exportTable(*table, npy);
    io::exportTable(*table, csv);
    double weights = 0, delays = 0, places = 0;
    for (std::uint64_t s = 0; s < table->sources(); ++s)
      for (std::uint64_t row = table->offsets[s]; row < table->offsets[s + 1]; ++row) {
        weights += table->weight[row];
        delays += table->delay[row];
        places += static_cast<double>(s * table->destination[row] % 1000);
      }
    const QString script =
        "import sys, numpy\n"
        "a = numpy.load(sys.argv[1])\n"
        "assert a.dtype.names == ('pre', 'post', 'weight', 'delay'), a.dtype\n"
        "b = numpy.loadtxt(sys.argv[2], delimiter=',', skiprows=sum(l[0] in '#p' for l in open(sys.argv[2])))\n"
        "c = numpy.stack([a[n].astype(float) for n in a.dtype.names], axis=1)\n"
        "assert (c == b.astype(numpy.float32).astype(float)).all()\n"
        "places = (a['pre'].astype('u8') * a['post'] % 1000).sum()\n"
        "print(len(a), repr(a['weight'].astype(float).sum()), repr(a['delay'].astype(float).sum()), places)";
    QByteArray out;
    if (!python(script, {QString::fromStdString(npy), QString::fromStdString(csv)}, out))
      QSKIP("there is no NumPy here");
    const auto fields = out.trimmed().split(' ');
    QVERIFY2(fields.size() == 4, out);
    QCOMPARE(fields[0].toULongLong(), qulonglong(table->rows()));
    QVERIFY(std::abs(fields[1].toDouble() - weights) < 1e-9 * static_cast<double>(table->rows()));
    QVERIFY(std::abs(fields[2].toDouble() / delays - 1) < 1e-12);
    QCOMPARE(fields[3].toDouble(), places);
  }

  void isReadByAnXmlParser()
  {
    const auto table = makeExample(true);
    const std::string file = path("network.spineml");
    io::exportTable(*table, file);
    double weights = 0, delays = 0, places = 0;
    for (std::uint64_t s = 0; s < table->sources(); ++s)
      for (std::uint64_t row = table->offsets[s]; row < table->offsets[s + 1]; ++row) {
        weights += table->weight[row];
        delays += table->delay[row];
        places += static_cast<double>(s * table->destination[row] % 1000);
      }
    const QString script =
        "import sys, struct, os, math, xml.etree.ElementTree as E\n"
        "n = '{http://www.shef.ac.uk/SpineMLNetworkLayer}'\n"
        "l = '{http://www.shef.ac.uk/SpineMLLowLevelNetworkLayer}'\n"
        "root = E.parse(sys.argv[1]).getroot()\n"
        "c = root.find('.//' + n + 'ConnectionList/' + n + 'BinaryFile').attrib\n"
        "w = root.find('.//' + l + 'WeightUpdate//' + n + 'BinaryFile').attrib\n"
        "sizes = [int(e.attrib['size']) for e in root.iter(l + 'Neuron')]\n"
        "assert c['explicit_delay_flag'] == '1' and c['packed_data'] == 'true'\n"
        "folder = os.path.dirname(sys.argv[1])\n"
        "read = lambda f: open(os.path.join(folder, f), 'rb').read()\n"
        "rows = list(struct.iter_unpack('<iif', read(c['file_name'])))\n"
        "values = list(struct.iter_unpack('<id', read(w['file_name'])))\n"
        "assert len(rows) == int(c['num_connections']) == len(values) == int(w['num_elements'])\n"
        "assert all(i == v[0] for i, v in enumerate(values))\n"
        "print(len(rows), repr(math.fsum(v[1] for v in values)), repr(math.fsum(r[2] for r in rows)), "
        "sum(r[0] * r[1] % 1000 for r in rows), *sizes)";
    QByteArray out;
    if (!python(script, {QString::fromStdString(file)}, out))
      QSKIP("there is no Python here");
    const auto fields = out.trimmed().split(' ');
    QVERIFY2(fields.size() == 6, out);
    QCOMPARE(fields[0].toULongLong(), qulonglong(table->rows()));
    QVERIFY(std::abs(fields[1].toDouble() - weights) < 1e-9 * static_cast<double>(table->rows()));
    QVERIFY(std::abs(fields[2].toDouble() / delays - 1) < 1e-12);
    QCOMPARE(fields[3].toDouble(), places);
    QCOMPARE(fields[4].toInt(), 3000);
    QCOMPARE(fields[5].toInt(), 2750);
  }

  void refusesMalformedSpineml()
  {
    const std::string file = path("good.spineml");
    io::exportTable(*makeExample(false), file);
    const std::string good = readFile(file);
    const auto with = [&](const std::string& from, const std::string& to) {
      std::string text = good;
      const std::size_t at = text.find(from);
      return at == std::string::npos ? std::string("not found") : text.replace(at, from.size(), to);
    };
    const std::string bad = path("bad.spineml");
    const auto refuses = [&](const std::string& text) {
      writeFileAtomically(bad, [&](std::ostream& stream) { stream << text; });
      try {
        io::importTable(bad);
        return false;
      } catch (const Error& error) {
        return error.code() == ErrorCode::BadFormat && !error.message().empty();
      }
    };
    QVERIFY(!refuses(good));
    QVERIFY(refuses(""));
    QVERIFY(refuses(good.substr(0, 300)));
    QVERIFY(refuses(with("LL:SpineML ", "SpineCreator ")));
    QVERIFY(refuses(with("num_connections=\"", "num_connections=\"1")));
    QVERIFY(refuses(with("num_elements=\"", "num_elements=\"x")));
    QVERIFY(refuses(with("FixedValue value=\"", "FixedValue value=\"often")));
    QVERIFY(refuses(with("explicit_delay_flag=\"0", "explicit_delay_flag=\"1")));
    QVERIFY(refuses(with("sources: ", "sources: many")));
    QVERIFY(refuses(with("<Delay dimension=\"ms\"", "<Delay dimension=\"ms")));
  }

  void writesTablesWithoutRows()
  {
    ProjectionParameters p = jamesParameters();
    p.offsetX = 1000;
    const auto table = project({grid(3, 4), grid(5, 6), p});
    QCOMPARE(table->rows(), std::uint64_t{0});
    for (const QString name : {"none.csv", "none.npy", "none.spineml"}) {
      io::exportTable(*table, path(name));
      const auto read = io::importTable(path(name));
      QCOMPARE(read->table.sources(), std::uint64_t{12});
      QCOMPARE(read->table.rows(), std::uint64_t{0});
    }
  }

  void refusesMalformedCsv_data()
  {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("line");
    const QByteArray head =
        "# hinesight weight table\n# sources: 3\n# destinations: 4\n# rows: 2\npre,post,weight,delay\n";
    QTest::newRow("empty") << QByteArray() << 0;
    QTest::newRow("another file") << QByteArray("a,b\n1,2\n") << 1;
    QTest::newRow("no columns") << QByteArray("# hinesight weight table\n1,2,3,4\n") << 2;
    QTest::newRow("no sizes") << QByteArray("# hinesight weight table\npre,post,weight,delay\n") << 0;
    QTest::newRow("word") << head + "0,1,0.5,1\n0,x,0.5,1\n" << 7;
    QTest::newRow("short row") << head + "0,1,0.5\n1,1,0.5,1\n" << 6;
    QTest::newRow("long row") << head + "0,1,0.5,1,1\n1,1,0.5,1\n" << 6;
    QTest::newRow("few rows") << head + "0,1,0.5,1\n" << 0;
    QTest::newRow("many rows") << head + "0,1,0.5,1\n1,1,0.5,1\n2,1,0.5,1\n" << 8;
    QTest::newRow("source") << head + "0,1,0.5,1\n3,1,0.5,1\n" << 7;
    QTest::newRow("destination") << head + "0,4,0.5,1\n2,1,0.5,1\n" << 6;
    QTest::newRow("order") << head + "1,1,0.5,1\n0,2,0.5,1\n" << 7;
    QTest::newRow("twice") << head + "1,1,0.5,1\n1,1,0.5,1\n" << 7;
    QTest::newRow("nan") << head + "1,1,nan,1\n1,2,0.5,1\n" << 6;
    QTest::newRow("huge") << QByteArray("# hinesight weight table\n# sources: 3\n# destinations: 4\n"
                                        "# rows: 99999999999999999\npre,post,weight,delay\n")
                          << 0;
  }

  /// A table of another program says nothing of a kernel, and neither does what is made of it.
  void saysNothingOfParametersThatItDoesNotKnow()
  {
    const std::string foreign = path("foreign.csv");
    writeFileAtomically(foreign, [](std::ostream& stream) {
      stream << "# hinesight weight table\n# sources: 2\n# destinations: 2\n# rows: 1\n"
                "pre,post,weight,delay\n0,1,0.5,2\n";
    });
    const auto read = io::importTable(foreign);
    projection::Projection& projection = read->table.projection;
    projection.source = projection::populationAt("cells", {std::vector{0.0, 1.0}, {0.0, 0.0}, {0.0, 0.0}});
    projection.destination = projection.source;
    for (const char* name : {"again.csv", "again.npy"}) {
      io::exportTable(read->table, path(name), {}, /*hasParameters=*/false);
      const auto again = io::importTable(path(name));
      QCOMPARE(io::valueOf(again->metadata, "kernel"), std::string());
      QCOMPARE(io::valueOf(again->metadata, "delay"), std::string());
      QCOMPARE(again->table.constantDelay, 2.0F);
    }
  }

  void refusesMalformedCsv()
  {
    QFETCH(QByteArray, text);
    QFETCH(int, line);
    const std::string file = path("bad.csv");
    writeFileAtomically(file, [&](std::ostream& stream) { stream << text.toStdString(); });
    try {
      io::importTable(file);
      QFAIL("not refused");
    } catch (const Error& error) {
      QCOMPARE(error.code(), ErrorCode::BadFormat);
      QCOMPARE(int(error.line()), line);
      QCOMPARE(error.file(), file);
    }
  }

  void refusesMalformedNpy()
  {
    const std::string file = path("good.npy");
    io::exportTable(*makeExample(false), file);
    const std::string good = readFile(file);
    const std::string metadata = readFile(file + ".json");
    const std::string bad = path("bad.npy");
    const auto refuses = [&](const std::string& array, const std::string& beside) {
      writeFileAtomically(bad, [&](std::ostream& stream) { stream << array; });
      writeFileAtomically(bad + ".json", [&](std::ostream& stream) { stream << beside; });
      try {
        io::importTable(bad);
        return false;
      } catch (const Error& error) {
        return error.code() == ErrorCode::BadFormat && !error.message().empty();
      }
    };
    QVERIFY(!refuses(good, metadata));
    QVERIFY(refuses("", metadata));
    QVERIFY(refuses(good.substr(0, 40), metadata));
    QVERIFY(refuses(good.substr(0, good.size() - 1), metadata));
    QVERIFY(refuses(good + "0123456789abcdef", metadata));
    QVERIFY(refuses("\x93NUMPY\x02" + good.substr(7), metadata));
    QVERIFY(refuses(good, "{"));
    QVERIFY(refuses(good, "[]"));
    QVERIFY(refuses(good, "{\"rows\": 3}"));
    QVERIFY(refuses(good, "{\"rows\": \"3\"}"));
    std::string swapped = good;
    std::swap(swapped[good.size() - 16], swapped[good.size() - 32]);
    std::swap(swapped[good.size() - 12], swapped[good.size() - 28]);
    QVERIFY(refuses(swapped, metadata));
  }

  void leavesNoPartialFile()
  {
    const auto table = makeExample(true);
    const QStringList before = files();
    QVERIFY_EXCEPTION_THROWN(io::exportTable(*table, path("table.txt")), Error);
    QVERIFY_EXCEPTION_THROWN(io::exportTable(*table, path("no/such/folder/table.csv")), Error);
    for (const QString name : {"cancelled.csv", "cancelled.npy", "cancelled.spineml"}) {
      RunControl control;
      control.cancel();
      QVERIFY_EXCEPTION_THROWN(io::exportTable(*table, path(name), control), Error);
    }
    // A file that cannot grow is what a full disk looks like.
    rlimit limit{};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlimit small{100'000, limit.rlim_max};
    std::signal(SIGXFSZ, SIG_IGN);
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
    int refused = 0;
    for (const QString name : {"full.csv", "full.npy", "full.spineml"}) {
      try {
        io::exportTable(*table, path(name));
      } catch (const Error& error) {
        refused += error.code() == ErrorCode::WriteFailed;
      }
    }
    setrlimit(RLIMIT_FSIZE, &limit);
    QCOMPARE(refused, 3);
    QStringList after = files();
    after.removeAll("full.npy.json");
    QCOMPARE(after, before);
  }
};

HINESIGHT_TEST(TestProjectionExport)
#include "test_projection_export.moc"
