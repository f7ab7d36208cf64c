#include "app/app_fixture.hpp"
#include "app/program_run.hpp"
#include "paths/paths.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QImage>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QtTest>

#include <csignal>

using hinesight::tests::kPatience;
using hinesight::tests::Result;
using hinesight::tests::runProgram;

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
  void makesFigures();
  void placesLegendAndScaleBarOfAFigure();
  void warnsOfALegendWithoutRoom();
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
  QVERIFY2(QFile::exists(hinesight::tests::programFile("hinesight")), "build the target hinesight first");
}

void TestProgram::explainsItself()
{
  // Without any display.
  QProcessEnvironment bare;
  const Result help = runProgram({"--help"}, bare);
  QCOMPARE(help.exitStatus, 0);
  for (const char* option : {"--view", "--screenshot", "--dpi", "--transparent", "--light", "--legend", "--scale-bar",
                             "--turntable", "--size", "--copies", "--color-by", "--theme"})
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
    program.start(hinesight::tests::programFile("hinesight"), {QLatin1String(argument)});
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

void TestProgram::placesLegendAndScaleBarOfAFigure()
{
  const QString drawing = folder.filePath("placed.svg");
  const auto figureWith = [&](const QStringList& places) {
    const Result result = runProgram(QStringList{hinesight::app::dataFile("stellate.swc"), "--view", "morphology",
                                                 "--screenshot", drawing, "--size", "1000x700"} +
                                     places);
    QFile file(drawing);
    return result.exitStatus == 0 && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  const QByteArray usual = figureWith({});
  QVERIFY(usual.contains("SWC type") && usual.contains("\u00b5m"));
  const QByteArray placed = figureWith({"--legend", "right", "--scale-bar", "top-left"});
  QVERIFY(placed.contains("SWC type") && placed.contains("\u00b5m"));
  QVERIFY(placed != usual);
  const QByteArray bare = figureWith({"--legend", "none", "--scale-bar", "none"});
  QVERIFY(!bare.isEmpty() && !bare.contains("SWC type") && !bare.contains("\u00b5m"));
  QCOMPARE(runProgram({"--legend", "middle"}).exitStatus, 2);
}

void TestProgram::warnsOfALegendWithoutRoom()
{
  QFile cell(folder.filePath("many-types.swc"));
  QVERIFY(cell.open(QIODevice::WriteOnly));
  cell.write("1 1 0 0 0 5 -1\n");
  for (int sample = 2; sample <= 3'000; ++sample)
    cell.write(QStringLiteral("%1 %1 %1 0 0 1 %2\n").arg(sample).arg(sample - 1).toLatin1());
  cell.close();
  const QString drawing = folder.filePath("crowded.svg");
  const Result result = runProgram({cell.fileName(), "--view", "tree", "--screenshot", drawing, "--size", "1000x700"});
  QVERIFY2(result.exitStatus == 0, qPrintable(result.errors));
  QVERIFY2(result.errors.contains("crowded.svg: The legend has no room for "), qPrintable(result.errors));
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
