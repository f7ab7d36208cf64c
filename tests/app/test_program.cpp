#include "app_fixture.hpp"
#include "slowness.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QImage>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QtTest>

#include <csignal>

#include <sys/types.h>

namespace {

constexpr int kPatience = 60'000 * hinesight::tests::kSlowness; // ms; software OpenGL on a busy machine

struct Result
{
  int exitStatus = -1;
  bool crashed = false;
  QString output;
  QString errors;
};

Result runProgram(const QStringList& arguments, const QProcessEnvironment& environment)
{
  QProcess program;
  program.setProcessEnvironment(environment);
  program.start(QStringLiteral(HINESIGHT_BINARY_DIR "/hinesight"), arguments);
  Result result;
  if (!program.waitForFinished(kPatience)) {
    program.kill();
    program.waitForFinished();
    return result;
  }
  result.exitStatus = program.exitCode();
  result.crashed = program.exitStatus() == QProcess::CrashExit;
  result.output = QString::fromUtf8(program.readAllStandardOutput());
  result.errors = QString::fromUtf8(program.readAllStandardError());
  return result;
}

Result runProgram(const QStringList& arguments)
{
  return runProgram(arguments, QProcessEnvironment::systemEnvironment());
}

} // namespace

/// The real program as a process.
class TestProgram : public QObject
{
  Q_OBJECT

private slots:
  void initTestCase();
  void explainsItself();
  void saysThatHelpCannotBeWritten();
  void refusesWrongUsage_data();
  void refusesWrongUsage();
  void takesScreenshots_data();
  void takesScreenshots();
  void exportsASession();
  void exportsEveryConnectionAndGrowth();
  void keepsWhatIsOpenWhenItIsKilled();
  void endsAsItShouldOnSignals_data();
  void endsAsItShouldOnSignals();
  void optionsCountOverASession();
  void solvesASessionOnTheChosenBackend_data();
  void solvesASessionOnTheChosenBackend();
  void makesFigures();
  void failsInOneSentence_data();
  void failsInOneSentence();
  void needsADisplay_data();
  void needsADisplay();
  void choosesXcbByItself();
  void needsGlx();

private:
  QTemporaryDir folder;
};

void TestProgram::initTestCase()
{
  QVERIFY2(QFile::exists(QStringLiteral(HINESIGHT_BINARY_DIR "/hinesight")), "build the target hinesight first");
}

void TestProgram::explainsItself()
{
  // Without any display.
  QProcessEnvironment bare;
  const Result help = runProgram({"--help"}, bare);
  QCOMPARE(help.exitStatus, 0);
  for (const char* option : {"--view", "--screenshot", "--dpi", "--transparent", "--light", "--turntable", "--size",
                             "--copies", "--color-by", "--theme"})
    QVERIFY2(help.output.contains(option), option);
  const Result version = runProgram({"--version"}, bare);
  QCOMPARE(version.exitStatus, 0);
  QVERIFY(version.output.startsWith("hinesight "));
  for (const char* line : {"\ncommit ", "\ncompiler ", "\nCUDA ", "\nQt ", "\nVTK "})
    QVERIFY2(version.output.contains(line), line);
}

void TestProgram::saysThatHelpCannotBeWritten()
{
  for (const char* argument : {"--help", "--version"}) {
    QProcess program;
    program.setStandardOutputFile(QStringLiteral("/dev/full"));
    program.start(QStringLiteral(HINESIGHT_BINARY_DIR "/hinesight"), {QLatin1String(argument)});
    QVERIFY(program.waitForFinished(kPatience));
    QCOMPARE(program.exitCode(), 1);
    QCOMPARE(program.readAllStandardError(),
             QByteArray("hinesight: The output cannot be written to stdout; is the disk full?\n"));
  }
}

