#include "core/error.hpp"
#include "io/networks/plasticity_files.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace hinesight;
using namespace hinesight::synapse;

class TestPlasticityFiles : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::filesystem::path put(const std::string& bytes) const
  {
    const std::filesystem::path path = folder.filePath("file.txt").toStdString();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  void readsCalcium()
  {
    PlasticityParameters p;
    p.calciumOf = {{7, 1, 1}};
    io::readCalcium(put("# id initial target\n\n0 0.125 0.5\n3 0.25\t0.75\r\n  1 0 -1e-3\n"), p);
    QCOMPARE(p.calciumInitial, 0.125);
    QCOMPARE(p.calciumTarget, 0.5);
    QVERIFY((p.calciumOf == std::vector<NeuronCalcium>{{2, 0.25, 0.75}, {0, 0, -1e-3}}));
    io::readCalcium(put("2 0.25 0.75"), p); // no default: that of the parameters
    QCOMPARE(p.calciumTarget, 0.5);
    QVERIFY((p.calciumOf == std::vector<NeuronCalcium>{{1, 0.25, 0.75}}));
  }

  void readsBackgrounds()
  {
    const auto changes = io::readBackgrounds(put("0 normal:0.1,0.05 random 0:3\n"
                                                 "# later\n100 constant:-2 1 area_b 0:7\n"
                                                 "50 fastnormal:1e-3,2 5\n70 null 5\n"));
    const std::vector<BackgroundChange> expected = {{0, {BackgroundKind::Normal, 0.1, 0.05}, {2}, {"random"}},
                                                    {100, {BackgroundKind::Constant, -2, 0}, {0, 6}, {"area_b"}},
                                                    {50, {BackgroundKind::FastNormal, 1e-3, 2}, {4}, {}},
                                                    {70, {}, {4}, {}}};
    QVERIFY(changes == expected);
  }

  void readsInterrupts()
  {
    const auto interrupts = io::readInterrupts(put("100 d 0:1 0:4\n# on again\n200 e 0:4 5\n\n150 c 25\n"));
    const std::vector<Interrupt> expected = {{100, InterruptKind::Disable, {0, 3}, 0},
                                             {200, InterruptKind::Enable, {3, 4}, 0},
                                             {150, InterruptKind::Create, {}, 25}};
    QVERIFY(interrupts == expected);
  }

  void saysWhatIsWrong_data()
  {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("bytes");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char* kind, const char* bytes, const char* sentence) {
      QTest::addRow("%s %s", kind, bytes) << kind << bytes << sentence;
    };
    row("calcium", "# a\n1 0.5", ":2: \"\" is no number");
    row("calcium", "one 0.5 0.7", ":1: \"one 0.5 0.7\" is no row");
    row("calcium", "1 0.5 0.7 9", "is no row \"id initial target\"");
    row("calcium", "1 0.5 x", "\"x\" is no number");
    row("calcium", "1 nan 0.7", ":1: \"nan\" is no number");
    row("calcium", "1 0.5 -inf", "\"-inf\" is no number");
    row("calcium", "2 0 1\n2 0 1", ":2: is a second row of id 2");
    row("calcium", "5000000000 0 1", "is no row");
    row("background", "now null 1", "which is no step");
    row("background", "1 uniform:0,1 1", "is no background");
    row("background", "1 normal:0 1", "is no background");
    row("background", "1 normal:0,x 1", "\"x\" is no number");
    row("background", "1 normal:inf,1 1", "\"inf\" is no number");
    row("background", "1 normal:0,nan 1", "\"nan\" is no number");
    row("background", "1 constant: 1", "is no background");
    row("background", "1 null", "names no neuron or area");
    row("background", "1 null 1:5", "of another rank than 0");
    row("background", "1 null 0:0", "ids count from 1");
    row("interrupts", "5 x 1", "\"x\" is no interrupt");
    row("interrupts", "-5 d 1", "which is no step");
    row("interrupts", "5 d", "names no neuron");
    row("interrupts", "5 e 0:one", "which is no neuron");
    row("interrupts", "5 e random", "which is no neuron");
    row("interrupts", "5 c", "\"step c count\"");
    row("interrupts", "5 c 0", "\"step c count\"");
    row("interrupts", "5 c 3 4", "\"step c count\"");
  }
  void saysWhatIsWrong()
  {
    QFETCH(QString, kind);
    QFETCH(QString, bytes);
    QFETCH(QString, sentence);
    const std::filesystem::path path = put(bytes.toStdString());
    try {
      PlasticityParameters p;
      if (kind == "calcium")
        io::readCalcium(path, p);
      else if (kind == "background")
        io::readBackgrounds(path);
      else
        io::readInterrupts(path);
      QFAIL("nothing is wrong with it");
    } catch (const Error& error) {
      QCOMPARE(error.code(), ErrorCode::BadFormat);
      QVERIFY2(QString(error.what()).contains(sentence), error.what());
    }
  }

  void missingFilesAreToldOf()
  {
    PlasticityParameters p;
    QVERIFY_EXCEPTION_THROWN(io::readCalcium("/no/such/file", p), Error);
    QVERIFY_EXCEPTION_THROWN(io::readBackgrounds("/no/such/file"), Error);
    QVERIFY_EXCEPTION_THROWN(io::readInterrupts("/no/such/file"), Error);
  }
};

HINESIGHT_TEST(TestPlasticityFiles)
#include "test_plasticity_files.moc"
