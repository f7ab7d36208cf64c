#include "cli/ranks/ranks.hpp"

#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

using namespace hinesight::tests;

// Networks that processes of MPI form and grow are those of one process, byte for byte.

class TestCliRankNetworks : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  QString path(const QString& name) const { return folder.filePath(name); }

  static int rowsOf(const QByteArray& table)
  {
    int rows = -1; // names of columns
    for (const QByteArray& line : table.trimmed().split('\n'))
      rows += !line.startsWith('#');
    return rows;
  }

private slots:
  void initTestCase()
  {
    if (kMpirun.isEmpty())
      QSKIP("built without MPI");
    QVERIFY(folder.isValid());
    QByteArray threes;
    for (int i = 0; i < 300; ++i) {
      const int place = i / 3;
      threes += QString("%1 %2 %3 0 area %4\n")
                    .arg(i + 1)
                    .arg(place % 10 * 30)
                    .arg(place / 10 * 30)
                    .arg(i % 5 == 0 ? "in" : "ex")
                    .toLatin1();
    }
    writeText(path("threes.txt"), threes);
    writeText(path("interrupts"), "60 d 0:1 0:2 0:70\n120 e 0:2\n80 c 20\n");
  }

  void processesMakeTheSame_data()
  {
    QTest::addColumn<QStringList>("arguments");
    const auto form = [](const char* row, const QStringList& options) {
      QTest::newRow(row) << QStringList{"form", "--axons", "2", "--dendrites", "2", "--out", "network.csv"} + options;
    };
    const QStringList some = {"--neurons", "300", "--excitatory", "0.8"};
    form("naive, linear", some + QStringList{"--search", "naive", "--kernel", "linear", "--cutoff", "150"});
    form("barnes-hut, gamma",
         some + QStringList{"--search", "barnes-hut", "--kernel", "gamma", "--gamma-k", "2", "--gamma-theta", "40"});
    form("inverse, weibull", some + QStringList{"--search", "inverse", "--kernel", "weibull", "--weibull-k", "1.5",
                                                "--weibull-b", "0.0005"});
    form("exact, gaussian", some + QStringList{"--search", "exact", "--kernel", "gaussian", "--sigma", "80"});
    const QStringList threes = {"--positions", path("threes.txt"), "--sigma", "60"};
    form("co-located", threes);
    form("co-located, exact", threes + QStringList{"--search", "exact"});
    form("2 neurons", {"--neurons", "2"});
    form("70 neurons", {"--neurons", "70"}); // two of four ranks have none

    const auto grow = [this](const char* model, const QStringList& options) {
      QTest::newRow(model) << QStringList{"grow",
                                          "--neurons",
                                          "200",
                                          "--excitatory",
                                          "0.8",
                                          "--steps",
                                          "230",
                                          "--growth-rate",
                                          "0.01",
                                          "--initial-most",
                                          "4",
                                          "--interrupts",
                                          path("interrupts"),
                                          "--records",
                                          "records.csv",
                                          "--record-every",
                                          "20",
                                          "--out",
                                          "network.csv",
                                          "--model",
                                          model} +
                                  options;
    };
    const auto normal = [](const char* mean, const char* spread) {
      return QStringList{"--background", "normal", "--background-mean", mean, "--background-spread", spread};
    };
    grow("poisson", normal("0.05", "0.02"));
    grow("izhikevich", normal("8", "4"));
    grow("fitzhugh-nagumo", normal("0.8", "0.3"));
    grow("aeif", normal("1500", "400"));
  }
  void processesMakeTheSame()
  {
    QFETCH(QStringList, arguments);
    const QTemporaryDir alone;
    const ProgramRun expected = runIn(alone, programPath(), arguments);
    QVERIFY2(expected.status == 0, expected.text());
    const QMap<QString, QByteArray> files = filesIn(alone.path());
    QVERIFY(rowsOf(files["network.csv"]) >= 2);
    for (const int processes : {2, 3, 4}) {
      const QTemporaryDir split;
      const ProgramRun run = runIn(split, kMpirun, onProcesses(processes, arguments));
      QVERIFY2(run.status == 0, run.text());
      QVERIFY2(run.out.contains(QByteArray::number(processes) + " ranks"), run.text());
      const QMap<QString, QByteArray> made = filesIn(split.path());
      QCOMPARE(made.keys(), files.keys());
      for (const QString& name : files.keys())
        QVERIFY2(made[name] == files[name], qPrintable(name));
    }
  }
};

HINESIGHT_TEST(TestCliRankNetworks)
#include "test_cli_rank_networks.moc"
