#include "morphology/branches.hpp"
#include "morphology/swc_samples.hpp"
#include "paths/paths.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include <unistd.h>

using namespace hinesight;
using namespace hinesight::morphology;
using namespace swc_samples;

/// Real files against the tables that come with them, and the way to and from the disk.
class TestSwcFiles : public QObject
{
  Q_OBJECT

private slots:
  void countsAgreeWithIndex_data();
  void countsAgreeWithIndex();
  void lengthsAgreeWithReference_data();
  void lengthsAgreeWithReference();
  void brokenFileIsTreatedAsTabulated_data();
  void brokenFileIsTreatedAsTabulated();
  void writesWhatReadsBackTheSame_data();
  void writesWhatReadsBackTheSame();
  void writesAwkwardNumbersAndComments();
  void replacesFilesAtomically();
  void namesWhatCannotBeOpened();
  void namesTheCell();
  void reportsProgressAndStopsOnRequest();
};

namespace {

const QString kFolder = tests::sharedFile("morphologies/");

/// The rows of a table as column name to text.
QList<QHash<QByteArray, QByteArray>> readNamedColumns(const QString& path)
{
  QList<QHash<QByteArray, QByteArray>> rows;
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    return rows;
  const QByteArrayList names = file.readLine().trimmed().split('\t');
  for (const QByteArrayList& cells : readTable(path)) {
    QHash<QByteArray, QByteArray> row;
    for (qsizetype at = 0; at < std::min(names.size(), cells.size()); ++at)
      row.insert(names[at], cells[at]);
    rows.append(row);
  }
  return rows;
}

using Row = QHash<QByteArray, QByteArray>;

void addRows(const QString& table, const std::function<bool(const Row&)>& wanted)
{
  QTest::addColumn<Row>("row");
  for (const Row& row : readNamedColumns(kFolder + table)) {
    if (wanted(row))
      QTest::newRow(row.value("file").constData()) << row;
  }
}

/// Without tables there are no rows, and Qt Test would call the function once without data.
#define SKIP_WITHOUT_TABLES()                                                                                          \
  do {                                                                                                                 \
    if (!QTest::currentDataTag())                                                                                      \
      QSKIP("the shared morphologies are not here");                                                                   \
  } while (false)

std::shared_ptr<const Morphology> readReal(const Row& row)
{
  return readSwc((kFolder + "real/" + row.value("file")).toStdString());
}

struct NeuriteFigures
{
  std::int64_t stems = 0, sections = 0, tips = 0, bifurcations = 0, maxOrder = 0;
  double length = 0, maxPath = 0;
};

/// What is left when the soma samples are taken away. A section starts at each root, too; order counts roots that
/// branch. Written for clearness, sample by sample, as an independent check.
NeuriteFigures measureNeurites(const Morphology& whole)
{
  Morphology neurites;
  std::vector<std::int32_t> place(whole.samples(), -1);
  for (std::size_t sample = 0; sample < whole.samples(); ++sample) {
    if (whole.type[sample] == kSoma)
      continue;
    place[sample] = static_cast<std::int32_t>(neurites.samples());
    neurites.id.push_back(whole.id[sample]);
    neurites.type.push_back(whole.type[sample]);
    neurites.x.push_back(whole.x[sample]);
    neurites.y.push_back(whole.y[sample]);
    neurites.z.push_back(whole.z[sample]);
    neurites.radius.push_back(whole.radius[sample]);
    neurites.line.push_back(whole.line[sample]);
    neurites.parent.push_back(whole.parent[sample]);
  }
  for (std::int32_t& parent : neurites.parent)
    parent = parent < 0 ? -1 : place[parent];
  completeMorphology(neurites);
  const BranchTree tree = findBranches(neurites);

  NeuriteFigures figures;
  figures.stems = static_cast<std::int64_t>(neurites.roots.size());
  figures.sections = static_cast<std::int64_t>(tree.branches());
  for (const std::int32_t root : neurites.roots)
    figures.sections += neurites.childCount(root) != 1;
  for (std::size_t sample = 0; sample < neurites.samples(); ++sample) {
    const std::int32_t children = neurites.childCount(static_cast<std::int32_t>(sample));
    figures.tips += children == 0;
    figures.bifurcations += children >= 2;
    figures.maxPath = std::max(figures.maxPath, tree.pathDistance[sample]);
  }
  std::vector<std::int64_t> order(neurites.samples(), 0);
  for (const std::int32_t sample : neurites.order) {
    const std::int32_t parent = neurites.parent[sample];
    order[sample] = parent < 0 ? 0 : order[parent] + (neurites.childCount(parent) >= 2);
    figures.maxOrder = std::max(figures.maxOrder, order[sample]);
  }
  for (const double length : tree.length)
    figures.length += length;
  return figures;
}

QByteArray typesOf(const Morphology& morphology)
{
  std::vector<std::int32_t> types = morphology.type;
  std::sort(types.begin(), types.end());
  types.erase(std::unique(types.begin(), types.end()), types.end());
  QByteArrayList names;
  for (const std::int32_t type : types)
    names.append(QByteArray::number(type));
  return names.join(' ');
}

bool sameBits(const std::vector<double>& a, const std::vector<double>& b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

std::string written(const Morphology& morphology)
{
  std::ostringstream stream;
  writeSwc(morphology, stream);
  return stream.str();
}

/// Whether a number of a table, given to `digits` significant digits, stands for `value`.
bool agrees(const QByteArray& text, double value)
{
  return std::abs(text.toDouble() - value) <= 5e-9 * std::abs(value);
}

} // namespace

void TestSwcFiles::countsAgreeWithIndex_data()
{
  addRows("INDEX.tsv", [](const Row& row) { return row.value("valid") == "yes"; });
}

void TestSwcFiles::countsAgreeWithIndex()
{
  SKIP_WITHOUT_TABLES();
  QFETCH(Row, row);
  const auto morphology = readReal(row);
  const MorphologyMetrics metrics = measure(*morphology, findBranches(*morphology));
  const NeuriteFigures neurites = measureNeurites(*morphology);
  const auto number = [&](const char* column) { return row.value(column).toLongLong(); };
  QCOMPARE(static_cast<qlonglong>(metrics.samples), number("points"));
  QCOMPARE(static_cast<qlonglong>(metrics.branches), number("branches"));
  QCOMPARE(static_cast<qlonglong>(metrics.tips), number("tips"));
  QCOMPARE(static_cast<qlonglong>(metrics.bifurcations), number("bifurcations"));
  QCOMPARE(static_cast<qlonglong>(metrics.maxBranchOrder), number("max_branch_order"));
  QCOMPARE(static_cast<qlonglong>(metrics.roots), number("roots"));
  QCOMPARE(static_cast<qlonglong>(metrics.somaSamples), number("soma_points"));
  QCOMPARE(static_cast<qlonglong>(neurites.stems), number("stems"));
  QCOMPARE(static_cast<qlonglong>(neurites.sections), number("neurite_sections"));
  QCOMPARE(static_cast<qlonglong>(neurites.tips), number("neurite_tips"));
  QCOMPARE(static_cast<qlonglong>(neurites.bifurcations), number("neurite_bifurcations"));
  QCOMPARE(static_cast<qlonglong>(neurites.maxOrder), number("neurite_max_order"));
  QCOMPARE(typesOf(*morphology), row.value("types"));
}

void TestSwcFiles::lengthsAgreeWithReference_data()
{
  addRows("REFERENCE.tsv", [](const Row&) { return true; });
}

void TestSwcFiles::lengthsAgreeWithReference()
{
  SKIP_WITHOUT_TABLES();
  QFETCH(Row, row);
  const auto morphology = readReal(row);
  const MorphologyMetrics metrics = measure(*morphology, findBranches(*morphology));
  const NeuriteFigures neurites = measureNeurites(*morphology);
  const auto number = [&](const char* column) { return row.value(column).toLongLong(); };
  QCOMPARE(static_cast<qlonglong>(metrics.samples), number("points"));
  QCOMPARE(static_cast<qlonglong>(metrics.roots), number("roots"));
  QCOMPARE(static_cast<qlonglong>(metrics.somaSamples), number("soma_points"));
  QCOMPARE(static_cast<qlonglong>(metrics.branches), number("branches"));
  QCOMPARE(static_cast<qlonglong>(metrics.tips), number("tips"));
  QCOMPARE(static_cast<qlonglong>(metrics.bifurcations), number("bifurcations"));
  QCOMPARE(static_cast<qlonglong>(metrics.maxBranchOrder), number("max_branch_order"));
  QVERIFY(agrees(row.value("total_length"), metrics.totalLength));
  QVERIFY(agrees(row.value("max_path_from_root"), metrics.maxPathDistance));
  QCOMPARE(static_cast<qlonglong>(neurites.stems), number("neurite_stems"));
  QCOMPARE(static_cast<qlonglong>(neurites.sections), number("neurite_sections"));
  QCOMPARE(static_cast<qlonglong>(neurites.tips), number("neurite_tips"));
  QCOMPARE(static_cast<qlonglong>(neurites.bifurcations), number("neurite_bifurcations"));
  QCOMPARE(static_cast<qlonglong>(neurites.maxOrder), number("neurite_max_order"));
  QVERIFY(agrees(row.value("neurite_length"), neurites.length));
  QVERIFY(agrees(row.value("neurite_max_path"), neurites.maxPath));
}

void TestSwcFiles::brokenFileIsTreatedAsTabulated_data()
{
  addRows("INDEX.tsv", [](const Row& row) { return row.value("valid").startsWith("NO"); });
}

/// The table's verdicts are those of strict readers. What the rules repair is read with a warning at the line named.
void TestSwcFiles::brokenFileIsTreatedAsTabulated()
{
  SKIP_WITHOUT_TABLES();
  QFETCH(Row, row);
  struct Treatment
  {
    bool refused;
    std::int64_t line;
    const char* words;
  };
  const QHash<QByteArray, Treatment> treatments = {
      {"NeuroM__Neuron_missing_ids.swc", {false, 42, "a parent that does not exist (first: 7)"}},
      {"NeuroM__Neuron_missing_parents.swc", {false, 40, "4 samples have a parent that does not exist (first: 5)"}},
      {"NeuroM__repeated_id.swc", {false, 6, "repeats an earlier row exactly"}}, // the same seven fields twice
      {"AllenInstituteNeuroML__Sst-IRES-Cre_Ai14-165865.03.01.01_491119181_marker_m.swc",
       {true, 2, "field 1 (id) \"540.54\" is not a whole number"}},
      {"jaxley__morph_multiple_roots.swc", {true, 9, "id 3 already used on line 7"}},
      {"MorphoPy__sample_no_root.swc", {true, 3, "sample 0 is its own parent"}},
      {"MorphoPy__empty_file.swc", {true, 0, "no sample rows; 7 comment lines"}},
      // Its unknown radii (NA) are no error, a coordinate that is NA is.
      {"xyz2swc__NonStandard.swc", {true, 8, "field 5 (z) \"NA\" is not a number"}},
  };
  QVERIFY(treatments.contains(row.value("file")));
  const Treatment treatment = treatments.value(row.value("file"));
  std::shared_ptr<const Morphology> morphology;
  const auto error = errorOf([&] { morphology = readReal(row); });
  QCOMPARE(error.has_value(), treatment.refused);
  if (error) {
    QCOMPARE(error->code(), ErrorCode::BadFormat);
    QCOMPARE(error->line(), treatment.line);
    QVERIFY2(error->message().find(treatment.words) != std::string::npos, error->what());
  } else {
    QVERIFY2(hasWarning(*morphology, treatment.line, treatment.words), describeWarnings(*morphology));
  }
}

void TestSwcFiles::writesWhatReadsBackTheSame_data()
{
  QTest::addColumn<QString>("file");
  for (const QString& folder : {kFolder + "real", tests::testData("swc/edge")}) {
    for (const QFileInfo& info : QDir(folder).entryInfoList({"*.swc"}, QDir::Files, QDir::Name))
      QTest::newRow(info.fileName().toUtf8().constData()) << info.filePath();
  }
}

void TestSwcFiles::writesWhatReadsBackTheSame()
{
  QFETCH(QString, file);
  std::shared_ptr<const Morphology> first;
  if (errorOf([&] { first = readSwc(file.toStdString()); }))
    return; // refused files have nothing to write; other tests look at them
  const std::string text = written(*first);
  const auto second = parse(text);
  QCOMPARE(second->id, first->id);
  QCOMPARE(second->type, first->type);
  QVERIFY(sameBits(second->x, first->x));
  QVERIFY(sameBits(second->y, first->y));
  QVERIFY(sameBits(second->z, first->z));
  QVERIFY(sameBits(second->radius, first->radius));
  QCOMPARE(second->parent, first->parent);
  QCOMPARE(second->comments, first->comments);
  QCOMPARE(second->order, first->order);
  QVERIFY(written(*second) == text);
}

void TestSwcFiles::writesAwkwardNumbersAndComments()
{
  Morphology morphology;
  morphology.comments = {" two\nlines", "three\r\nmore\n", ""};
  morphology.id = {9'223'372'036'854'775'807, 0};
  morphology.type = {1, 2'147'483'647};
  morphology.x = {-0.0, 5e-324};
  morphology.y = {0.1 + 0.2, 1e100};
  morphology.z = {1.0 / 3, -123456789.123456789};
  morphology.radius = {0, 2.2250738585072014e-308};
  morphology.parent = {-1, 0};
  morphology.line = {0, 0};
  completeMorphology(morphology);
  const std::string text = written(morphology);
  const auto back = parse(text);
  QCOMPARE(back->id, morphology.id);
  QCOMPARE(back->type, morphology.type);
  QVERIFY(sameBits(back->x, morphology.x));
  QVERIFY(sameBits(back->y, morphology.y));
  QVERIFY(sameBits(back->z, morphology.z));
  QVERIFY(sameBits(back->radius, morphology.radius));
  QCOMPARE(back->parent, morphology.parent);
  QCOMPARE(back->comments, (std::vector<std::string>{" two", "lines", "three", "", "more", "", ""}));
}

void TestSwcFiles::replacesFilesAtomically()
{
  QTemporaryDir folder;
  const QString path = folder.filePath("cell.swc");
  const auto cell = parse("# a cell\n1 1 0 0 0 3 -1\n2 3 0 5.5 0 0.25 1\n");
  writeSwc(*cell, path.toStdString());
  writeSwc(*cell, path.toStdString());
  QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"cell.swc"});
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QCOMPARE(file.readAll(), QByteArray("# a cell\n1 1 0 0 0 3 -1\n2 3 0 5.5 0 0.25 1\n"));