void TestProgram::refusesWrongUsage_data()
{
  QTest::addColumn<QStringList>("arguments");
  QTest::newRow("unknown option") << QStringList{"--frobnicate"};
  QTest::newRow("unknown view") << QStringList{"--view", "sideways"};
  QTest::newRow("no size") << QStringList{"--size", "wide"};
  QTest::newRow("half a size") << QStringList{"--size", "100x"};
  QTest::newRow("empty size") << QStringList{"--size", "0x100"};
  QTest::newRow("absurd size") << QStringList{"--size", "99999x100"};
  QTest::newRow("zero copies") << QStringList{"--copies", "0"};
  QTest::newRow("absurd copies") << QStringList{"--copies", "1000000000"};
  QTest::newRow("unknown colour") << QStringList{"--color-by", "taste"};
  QTest::newRow("unknown theme") << QStringList{"--theme", "pink"};
  QTest::newRow("file without a name") << QStringList{""};
  QTest::newRow("picture without a name") << QStringList{"--screenshot", ""};
}

void TestProgram::refusesWrongUsage()
{
  QFETCH(QStringList, arguments);
  const Result result = runProgram(arguments);
  QVERIFY(!result.crashed);
  QCOMPARE(result.exitStatus, 2);
  QCOMPARE(result.errors.count('\n'), 1);
  QVERIFY2(result.errors.startsWith("hinesight: "), qPrintable(result.errors));
}

void TestProgram::takesScreenshots_data()
{
  QTest::addColumn<QStringList>("arguments");
  QTest::newRow("empty") << QStringList{};
  QTest::newRow("morphology") << QStringList{hinesight::app::dataFile("stellate.swc"), "--view", "morphology"};
  QTest::newRow("tree, light") << QStringList{hinesight::app::dataFile("stellate.swc"), "--view", "tree", "--theme",
                                              "light"};
  QTest::newRow("packing, copies") << QStringList{
      hinesight::app::dataFile("stellate.swc"), "--view", "packing", "--copies", "20", "--color-by", "path-distance"};
  QTest::newRow("splitting, two") << QStringList{hinesight::app::dataFile("stellate.swc"),
                                                 hinesight::app::dataFile("bipolar.swc"), "--view", "splitting"};
  QTest::newRow("projection") << QStringList{"--view", "projection"};
  QTest::newRow("projection after cells")
      << QStringList{hinesight::app::dataFile("stellate.swc"), "--view", "projection"};
}

void TestProgram::takesScreenshots()
{
  QFETCH(QStringList, arguments);
  const QString path = folder.filePath("shot.png");
  QFile::remove(path);
  const Result result = runProgram(arguments + QStringList{"--screenshot", path, "--size", "1200x800"});
  QVERIFY2(result.exitStatus == 0, qPrintable(result.errors));
  const QImage picture(path);
  QCOMPARE(picture.size(), QSize(1200, 800));
}

