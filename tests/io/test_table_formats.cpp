#include "core/error.hpp"
#include "core/files.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/networks/neuron_files.hpp"
#include "io/row_file.hpp"
#include "io/sonata/sonata_parts.hpp"
#include "io/tables/projection_export.hpp"
#include "paths/paths.hpp"
#include "projection/reference.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <bit>
#include <csignal>
#include <optional>

#include <sys/resource.h>

using namespace hinesight;
using namespace hinesight::projection;
using namespace hinesight::tests;

namespace {

template <typename Values>
bool sameBits(const Values& a, const Values& b)
{
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](auto x, auto y) { return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y); });
}

bool isSameTable(const WeightTable& a, const WeightTable& b)
{
  return a.offsets == b.offsets && sameBits(a.destination, b.destination) && sameBits(a.weight, b.weight) &&
         sameBits(a.delay, b.delay) && a.constantDelay == b.constantDelay;
}

bool isSamePlaces(const Population& a, const Population& b)
{
  if (a.count() != b.count() || a.name() != b.name())
    return false;
  for (std::uint64_t i = 0; i < a.count(); ++i)
    if (a.position(i) != b.position(i))
      return false;
  return true;
}

std::shared_ptr<const Population> named(std::string name, std::uint32_t nx, std::uint32_t ny)
{
  PopulationParameters parameters;
  parameters.name = std::move(name);
  parameters.size = {nx, ny, 1};
  parameters.spacing = {1, 1.5, 1};
  parameters.origin = {0.1, -2, 0};
  return makePopulation(parameters);
}

ProjectionParameters gaussian(double velocity)
{
  ProjectionParameters p;
  p.kernel = KernelKind::Gaussian;
  p.sigma = 2.2;
  p.gain = -1.0 / 3;
  p.cut = 0.01;
  p.delay = 0.3;
  p.velocity = velocity;
  return p;
}

/// Tables of every shape, by name.
std::shared_ptr<const WeightTable> makeTableNamed(const QString& shape)
{
  ProjectionParameters p = gaussian(shape.contains("delays") ? 2.5 : 0);
  if (shape.startsWith("many")) {
    // More than one piece of the parallel writers; the last sources have no rows.
    p.offsetX = 9;
    return project({named("pre <&\"'>", 60, 50), named("post \xC3\xA9", 50, 55), p});
  }
  if (shape.startsWith("several")) {
    // More than one piece too, but few enough for readers in scripts.
    p.offsetX = 9;
    return project({named("pre <&\"'>", 40, 30), named("post \xC3\xA9", 38, 32), p});
  }
  if (shape.startsWith("one row")) {
    p.kernel = KernelKind::OneToOne;
    return project({named("A", 1, 1), named("B", 1, 1), p});
  }
  if (shape.startsWith("empty")) {
    p.offsetX = 1000;
    return project({named("A", 3, 4), named("B", 5, 6), p});
  }
  if (shape.startsWith("one population")) {
    const auto population = named("A", 9, 8);
    return project({population, population, p});
  }
  if (shape.startsWith("expression")) {
    p.kernel = KernelKind::Expression;
    p.expression = "if(r < 3,\n  exp(-r) * 1.0, 0)";
    p.rule = ConnectionRule::Random;
    p.seed = 18'446'744'073'709'551'615u;
    return project({randomBox(300, {9, 8, 7}, 5), named("population", 9, 9), p});
  }
  // Two populations of one name, one of which only the program knows.
  return project({populationAt("A", {{{0, 1e-300, 2, 3.3}, {0, 1, 0.1, 3}, {0, -1, 2, 1e9}}}), named("A", 5, 4), p});
}

const char* const kShapes[] = {"many",          "many, delays",   "one row",    "one row, delays", "empty",
                               "empty, delays", "one population", "expression", "one name"};
auto writerOf(const QString& extension)
{
  return extension == "csv"       ? io::detail::writeTableCsv
         : extension == "npy"     ? io::detail::writeTableNpy
         : extension == "h5"      ? io::detail::writeTableSonata
         : extension == "spineml" ? io::detail::writeTableSpineml
                                  : io::detail::writeTableXml;
}

const char* const kExtensions[] = {"csv", "npy", "h5", "spineml", "xml"};

/// A small file of each format for what is done to its bytes.
std::shared_ptr<const WeightTable> makeSmall()
{
  return project({named("A", 3, 2), named("B", 2, 2), gaussian(2.5)});
}

} // namespace