  const auto error = errorOf([&] { writeSwc(*cell, folder.filePath("none/cell.swc").toStdString()); });
  QVERIFY(error);
  QCOMPARE(error->code(), ErrorCode::WriteFailed);
}

void TestSwcFiles::namesWhatCannotBeOpened()
{
  QTemporaryDir folder;
  const auto missing = errorOf([&] { readSwc(folder.filePath("none.swc").toStdString()); });
  QVERIFY(missing);
  QCOMPARE(missing->code(), ErrorCode::FileNotFound);
  QCOMPARE(QString::fromStdString(missing->file()), folder.filePath("none.swc"));

  const auto directory = errorOf([&] { readSwc(folder.path().toStdString()); });
  QVERIFY(directory);
  QCOMPARE(directory->code(), ErrorCode::FileUnreadable);

  // Can be opened, but reading its first page fails.
  const auto broken = errorOf([&] { readSwc("/proc/self/mem"); });
  QVERIFY(broken);
  QCOMPARE(broken->code(), ErrorCode::FileUnreadable);

  if (::geteuid() == 0)
    QSKIP("root may read every file");
  QFile secret(folder.filePath("secret.swc"));
  QVERIFY(secret.open(QIODevice::WriteOnly));
  secret.close();
  QVERIFY(secret.setPermissions(QFileDevice::WriteOwner));
  const auto forbidden = errorOf([&] { readSwc(folder.filePath("secret.swc").toStdString()); });
  QVERIFY(forbidden);
  QCOMPARE(forbidden->code(), ErrorCode::FileUnreadable);
}