void TestProgram::exportsASession()
{
  const QDir to(folder.filePath(QStringLiteral("export")));
  const Result result = runProgram({"--session", QStringLiteral(HINESIGHT_TEST_DATA "/../../docs/example.hinesight"),
                                    "--export", to.path(), "--size", "1280x720"});
  QVERIFY2(result.exitStatus == 0, qPrintable(result.errors));
  for (const char* view : {"morphology", "tree", "packing", "splitting", "measure", "projection", "synapses"})
    QVERIFY2(QImage(to.filePath(QLatin1String(view) + QStringLiteral(".png"))).width() > 100, view);
  QFile timings(to.filePath(QStringLiteral("timings.csv")));
  QVERIFY(timings.open(QIODevice::ReadOnly) && timings.readAll().contains("synthetic_stellate"));
  QVERIFY(QFile::exists(to.filePath(QStringLiteral("circuit/circuit_config.json"))));
  for (const char* table : {"cells.csv", "branches.csv", "types.csv", "sholl.csv"}) {
    QFile file(to.filePath(QLatin1String(table)));
    QVERIFY2(file.open(QIODevice::ReadOnly) && file.readAll().contains("synthetic_stellate"), table);
  }
  // Each connection has a figure and a run of its own; what was formed and grown is there as well.
  for (const char* name : {"projection-input", "projection-feedforward", "projection-inhibition", "synapses-local"})
    QVERIFY2(QImage(to.filePath(QLatin1String(name) + QStringLiteral(".png"))).width() > 100, name);
  QVERIFY(QFile::exists(to.filePath(QStringLiteral("synapses-local.h5"))));
  QVERIFY(!QFile::exists(to.filePath(QStringLiteral("plasticity.png")))); // the session says of no steps
  timings.seek(0);
  const QByteArray runs = timings.readAll();
  for (const char* run : {"input: ", "feedforward: ", "inhibition: ", "local: formed"})
    QVERIFY2(runs.contains(run), run);
  QFile connections(to.filePath(QStringLiteral("connections.csv")));
  QVERIFY(connections.open(QIODevice::ReadOnly));
  const QByteArray lines = connections.readAll();
  for (const char* name : {"\ninput,", "\nfeedforward,", "\ninhibition,", "\nlocal,"})
    QVERIFY2(lines.contains(name), lines);
  // The session that was written makes the same circuit.
  const Result again = runProgram({"--session", to.filePath(QStringLiteral("session.hinesight")), "--export",
                                   folder.filePath(QStringLiteral("again")), "--size", "1280x720"});
  QCOMPARE(again.exitStatus, 0);
  const auto nodes = [this](const char* in) {
    QFile file(folder.filePath(QLatin1String(in) + QStringLiteral("/circuit/network/pyramidal_nodes.h5")));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  QVERIFY(!nodes("export").isEmpty());
  QCOMPARE(nodes("again"), nodes("export"));

  // A file that is gone takes nothing from the others, and is told of.
  QFile text(to.filePath(QStringLiteral("session.hinesight")));
  QVERIFY(text.open(QIODevice::ReadOnly));
  QByteArray gone = text.readAll();
  const QByteArray list = "\"cells\": [";
  gone.insert(gone.indexOf(list) + list.size(), "{\"name\": \"gone\", \"file\": \"gone.swc\"},");
  QFile other(to.filePath(QStringLiteral("gone.hinesight")));
  QVERIFY(other.open(QIODevice::WriteOnly) && other.write(gone) == gone.size());
  other.close();
  const QDir partly(folder.filePath(QStringLiteral("partly")));
  const Result rest = runProgram({"--session", other.fileName(), "--export", partly.path(), "--size", "1280x720"});
  QCOMPARE(rest.exitStatus, 1);
  QVERIFY2(rest.errors.contains(QStringLiteral("gone.swc")), qPrintable(rest.errors));
  for (const char* file : {"morphology.png", "types.csv", "circuit/circuit_config.json", "session.hinesight"})
    QVERIFY2(QFile::exists(partly.filePath(QLatin1String(file))), file);
}

/// Names of connections that are no names of files, and a network that grows.
void TestProgram::exportsEveryConnectionAndGrowth()
{
  QFile session(folder.filePath(QStringLiteral("grows.hinesight")));
  QVERIFY(session.open(QIODevice::WriteOnly));
  session.write(R"({"session": 1, "populations": [
      {"name": "A", "kind": "box", "count": 60, "extent": [300, 300, 100]},
      {"name": "B", "kind": "box", "count": 40, "extent": [300, 300, 100], "seed": 2}],
    "connections": [
      {"name": "a b", "source": "A", "target": "B", "kernel": "gaussian", "sigma": 80, "cut": 0.1},
      {"name": "A_b", "source": "B", "target": "A", "kernel": "gaussian", "sigma": 80, "cut": 0.1},
      {"name": "near & far", "kind": "formed", "between": ["A", "B"]},
      {"name": "near", "kind": "formed", "between": ["A"]}],
    "grow": {"populations": ["A", "B"], "steps": 250, "axon-initial-least": 2, "axon-initial-most": 3,
      "excitatory-initial-least": 2, "excitatory-initial-most": 3}})");
  session.close();
  const QDir to(folder.filePath(QStringLiteral("grown")));
  const Result result = runProgram({"--session", session.fileName(), "--export", to.path(), "--size", "1280x720"});
  QVERIFY2(result.exitStatus == 0, qPrintable(result.errors));
  for (const char* name : {"projection-a_b", "projection-A_b-2", "synapses-near___far", "synapses-near", "plasticity"})
    QVERIFY2(QImage(to.filePath(QLatin1String(name) + QStringLiteral(".png"))).width() > 100, name);
  for (const char* name :
       {"synapses-near___far.h5", "synapses-near.h5", "plasticity.h5", "plasticity.csv", "plasticity.svg"})
    QVERIFY2(QFile::exists(to.filePath(QLatin1String(name))), name);
  QFile records(to.filePath(QStringLiteral("plasticity.csv")));
  QVERIFY(records.open(QIODevice::ReadOnly) && records.readAll().contains("\n250,"));
  QFile timings(to.filePath(QStringLiteral("timings.csv")));
  QVERIFY(timings.open(QIODevice::ReadOnly));
  const QByteArray runs = timings.readAll();
  for (const char* run : {"a b: A", "A_b: B", "near & far: formed", "near: formed", "250 steps"})
    QVERIFY2(runs.contains(run), run);
}