/// What every format of weight tables must do, and what independent readers find in the files.
class TestTableFormats : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;
  bool hasH5py = false;

  std::string path(const QString& name) const { return folder.filePath(name).toStdString(); }

  QStringList files() const { return QDir(folder.path()).entryList(QDir::Files | QDir::Hidden); }

  static void write(const std::string& file, const std::string& bytes)
  {
    writeFileAtomically(file, [&](std::ostream& stream) { stream << bytes; });
  }

  static void addExtensions()
  {
    QTest::addColumn<QString>("extension");
    for (const char* extension : kExtensions)
      QTest::newRow(extension) << extension;
  }

  /// The code with which reading fails; `sentence` is what it says.
  static std::optional<ErrorCode> failureOf(const std::string& file, QString& sentence)
  {
    try {
      io::importTable(file);
      return std::nullopt;
    } catch (const Error& error) {
      sentence = error.what();
      return error.code();
    }
  }

  /// The standard output of a program; its name is looked up in PATH. Empty where it is not installed.
  static std::optional<QByteArray> outputOf(const QString& program, const QStringList& arguments)
  {
    constexpr int kLongest = 60'000;
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForStarted())
      return std::nullopt;
    process.closeWriteChannel();
    if (!process.waitForFinished(kLongest))
      return QByteArray("did not end");
    const QByteArray errors = process.readAllStandardError();
    if (errors.contains("ModuleNotFoundError"))
      return std::nullopt;
    return process.exitCode() == 0 ? process.readAllStandardOutput() : errors;
  }

  static std::optional<QByteArray> python(const QString& script, const QStringList& arguments)
  {
    return outputOf("/usr/bin/python3", QStringList{"-c", script} + arguments);
  }

  QString malformed(qsizetype number) const { return folder.filePath(QString("malformed%1.h5").arg(number)); }

  /// A small SONATA file changed by each script, in one process for all. False where there is no h5py.
  bool makeMalformed(const QStringList& scripts) const
  {
    const QString whole = folder.filePath("whole.h5");
    io::exportTable(*makeSmall(), whole.toStdString());
    QStringList arguments = {whole};
    for (qsizetype i = 0; i < scripts.size(); ++i)
      arguments << malformed(i) << scripts[i];
    const auto out = python("import sys, h5py, shutil\n"
                            "for file, script in zip(sys.argv[2::2], sys.argv[3::2]):\n"
                            "  shutil.copy(sys.argv[1], file)\n"
                            "  f = h5py.File(file, 'r+')\n"
                            "  e = f['edges/A_to_B']\n"
                            "  n = len(e['source_node_id'])\n"
                            "  exec(script)\n"
                            "  f.close()",
                            arguments);
    if (out && !out->isEmpty())
      qFatal("%s", out->constData());
    return out.has_value();
  }

  /// Rows as the scripts below print them: source, destination, and the bits of weight and delay.
  static QByteArray rowsOf(const WeightTable& table)
  {
    QByteArray text;
    for (std::uint64_t source = 0; source < table.sources(); ++source)
      for (std::uint64_t row = table.offsets[source]; row < table.offsets[source + 1]; ++row)
        text += QByteArray::number(qulonglong(source)) + ' ' + QByteArray::number(table.destination[row]) + ' ' +
                QByteArray::number(std::bit_cast<std::uint32_t>(table.weight[row])) + ' ' +
                QByteArray::number(std::bit_cast<std::uint32_t>(table.delayOf(row))) + '\n';
    return text;
  }