void TestSwcFiles::namesTheCell()
{
  const std::string text = "1 1 0 0 0 3 -1\n";
  QCOMPARE(parseSwc(text, "/data/c91662.CNG.swc")->name, std::string("c91662.CNG"));
  QCOMPARE(parseSwc(text, "upper.SWC")->name, std::string("upper"));
  QCOMPARE(parseSwc(text, "folder.swc/cell.txt")->name, std::string("cell.txt"));
  QCOMPARE(parseSwc(text, "/data/cell.swc")->path, std::string("/data/cell.swc"));
}

void TestSwcFiles::reportsProgressAndStopsOnRequest()
{
  std::string text = "1 1 0 0 0 3 -1\n";
  for (int id = 2; id <= 200'000; ++id)
    text += std::to_string(id) + " 3 0 " + std::to_string(id) + " 0 1 " + std::to_string(id - 1) + "\n";

  std::vector<double> fractions;
  parseSwc(text, "long.swc", {}, RunControl([&](std::string_view stage, double fraction) {
             QCOMPARE(stage, std::string_view("read"));
             fractions.push_back(fraction);
           }));
  QVERIFY(fractions.size() > 3);
  QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
  QVERIFY(fractions.front() > 0);
  QCOMPARE(fractions.back(), 1.0);

  RunControl cancelled;
  cancelled.cancel();
  const auto error = errorOf([&] { parseSwc(text, "long.swc", {}, cancelled); });
  QVERIFY(error);
  QCOMPARE(error->code(), ErrorCode::Cancelled);
}

HINESIGHT_TEST(TestSwcFiles)
#include "test_swc_files.moc"