/// Killed at once, it leaves a session that opens.
void TestProgram::keepsWhatIsOpenWhenItIsKilled()
{
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("XDG_STATE_HOME"), folder.path());
  environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder.path());
  QProcess program;
  program.setProcessEnvironment(environment);
  program.start(QStringLiteral(HINESIGHT_BINARY_DIR "/hinesight"),
                {hinesight::app::dataFile("stellate.swc"), "--copies", "5"});
  const QDir state(folder.filePath(QStringLiteral("hinesight")));
  const auto kept = [&] { return state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files).value(0); };
  QTRY_VERIFY_WITH_TIMEOUT(!kept().isEmpty(), kPatience);
  program.kill();
  QVERIFY(program.waitForFinished(kPatience));
  const Result opened = runProgram({"--session", state.filePath(kept()), "--export",
                                    folder.filePath(QStringLiteral("recovered")), "--size", "1280x720"});
  QVERIFY2(opened.exitStatus == 0, qPrintable(opened.errors));
  const QDir recovered(folder.filePath(QStringLiteral("recovered")));
  QFile timings(recovered.filePath(QStringLiteral("timings.csv")));
  const bool isThere = timings.open(QIODevice::ReadOnly);
  QVERIFY2(isThere, qPrintable(recovered.entryList().join(QLatin1Char(' ')) + opened.errors));
  QVERIFY(timings.readAll().contains("stellate"));
}

void TestProgram::endsAsItShouldOnSignals_data()
{
  QTest::addColumn<int>("signal");
  QTest::newRow("logout") << SIGTERM;
  QTest::newRow("Ctrl+C") << SIGINT;
  QTest::newRow("closed terminal") << SIGHUP;
}

/// As Quit does: what was open is the last session, and nothing is to be recovered.
void TestProgram::endsAsItShouldOnSignals()
{
  QFETCH(int, signal);
  const QTemporaryDir home;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("XDG_STATE_HOME"), home.path());
  environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home.path());
  QProcess program;
  program.setProcessEnvironment(environment);
  program.start(QStringLiteral(HINESIGHT_BINARY_DIR "/hinesight"), {hinesight::app::dataFile("stellate.swc")});
  const QDir state(home.filePath(QStringLiteral("hinesight")));
  const auto left = [&](const char* names) { return state.entryList({QLatin1String(names)}, QDir::Files); };
  QTRY_VERIFY_WITH_TIMEOUT(!left("window-*.hinesight").isEmpty(), kPatience);
  QCOMPARE(::kill(static_cast<pid_t>(program.processId()), signal), 0);
  QVERIFY(program.waitForFinished(kPatience));
  QCOMPARE(program.exitStatus(), QProcess::NormalExit);
  QCOMPARE(program.exitCode(), 0);
  QCOMPARE(left("window-*"), QStringList()); // nor a lock
  QVERIFY(QFile::exists(state.filePath(QStringLiteral("last.hinesight"))));
}