private slots:
  void initTestCase()
  {
    QVERIFY(folder.isValid());
    std::signal(SIGXFSZ, SIG_IGN);
  }

  void opensWhatItSaved_data()
  {
    QTest::addColumn<QString>("extension");
    QTest::addColumn<QString>("shape");
    for (const char* extension : kExtensions)
      for (const char* shape : kShapes)
        QTest::addRow("%s, %s", extension, shape) << extension << shape;
  }

  void opensWhatItSaved()
  {
    QFETCH(QString, extension);
    QFETCH(QString, shape);
    const auto table = makeTableNamed(shape);
    QCOMPARE(table->rows() == 0, shape.startsWith("empty"));
    const std::string file = path("table." + extension);
    io::exportTable(*table, file);
    const auto read = io::importTable(file);
    QVERIFY(isSameTable(read->table, *table));
    QCOMPARE(read->destinations, table->projection.destination->count());
    const std::vector<Setting> wanted = describe(table->projection.parameters);
    if (!shape.startsWith("expression") || extension != "csv") // CSV has no room for its line ends
      QVERIFY(describe(read->table.projection.parameters) == wanted);
    QVERIFY(read->table.projection.destination);
    QVERIFY(isSamePlaces(*read->table.projection.destination, *table->projection.destination));
    const bool holdsPositions = extension == "h5" || shape != "one name";
    QCOMPARE(read->table.projection.source != nullptr, holdsPositions);
    if (holdsPositions)
      QVERIFY(isSamePlaces(*read->table.projection.source, *table->projection.source));
    for (const QString& name : files())
      QVERIFY2(!name.endsWith(".tmp"), qPrintable(name));
  }

  /// Written before parameters were fields.
  void opensFilesOfAnEarlierVersion_data() { addExtensions(); }

  void opensFilesOfAnEarlierVersion()
  {
    QFETCH(QString, extension);
    const auto read = io::importTable(testData("tables/earlier.").toStdString() + extension.toStdString());
    ProjectionParameters p;
    p.kernel = KernelKind::Gabor;
    p.sigma = 3;
    p.wavelength = 5;
    p.direction = 30;
    p.region = 4;
    p.sineGain = -1;
    p.rule = ConnectionRule::Random;
    p.seed = 11;
    p.randomWeight = 0.25;
    p.cut = 0.01;
    p.delay = 0.3;
    p.velocity = 2.5;
    p.offsetX = 0.5;
    QVERIFY(read->table.projection.parameters == p);
    PopulationParameters source, destination;
    source.name = "source";
    source.size = {4, 3, 1};
    source.spacing = {1.5, 1.5, 1.5};
    destination.name = "destination";
    destination.kind = PopulationKind::Box;
    destination.count = 9;
    destination.extent = {6, 5, 2};
    destination.seed = 7;
    const auto from = makePopulation(source), to = makePopulation(destination);
    QVERIFY(isSamePlaces(*read->table.projection.source, *from));
    QVERIFY(isSamePlaces(*read->table.projection.destination, *to));
    QVERIFY(read->table.rows() > 0);
    QVERIFY(isSameTable(read->table, *project({from, to, p})));
  }

  void namesEverythingThatItDependsOn_data() { addExtensions(); }

  void namesEverythingThatItDependsOn()
  {
    QFETCH(QString, extension);
    const auto table = makeTableNamed("expression");
    const std::string file = path("named." + extension);
    io::exportTable(*table, file);
    const io::Metadata metadata = io::importTable(file)->metadata;
    const auto requireNamed = [&](const std::vector<BoundField>& fields, const std::string& prefix) {
      for (const BoundField& field : applyingOf(fields)) {
        const std::string name = field.name == "name"    ? prefix.substr(0, prefix.size() - 1)
                                 : field.name == "count" ? prefix.substr(0, prefix.size() - 1) + "s"
                                                         : prefix + field.name;
        QVERIFY2(std::any_of(metadata.begin(), metadata.end(), [&](const Setting& s) { return s.name == name; }),
                 name.c_str());
      }
    };
    const Projection& projection = table->projection;
    requireNamed(fieldsOf(projection.parameters), "");
    requireNamed(fieldsOf(projection.source->parameters()), "source-");
    requireNamed(fieldsOf(projection.destination->parameters()), "destination-");
  }

  void makesTheSameBytesSlabBySlab_data() { addExtensions(); }

  void makesTheSameBytesSlabBySlab()
  {
    QFETCH(QString, extension);
    const auto table = makeTableNamed("many, delays");
    const std::string whole = path("bytes." + extension);
    io::exportTable(*table, whole);
    const std::string bytes = readFile(whole);
    // Slabs of a few sources, as exportStreamed makes them when memory is short.
    const auto prepared = prepare(table->projection, {});
    const io::TableSource source{prepared->projection(), prepared->offsets(), true, prepared->constantDelay(),
                                 [&](const auto& sink) { streamTable(*prepared, 7'000, sink); }};
    const QString name = "bytes." + extension;
    const std::vector<QString> beside =
        extension == "spineml" ? std::vector<QString>{"bytes.spineml.weights.bin", "bytes.spineml.connections.bin"}
                               : std::vector<QString>{};
    std::vector<std::string> wanted;
    for (const QString& other : beside)
      wanted.push_back(readFile(path(other)));
    writerOf(extension)(source, whole, {});
    QVERIFY(readFile(whole) == bytes);
    for (std::size_t i = 0; i < beside.size(); ++i)
      QVERIFY(readFile(path(beside[i])) == wanted[i]);
  }

  void numpyReadsNpy()
  {
    const auto table = makeTableNamed("several, delays");
    io::exportTable(*table, path("numpy.npy"));
    const auto out = python("import sys, numpy\n"
                            "a = numpy.load(sys.argv[1])\n"
                            "for r in zip(a['pre'].tolist(), a['post'].tolist(), a['weight'].view('u4').tolist(),"
                            " a['delay'].view('u4').tolist()): print(*r)",
                            {QString::fromStdString(path("numpy.npy"))});
    if (!out)
      QSKIP("there is no NumPy here");
    QVERIFY2(*out == rowsOf(*table), out->left(400));
  }

  void pythonReadsCsv()
  {
    const auto table = makeTableNamed("several, delays");
    io::exportTable(*table, path("python.csv"));
    const auto out = python("import sys, csv, struct\n"
                            "bits = lambda t: struct.unpack('<I', struct.pack('<f', float(t)))[0]\n"
                            "lines = (l for l in open(sys.argv[1]) if not l.startswith('#'))\n"
                            "for r in csv.DictReader(lines):\n"
                            "  print(r['pre'], r['post'], bits(r['weight']), bits(r['delay']))",
                            {QString::fromStdString(path("python.csv"))});
    if (!out)
      QSKIP("there is no Python here");
    QVERIFY2(*out == rowsOf(*table), out->left(400));
  }

  void h5pyReadsSonata()
  {
    const char* const script =
        "import sys, h5py, numpy\n"
        "f = h5py.File(sys.argv[1], 'r')\n"
        "assert f.attrs['magic'] == 0x0A7A and list(f.attrs['version']) == [0, 1]\n"
        "(name, e), = f['edges'].items()\n"
        "n = len(e['source_node_id'])\n"
        "assert e['source_node_id'].dtype == 'u8' and (e['edge_group_index'][:] == numpy.arange(n)).all()\n"
        "assert (e['edge_type_id'][:] == 0).all() and (e['edge_group_id'][:] == 0).all()\n"
        "assert e['0/syn_weight'].dtype == e['0/delay'].dtype == 'f8'\n"
        "assert e['edge_type_id'].shape == e['edge_group_id'].shape == (n,)\n"
        "for side in 'source', 'target':\n"
        "  p = f['nodes'][e[side + '_node_id'].attrs['node_population']]\n"
        "  assert (p['node_id'][:] == numpy.arange(len(p['node_id']))).all()\n"
        "  assert (p['node_group_index'][:] == p['node_id'][:]).all()\n"
        "  isSecond = p != f['nodes'][e['source_node_id'].attrs['node_population']]\n"
        "  assert (p['node_type_id'][:] == int(isSecond)).all()\n"
        "  assert len(p['0/x']) == len(p['0/y']) == len(p['0/z']) == len(p['node_id'])\n"
        "  print(repr(p['0/x'][:].sum()), repr(p['0/y'][-1]))\n"
        "for side, index in ('source', 'source_to_target'), ('target', 'target_to_source'):\n"
        "  i = e['indices'][index]\n"
        "  assert (i['node_id_to_range'][:] == i['node_id_to_ranges'][:]).all()\n"
        "  ids = e[side + '_node_id'][:]\n"
        "  for s, (a, b) in enumerate(i['node_id_to_ranges'][:]):\n"
        "    for first, last in i['range_to_edge_id'][a:b]:\n"
        "      assert (ids[first:last] == s).all() and first < last\n"
        "  assert (i['range_to_edge_id'][:, 1] - i['range_to_edge_id'][:, 0]).sum() == n\n"
        "source = e['source_node_id'][:]\n"
        "print(name, *[e.attrs['hinesight:' + k].decode() for k in ('kernel', 'source')])\n"
        "for r in zip(source.tolist(), e['target_node_id'][:].tolist(),\n"
        "    e['0/syn_weight'][:].astype('f4').view('u4').tolist(), e['0/delay'][:].astype('f4').view('u4').tolist()):"
        " print(*r)";
    for (const QString shape : {"several, delays", "several", "one population"}) {
      const auto table = makeTableNamed(shape);
      io::exportTable(*table, path("h5py.h5"));
      const auto out = python(script, {QString::fromStdString(path("h5py.h5"))});
      if (!out)
        QSKIP("there is no h5py here");
      const Projection& p = table->projection;
      const QList<QByteArray> lines = out->split('\n');
      QVERIFY2(lines.size() > 3, *out);
      int line = 0;
      for (const auto& population : {p.source, p.destination}) {
        double sum = 0;
        for (std::uint64_t i = 0; i < population->count(); ++i)
          sum += population->position(i)[0];
        QVERIFY(std::abs(lines[line].split(' ')[0].toDouble() - sum) < 1e-9 * std::abs(sum));
        QCOMPARE(lines[line++].split(' ')[1].toDouble(), population->position(population->count() - 1)[1]);
      }
      QCOMPARE(lines[2], QByteArray::fromStdString(p.source->name() + "_to_" + p.destination->name() + " gaussian " +
                                                   p.source->name()));
      QVERIFY(lines.mid(3).join('\n') == rowsOf(*table));
    }
  }

  /// Each target's edges, all of them, whether they are sorted at once or in parts; targets without edges among them.
  void theIndexOfTargetsIsTheSameInAnyMemory()
  {
    constexpr std::uint64_t kRows = 5000, kTargets = 300;
    std::vector<std::uint64_t> targetOf;
    for (std::uint64_t row = 0; row < kRows; ++row)
      targetOf.push_back(row < 2000 ? 17 : (row * row * 7 + row / 3) % (kTargets - 40) / 2 * 2); // even ones, but 17
    std::optional<std::string> first;
    for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{5000}, std::uint64_t{1} << 20}) {
      const std::string file = path("index.h5");
      std::uint64_t column = 0;
      io::detail::IndexColumns index{};
      {
        io::Hdf5Layout layout(file, file);
        layout.addGroup("/edges/e");
        column = layout.addColumn("/edges/e/target_node_id", io::StoredNumber::UInt64, kRows);
        index = io::detail::layOutTargetIndex(layout, "/edges/e", kRows, kTargets);
        layout.close();
      }
      const io::RowFile rows(file, file);
      rows.write(column, targetOf.data(), kRows * sizeof(std::uint64_t));
      io::detail::writeTargetIndex(rows, index, column, kRows, kTargets, memory, {});
      const std::string bytes = readFile(file);
      QVERIFY2(!first || *first == bytes, std::to_string(memory).c_str());
      first = bytes;
    }
    const io::Hdf5Reader reader(path("index.h5"));
    const auto ofNode = reader.matrix("/edges/e/indices/target_to_source/node_id_to_ranges");
    const auto ofRange = reader.matrix("/edges/e/indices/target_to_source/range_to_edge_id");
    QCOMPARE(ofNode.size(), std::size_t{2 * kTargets});
    std::vector<std::vector<std::uint64_t>> edges(kTargets), wanted(kTargets);
    for (std::uint64_t row = 0; row < kRows; ++row)
      wanted[targetOf[row]].push_back(row);
    for (std::size_t target = 0; target < kTargets; ++target)
      for (auto range = static_cast<std::size_t>(ofNode[2 * target]);
           range < static_cast<std::size_t>(ofNode[2 * target + 1]); ++range)
        for (double edge = ofRange.at(2 * range); edge < ofRange.at(2 * range + 1); ++edge)
          edges[target].push_back(static_cast<std::uint64_t>(edge));
    QVERIFY(edges == wanted);
  }

  void h5dumpReadsSonata()
  {
    const auto table = makeSmall();
    io::exportTable(*table, path("h5dump.h5"));
    const auto out = outputOf(
        "h5dump", {"-y", "-w", "0", "-d", "/edges/A_to_B/target_node_id", QString::fromStdString(path("h5dump.h5"))});
    if (!out)
      QSKIP("there is no h5dump here");
    QStringList targets;
    for (const std::uint32_t target : table->destination)
      targets << QString::number(target);
    const QString text = QString::fromUtf8(*out).simplified();
    QVERIFY2(text.contains("DATA { " + targets.join(", ") + " }"), qPrintable(text));
    QVERIFY2(text.contains("\"B\""), qPrintable(text));
  }

  void xmlReadersReadSpineml_data()
  {
    QTest::addColumn<QString>("extension");
    QTest::addColumn<QString>("shape");
    for (const char* extension : {"spineml", "xml"})
      for (const char* shape : {"several", "several, delays"})
        QTest::addRow("%s, %s", extension, shape) << extension << shape;
  }

  void xmlReadersReadSpineml()
  {
    QFETCH(QString, extension);
    QFETCH(QString, shape);
    const auto table = makeTableNamed(shape);
    const std::string file = path("elements." + extension);
    io::exportTable(*table, file);
    const auto out = python(
        "import sys, os, struct, xml.etree.ElementTree as x\n"
        "bits = lambda t: struct.unpack('<I', struct.pack('<f', float(t)))[0]\n"
        "n, l = '{http://www.shef.ac.uk/SpineMLNetworkLayer}', '{http://www.shef.ac.uk/SpineMLLowLevelNetworkLayer}'\n"
        "root = x.parse(sys.argv[1]).getroot()\n"
        "for p in root.findall(l + 'Population'):\n"
        "  print(p.find(l + 'Neuron').get('name'), p.find(l + 'Neuron').get('size'))\n"
        "proj = root.find(l + 'Population/' + l + 'Projection')\n"
        "print(proj.get('dst_population'))\n"
        "syn = proj.find(l + 'Synapse')\n"
        "c = syn.find(n + 'ConnectionList')\n"
        "w = syn.find(l + 'WeightUpdate/' + n + 'Property/' + n + 'ValueList')\n"
        "fixed = c.find(n + 'Delay/' + n + 'FixedValue')\n"
        "fixed = None if fixed is None else fixed.get('value')\n"
        "b = c.find(n + 'BinaryFile')\n"
        "if b is None:\n"
        "  rows = [(r.get('src_neuron'), r.get('dst_neuron'), bits(r.get('delay', fixed))) for r in\n"
        "      c.findall(n + 'Connection')]\n"
        "  weights = [(int(v.get('index')), bits(v.get('value'))) for v in w.findall(n + 'Value')]\n"
        "else:\n"
        "  read = lambda e: open(os.path.join(os.path.dirname(sys.argv[1]), e.get('file_name')), 'rb').read()\n"
        "  form = '<iif' if b.get('explicit_delay_flag') == '1' else '<ii'\n"
        "  rows = [(r[0], r[1], bits(r[2] if len(r) > 2 else fixed)) for r in struct.iter_unpack(form, read(b))]\n"
        "  v = w.find(n + 'BinaryFile')\n"
        "  weights = [(i, bits(d)) for i, d in struct.iter_unpack('<id', read(v))]\n"
        "  assert int(b.get('num_connections')) == len(rows) and int(v.get('num_elements')) == len(weights)\n"
        "assert [i for i, _ in weights] == list(range(len(rows)))\n"
        "for r, (_, weight) in zip(rows, weights): print(r[0], r[1], weight, r[2])",
        {QString::fromStdString(file)});
    if (!out)
      QSKIP("there is no Python here");
    const Projection& p = table->projection;
    const std::string head =
        p.source->name() + " 1200\n" + p.destination->name() + " 1216\n" + p.destination->name() + "\n";
    QVERIFY2(*out == QByteArray::fromStdString(head) + rowsOf(*table), out->left(400));
  }

  void refusesTruncation_data() { addExtensions(); }

  void refusesTruncation()
  {
    QFETCH(QString, extension);
    const auto table = makeSmall();
    const std::string file = path("cut." + extension);
    io::exportTable(*table, file);
    const std::vector<QString> beside =
        extension == "spineml" ? std::vector<QString>{"cut.spineml.weights.bin", "cut.spineml.connections.bin"}
        : extension == "npy"   ? std::vector<QString>{"cut.npy.json"}
                               : std::vector<QString>{};
    std::vector<std::string> parts = {file};
    for (const QString& name : beside)
      parts.push_back(path(name));
    for (const std::string& part : parts) {
      const std::string bytes = readFile(part);
      // Text that lacks but its last line end is complete.
      const std::size_t last = bytes.back() == '\n' ? bytes.size() - 1 : bytes.size();
      QString sentence;
      // Every length of what is small; some two hundred of the rest, so that the test ends in seconds.
      const std::size_t step = 1 + bytes.size() / 200;
      for (std::size_t length = 0; length < last; length += step) {
        QFile out(QString::fromStdString(part));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(bytes.data(), static_cast<qint64>(length));
        out.close();
        const auto code = failureOf(file, sentence);
        if (!code) {
          // A number that is cut short may still be one: then the table must not be taken for the one that was saved
          // without saying so, which only text whose last digits are missing can do.
          QVERIFY2(extension == "csv", qPrintable(QString("%1 of %2 bytes").arg(length).arg(last)));
          QVERIFY(bytes.find('\n', length) == bytes.size() - 1);
          continue;
        }
        QVERIFY2(*code == ErrorCode::BadFormat, qPrintable(sentence));
        QVERIFY(sentence.contains("cut"));
      }
      write(part, bytes);
      QVERIFY(!failureOf(file, sentence));
    }
  }

  void survivesDamage_data() { addExtensions(); }

  void survivesDamage()
  {
    QFETCH(QString, extension);
    const auto table = makeSmall();
    const std::string file = path("damaged." + extension);
    io::exportTable(*table, file);
    const std::string bytes = readFile(file);
    QString sentence;
    const std::size_t step = 1 + bytes.size() / 200;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
      QFile out(QString::fromStdString(file));
      QVERIFY(out.open(QIODevice::WriteOnly));
      out.write(damaged.data(), static_cast<qint64>(damaged.size()));
      out.close();
      // Some damage is another valid table; everything else is said in one sentence.
      if (const auto code = failureOf(file, sentence))
        QVERIFY2(*code == ErrorCode::BadFormat || *code == ErrorCode::OutOfMemory || *code == ErrorCode::FileNotFound,
                 qPrintable(sentence));
    }
  }

  /// The HDF5 library itself crashes on some of these, which must not take the program with it.
  void survivesDamageOfForeignSonata()
  {
    const std::string file = path("foreign.h5");
    const auto out =
        python("import sys, h5py, numpy\n"
               "f = h5py.File(sys.argv[1], 'w', libver='earliest')\n"
               "for p, n in ('A', 20), ('B', 30):\n"
               "  g = f.create_group('nodes/' + p)\n"
               "  g['node_id'] = numpy.arange(n, dtype='u8')\n"
               "  for axis in 'xy': g.create_dataset('0/' + axis, data=numpy.arange(n) * .5, chunks=(7,))\n"
               "e = f.create_group('edges/A_to_B')\n"
               "for k, p, v in (('source', 'A', numpy.repeat(numpy.arange(20), 3)),"
               " ('target', 'B', numpy.tile([1, 5, 9], 20))):\n"
               "  e.create_dataset(k + '_node_id', data=v.astype('u4'), chunks=(16,))\n"
               "  e[k + '_node_id'].attrs['node_population'] = p\n"
               "e.create_dataset('0/syn_weight', data=numpy.linspace(.1, 1, 60), chunks=(16,))\n"
               "e.create_dataset('0/delay', data=numpy.ones(60))\n"
               "for i in range(12): e.attrs['note %d' % i] = 'x' * 30\n"
               "f.close()",
               {QString::fromStdString(file)});
    if (!out)
      QSKIP("there is no h5py here");
    QVERIFY2(out->isEmpty(), *out);
    QCOMPARE(io::importTable(file)->table.rows(), std::uint64_t{60});
    const std::string bytes = readFile(file);
    // In the attributes of the edges, and in the head of the heap that holds texts.
    const std::size_t notes = bytes.find("note 0"), heap = bytes.find("GCOL");
    QVERIFY(notes != std::string::npos && heap != std::string::npos);
    int refused = 0;
    for (const std::size_t at :
         {notes - 32, notes - 24, notes - 4, notes + 68, notes + 140, heap + 20, heap + 24, heap + 28}) {
      std::string damaged = bytes;
      damaged.replace(at, 8, 8, '\xFF');
      QFile changed(QString::fromStdString(file));
      QVERIFY(changed.open(QIODevice::WriteOnly));
      changed.write(damaged.data(), static_cast<qint64>(damaged.size()));
      changed.close();
      QString sentence;
      const auto code = failureOf(file, sentence);
      if (!code)
        continue; // what is damaged is not asked for
      ++refused;
      QVERIFY2(*code == ErrorCode::BadFormat, qPrintable(sentence));
      QVERIFY2(!sentence.contains('\n'), qPrintable(sentence));
    }
    QVERIFY(refused > 0);
  }

  void refusesMalformedSonata_data()
  {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("says");
    QStringList scripts;
    const auto add = [&](const char* name, const char* script, const char* says) {
      QTest::newRow(name) << malformed(scripts.size()) << says;
      scripts << script;
    };
    add("no edges", "del f['edges']", "has no /edges");
    add("two populations", "f['edges/C'] = e", "holds 2 populations in /edges");
    add("no nodes", "del f['nodes/A']", "/nodes/A/node_id");
    add("no population name", "del e['source_node_id'].attrs['node_population'], e.attrs['source_population']",
        "node_population");
    add("population name is a number",
        "e['source_node_id'].attrs['node_population'] = 3; del e.attrs['source_population']", "node_population");
    add("no weights", "del e['0/syn_weight']", "/0/syn_weight");
    add("weights of text", "del e['0/syn_weight']; e['0/syn_weight'] = ['x'] * n", "does not hold numbers");
    add("short weights", "del e['0/syn_weight']; e['0/syn_weight'] = [1.0]", "holds 1 values for");
    add("weights in a matrix", "del e['0/syn_weight']; e['0/syn_weight'] = [[1.0] * n]", "is no list of numbers");
    add("weight is NaN", "e['0/syn_weight'][2] = float('nan')", "row 3");
    add("delay is infinite", "e['0/delay'][1] = float('inf')", "row 2");
    add("ids are fractions",
        "v = e['target_node_id'].attrs['node_population']; del e['target_node_id'];"
        "e['target_node_id'] = [0.5] * n; e['target_node_id'].attrs['node_population'] = v",
        "does not hold whole numbers");
    add("source out of range", "e['source_node_id'][n - 1] = 6", "names source 6 of 6");
    add("destination out of range", "e['target_node_id'][0] = 4", "names destination 4 of 4");
    add("huge destination", "e['target_node_id'][0] = 2**64 - 1", "names destination");
    add("order", "e['source_node_id'][0] = 5", "does not follow the one before it");
    add("short positions", "del f['nodes/A/0/y']; f['nodes/A/0/y'] = [1.0]", "holds 1 values for 6 nodes");
    add("position is NaN", "f['nodes/A/0/x'][0] = float('nan'); e.attrs['hinesight:source-kind'] = 'given'",
        "is not finite");
    add("unknown kernel", "e.attrs['hinesight:kernel'] = 'gausian'",
        "The value of kernel, 'gausian' is none of gaussian|");
    add("parameter out of range", "e.attrs['hinesight:sigma'] = '-1'", "Sigma is -1");
    add("population of another size", "e.attrs['hinesight:source-size'] = '3 3 1'", "does not have the 6 neurons");
    add("group instead of a column", "del e['0/delay']; e.create_group('0/delay')", "/0/delay");
    hasH5py = makeMalformed(scripts);
  }

  void refusesMalformedSonata()
  {
    QFETCH(QString, file);
    QFETCH(QString, says);
    if (!hasH5py)
      QSKIP("there is no h5py here");
    QString sentence = "was read";
    QVERIFY2(failureOf(file.toStdString(), sentence) == ErrorCode::BadFormat, qPrintable(sentence));
    QVERIFY2(sentence.contains(says), qPrintable(sentence));
  }

  void refusesMalformedSpineml_data()
  {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("says");
    const auto add = [](const char* name, const char* from, const char* to, const char* says) {
      QTest::newRow(name) << from << to << says;
    };
    add("other document", "Projection", "Other", "has no Projection");
    add("no population", "Neuron name=\"B\"", "Neuron name=\"C\"", "has no Population \"B\"");
    add("no size", "size=\"6\"", "", "attribute size");
    add("negative size", "size=\"6\"", "size=\"-6\"", "\"-6\" is no value for size");
    add("source out of range", "src_neuron=\"5\"", "src_neuron=\"6\"", "names source 6 of 6");
    add("destination is a word", "dst_neuron=\"3\"", "dst_neuron=\"x\"", "\"x\" is no value for dst_neuron");
    add("no destination", "dst_neuron=\"3\"", "", "attribute dst_neuron");
    add("delay is NaN", "delay=\"0.3\"", "delay=\"nan\"", "without a delay");
    add("no delay", "delay=\"0.3\"", "", "without a delay");
    add("weight left out", "<Value index=\"3\"", "<Other index=\"3\"", "of connection 3 is needed");
    add("weight is infinite", "index=\"0\" value=\"", "index=\"0\" value=\"inf\" was=\"", "not finite");
    add("no weights", "name=\"w\"", "name=\"v\"", "has 0 weights");
    add("two lists", "</LL:Synapse>", "</LL:Synapse><LL:Synapse/>", "second Synapse");
    add("document type", "<LL:SpineML ", "<!DOCTYPE a [<!ENTITY b 'c'>]><LL:SpineML ", "document type");
    add("not closed", "</ConnectionList>", "", "is no well-formed XML: mismatched tag");
    add("binary file elsewhere", "<ConnectionList>",
        "<ConnectionList><BinaryFile file_name=\"../a\" num_connections=\"1\" packed_data=\"true\"/>",
        "which is not beside it");
    add("binary file of the old format", "<ConnectionList>",
        "<ConnectionList><BinaryFile file_name=\"a\" num_connections=\"1\"/>", "is not packed");
  }

  void refusesMalformedSpineml()
  {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, says);
    const std::string file = path("malformed.xml");
    io::exportTable(*makeSmall(), file);
    QByteArray text = QByteArray::fromStdString(readFile(file));
    QVERIFY(text.contains(from.toUtf8()));
    text.replace(from.toUtf8(), to.toUtf8());
    write(file, text.toStdString());
    QString sentence = "was read";
    QVERIFY2(failureOf(file, sentence) == ErrorCode::BadFormat, qPrintable(sentence));
    QVERIFY2(sentence.contains(says), qPrintable(sentence));
  }

  void takesNoDelayBelowZero_data() { addExtensions(); }

  void takesNoDelayBelowZero()
  {
    QFETCH(QString, extension);
    const auto table = project({named("A", 3, 4), named("B", 3, 4), gaussian(0)});
    QVERIFY(table->rows() > 1);
    const std::string file = path("delay." + extension);
    const auto writeWith = [&](float delay, bool isOfEachRow) {
      const std::vector<float> delays(table->rows(), delay);
      TableSlab slab = slabOf(*table);
      slab.constantDelay = delay;
      if (isOfEachRow)
        slab.delay = delays;
      writerOf(extension)(
          {table->projection, table->offsets, isOfEachRow, delay, [&](const auto& sink) { sink(slab); }}, file, {});
    };
    for (const bool isOfEachRow : {false, true}) {
      writeWith(0, isOfEachRow);
      QCOMPARE(io::importTable(file)->table.delayOf(1), 0.0F);
      writeWith(-0.5F, isOfEachRow);
      QString sentence = "was read";
      QVERIFY2(failureOf(file, sentence) == ErrorCode::BadFormat, qPrintable(sentence));
      QVERIFY2(sentence.contains("has a delay of -0.5 ms; delays are 0 or more"), qPrintable(sentence));
      QVERIFY2(extension == "csv" || sentence.contains("row 1 "), qPrintable(sentence));
    }
  }

  void leavesNothingBehind_data() { addExtensions(); }

  void leavesNothingBehind()
  {
    QFETCH(QString, extension);
    const auto table = makeTableNamed("many, delays");
    const QStringList before = files();
    const auto failure = [&](const std::string& file, const RunControl& control) -> std::optional<Error> {
      try {
        io::exportTable(*table, file, control);
        return std::nullopt;
      } catch (const Error& error) {
        return error;
      }
    };
    const std::string target = path("nothing." + extension);

    // Cancelled in the midst of it.
    std::optional<RunControl> control;
    control.emplace([&](std::string_view, double fraction) {
      if (fraction > 0.3)
        control->cancel();
    });
    auto error = failure(target, *control);
    QVERIFY(error && error->code() == ErrorCode::Cancelled);
    QCOMPARE(files(), before);

    // A file that cannot grow is what a full disk looks like to the program, at whatever size it is full.
    rlimit limit{};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &limit), 0);
    for (const rlim_t bytes : {0, 100, 3'000, 100'000, 900'000}) {
      const rlimit small{bytes, limit.rlim_max};
      QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
      error = failure(target, {});
      setrlimit(RLIMIT_FSIZE, &limit);
      QVERIFY(error && error->code() == ErrorCode::WriteFailed);
      QCOMPARE(files(), before);
    }

    // A device that is always full, and a folder that is none.
    QVERIFY(QFile::link("/dev/full", QString::fromStdString(target)));
    error = failure(target, {});
    QVERIFY(QFile::remove(QString::fromStdString(target)));
    QVERIFY(error && error->code() == ErrorCode::WriteFailed);
    error = failure(path("no/folder/table." + extension), {});
    QVERIFY(error && error->code() == ErrorCode::WriteFailed);
    error = failure("/proc/table." + extension.toStdString(), {});
    QVERIFY(error && error->code() == ErrorCode::WriteFailed);
    QCOMPARE(files(), before);
  }

  void readsNumbersOfAnyPrecision_data()
  {
    QTest::addColumn<QString>("type");
    for (const char* type : {"f4", "f8", "<f4", ">f8"})
      QTest::newRow(type) << type;
  }

  /// Files of others have weights and delays in single or double precision, in either order of bytes, whole or in
  /// chunks, and ids of any width.
  void readsNumbersOfAnyPrecision()
  {
    QFETCH(QString, type);
    const auto table = makeTableNamed("many, delays");
    const std::string file = path("precision.h5");
    io::exportTable(*table, file);
    const auto out = python("import sys, h5py\nf = h5py.File(sys.argv[1], 'r+')\ne = next(iter(f['edges'].values()))\n"
                            "def change(name, kind):\n"
                            "  values, was = e[name][:].astype(kind), dict(e[name].attrs)\n"
                            "  del e[name]\n"
                            "  e.create_dataset(name, data=values, chunks=(1000,))\n"
                            "  e[name].attrs.update(was)\n"
                            "for name in '0/syn_weight', '0/delay': change(name, sys.argv[2])\n"
                            "for name in 'source_node_id', 'target_node_id': change(name, 'i4')\n"
                            "f.close()",
                            {QString::fromStdString(file), type});
    if (!out)
      QSKIP("there is no h5py here");
    QVERIFY2(out->isEmpty(), *out);
    QVERIFY(isSameTable(io::importTable(file)->table, *table));
  }

  void readsPositionsOfSonataNodes()
  {
    const auto table = makeTableNamed("one name");
    io::exportTable(*table, path("nodes.h5"));
    const auto positions = io::readPositions({path("nodes.h5"), "A"});
    const auto population = populationAt("A", positions);
    QVERIFY(isSamePlaces(*population, *table->projection.source));
    QVERIFY_EXCEPTION_THROWN(io::readPositions({path("nodes.h5"), {}}), Error);
    QVERIFY_EXCEPTION_THROWN(io::readPositions({path("nodes.h5"), "C"}), Error);
    QVERIFY_EXCEPTION_THROWN(io::readPositions({path("none.h5"), {}}), Error);
  }
};

HINESIGHT_TEST(TestTableFormats)
#include "test_table_formats.moc"