/// Which says 100 copies, and CUDA for its cells and for the synapses that it forms.
void TestProgram::optionsCountOverASession()
{
  QFile example(QStringLiteral(HINESIGHT_TEST_DATA "/../../docs/example.hinesight"));
  QVERIFY(example.open(QIODevice::ReadOnly));
  QByteArray of = example.readAll();
  of.replace("\"../resources/", "\"" HINESIGHT_TEST_DATA "/../../resources/");
  of.replace("\"kind\": \"formed\",", "\"kind\": \"formed\", \"formed-backend\": \"cuda\",");
  of.replace("\"copies\": 100", "\"copies\": 100, \"backend\": \"cuda\"");
  QCOMPARE(of.count("\"cuda\""), 2);
  QFile ofCuda(folder.filePath(QStringLiteral("cuda.hinesight")));
  QVERIFY(ofCuda.open(QIODevice::WriteOnly) && ofCuda.write(of) == of.size());
  ofCuda.close();
  const QDir to(folder.filePath(QStringLiteral("over")));
  const Result result = runProgram({"--copies", "7", "--solver", "serial", "--backend", "cpu", "--session",
                                    ofCuda.fileName(), "--export", to.path(), "--size", "1280x720"});
  QVERIFY2(result.exitStatus == 0, qPrintable(result.errors));
  QFile session(to.filePath(QStringLiteral("session.hinesight")));
  QVERIFY(session.open(QIODevice::ReadOnly));
  const QByteArray text = session.readAll();
  QVERIFY2(text.contains("\"copies\": 7") && text.contains("\"solver\": \"serial\""), text);
  QVERIFY2(text.contains("\"formed-backend\": \"cpu\"") && !text.contains("\"cuda\""), text);
}

void TestProgram::solvesASessionOnTheChosenBackend_data()
{
  QTest::addColumn<QString>("view");
  for (const char* view : {"morphology", "projection", "synapses"})
    QTest::newRow(view) << QString::fromLatin1(view);
}

/// Without a device that says the same as with a cell.
void TestProgram::solvesASessionOnTheChosenBackend()
{
  QFETCH(QString, view);
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), QString()); // none
  const QString shot = folder.filePath(QStringLiteral("without.png"));
  const auto takeOf = [&](const QString& file) {
    return runProgram({"--backend", "cuda", "--view", view, "--screenshot", shot, "--size", "1280x720", file},
                      environment);
  };
  const Result ofCell = takeOf(hinesight::app::dataFile("stellate.swc"));
  const Result ofSession = takeOf(QStringLiteral(HINESIGHT_TEST_DATA "/../../docs/example.hinesight"));
  QCOMPARE(ofCell.exitStatus, 1);
  QCOMPARE(ofSession.exitStatus, 1);
  QCOMPARE(ofSession.errors, ofCell.errors);
  QVERIFY(!QFile::exists(shot));
}

void TestProgram::makesFigures()
{
  const QString cell = hinesight::app::dataFile("stellate.swc");
  const QString drawing = folder.filePath("tree.svg");
  const Result first = runProgram({cell, "--view", "tree", "--screenshot", drawing, "--size", "1000x700", "--light"});
  QVERIFY2(first.exitStatus == 0, qPrintable(first.errors));
  QSvgRenderer reader(drawing);
  QCOMPARE(reader.viewBox().size(), QSize(1000, 700));

  const QString picture = folder.filePath("cell.png");
  const Result second = runProgram(
      {cell, "--view", "morphology", "--screenshot", picture, "--size", "1000x700", "--dpi", "192", "--transparent"});
  QVERIFY2(second.exitStatus == 0, qPrintable(second.errors));
  const QImage figure(picture);
  QCOMPARE(figure.size(), QSize(2000, 1400));
  QCOMPARE(figure.dotsPerMeterX(), 7559);
  QCOMPARE(qAlpha(figure.pixel(0, 0)), 0);

  const QString turn = folder.filePath("frames");
  const Result third = runProgram({cell, "--turntable", "2", turn, "--size", "1000x700"});
  QVERIFY2(third.exitStatus == 0, qPrintable(third.errors));
  QCOMPARE(QDir(turn).entryList(QDir::Files), QStringList({"frame-1.png", "frame-2.png"}));
}

void TestProgram::failsInOneSentence_data()
{
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QString>("about");
  const QString shot = folder.filePath("never.png");
  QTest::newRow("missing file") << QStringList{"/nowhere/cell.swc", "--screenshot", shot} << "/nowhere/cell.swc";
  const QString empty = folder.filePath("empty");
  QVERIFY(QDir().mkpath(empty));
  QTest::newRow("folder") << QStringList{empty, "--screenshot", shot} << empty;
  QTest::newRow("broken file") << QStringList{hinesight::app::dataFile("broken.swc"), "--screenshot", shot}
                               << "broken.swc:3: ";
  QTest::newRow("unknown ending") << QStringList{"--screenshot", folder.filePath("never.gif")} << ".png, .svg or .pdf";
  QTest::newRow("unknown ending of a figure")
      << QStringList{"--screenshot", folder.filePath("never.gif"), "--light"} << ".svg";
  QTest::newRow("turn of one picture") << QStringList{"--turntable", "1", folder.filePath("turn")} << "2 to 3600";
  QTest::newRow("missing folder") << QStringList{"--screenshot", "/nowhere/shot.png"} << "/nowhere/shot.png";
}

void TestProgram::failsInOneSentence()
{
  QFETCH(QStringList, arguments);
  QFETCH(QString, about);
  const Result result = runProgram(arguments);
  QVERIFY(!result.crashed);
  QCOMPARE(result.exitStatus, 1);
  QVERIFY2(result.errors.contains(about), qPrintable(result.errors));
  for (const char* never : {"never.png", "never.gif"})
    QVERIFY(!QFile::exists(folder.filePath(QLatin1String(never))));
}

void TestProgram::needsADisplay_data()
{
  QTest::addColumn<QString>("display");
  QTest::addColumn<QString>("wayland");
  QTest::addColumn<QString>("says");
  QTest::newRow("none") << ""
                        << ""
                        << "There is no display";
  QTest::newRow("Wayland only") << ""
                                << "wayland-0"
                                << "This Wayland session offers no X11 display";
  QTest::newRow("not reachable") << ":4711"
                                 << ""
                                 << "The display :4711 cannot be reached";
}

void TestProgram::needsADisplay()
{
  QFETCH(QString, display);
  QFETCH(QString, wayland);
  QFETCH(QString, says);
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
    environment.remove(name);
  if (!display.isEmpty())
    environment.insert("DISPLAY", display);
  if (!wayland.isEmpty())
    environment.insert("WAYLAND_DISPLAY", wayland);
  const Result result = runProgram({hinesight::app::dataFile("bipolar.swc")}, environment);
  QVERIFY2(!result.crashed, qPrintable(result.errors));
  QCOMPARE(result.exitStatus, 1);
  QCOMPARE(result.errors.count('\n'), 1);
  QVERIFY2(result.errors.startsWith("hinesight: " + says), qPrintable(result.errors));
}

void TestProgram::choosesXcbByItself()
{
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.remove("QT_QPA_PLATFORM");
  environment.insert("WAYLAND_DISPLAY", "wayland-0"); // Qt alone would try it first
  environment.insert("XDG_SESSION_TYPE", "wayland");
  const QString path = folder.filePath("xcb.png");
  const Result result = runProgram({"--screenshot", path, "--size", "900x700"}, environment);
  QVERIFY2(result.exitStatus == 0, qPrintable(result.errors));
  QCOMPARE(QImage(path).size(), QSize(900, 700));
}

void TestProgram::needsGlx()
{
  const QString xvfb = QStandardPaths::findExecutable("Xvfb");
  if (xvfb.isEmpty())
    QSKIP("there is no Xvfb to start without GLX");
  QProcess server;
  server.setStandardErrorFile(QProcess::nullDevice());
  server.start(xvfb, {"-displayfd", "1", "-screen", "0", "640x480x24", "-extension", "GLX"});
  QVERIFY(server.waitForReadyRead(kPatience));
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("DISPLAY", ":" + QString::fromLatin1(server.readAllStandardOutput()).trimmed());
  const Result result = runProgram({}, environment);
  server.terminate();
  server.waitForFinished();
  QVERIFY2(!result.crashed, qPrintable(result.errors));
  QCOMPARE(result.exitStatus, 1);
  QVERIFY2(result.errors.contains("hinesight: The X server of this display offers no GLX"), qPrintable(result.errors));
}

HINESIGHT_TEST(TestProgram)
#include "test_program.moc"
