#include "app/app_fixture.hpp"
#include "app/document/history.hpp"
#include "app/plasticity/plasticity_page.hpp"
#include "app/plasticity/plasticity_panel.hpp"
#include "app/projection/network_comparison_dialog.hpp"
#include "app/projection/population_panel.hpp"
#include "app/session_fixture.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/synapses/formation_page.hpp"
#include "app/synapses/formation_panel.hpp"
#include "core/files.hpp"
#include "model/session_file.hpp"
#include "paths/paths.hpp"
#include "small_session.hpp"
#include "test_main.hpp"
#include "widgets/charts/step_chart.hpp"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QDirIterator>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QTabWidget>
#include <QUndoStack>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// What networks of the real main window are in its sessions, in its exports and in the hands of hinesight-cli.
class TestKeptNetworks : public QObject, SessionFixture
{
  Q_OBJECT

  static QString example() { return tests::sourceFile("docs/example.hinesight"); }

  PlasticityPage& growth() const { return *find<PlasticityPage>("plasticityPage"); }
  PlasticityPanel& growthPanel() const { return *find<PlasticityPanel>("plasticityPanel"); }
  QString banner() const
  {
    const auto* shown = find<MessageBanner>("messageBanner");
    return shown->isVisible() ? shown->text() : QString();
  }
  QByteArray bytesOf(const QString& file) const
  {
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
  }
  /// By the shell, as a person types it; empty: it went well.
  static QByteArray failureOf(QString command)
  {
    command.replace(0, static_cast<int>(strlen("hinesight-cli")),
                    QStringLiteral("'%1'").arg(tests::programFile("hinesight-cli")));
    QProcess shell;
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), command});
    if (!shell.waitForFinished(kPatience))
      return "not finished";
    return shell.exitCode() == 0 ? QByteArray() : "failed: " + shell.readAllStandardError();
  }
  QString copied() const
  {
    find<QAction>("copyCommandAction")->trigger();
    return QGuiApplication::clipboard()->text();
  }
  void growTo(std::uint32_t step)
  {
    growth().runTo(step);
    QTRY_VERIFY_WITH_TIMEOUT(growth().step() == step && !growth().isRunning(), kPatience);
  }
  /// As the export of the page writes it.
  QByteArray networkOfWindow()
  {
    QFile::remove(path("window.h5"));
    growth().saveNetwork(path("window.h5"));
    if (!QTest::qWaitFor([this] { return QFile::exists(path("window.h5")); }, kPatience) || !waitForJobs())
      return {};
    return bytesOf(path("window.h5"));
  }
  /// Forms the connection "local" of the example, and grows on from it.
  void growFromLocal()
  {
    open({example()});
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    auto* list = find<QListWidget>("connectionList");
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(3)).center());
    QTRY_VERIFY_WITH_TIMEOUT(window->synapses().isVisible() && window->synapses().outcome().formation, kPatience);
    QVERIFY(waitForJobs());
    click("formationGrow");
    QTRY_VERIFY(growth().isVisible());
    growTo(200);
  }

private slots:
  void init()
  {
    QVERIFY(folder.isValid());
    for (const QFileInfo& each : QDir(folder.path()).entryInfoList(QDir::AllEntries | QDir::NoDotAndDotDot))
      each.isDir() ? QDir(each.filePath()).removeRecursively() : QFile::remove(each.filePath());
    QVERIFY(showWindow());
  }
  void cleanup() { window.reset(); }

  void aGrownNetworkIsRemadeByItsSession()
  {
    window->showView(ViewKind::Plasticity);
    type("plasticityNeuronsSpin", "300");
    growTo(5000);
    QVERIFY(growth().synapses().lastValue(0) > 0);
    const QByteArray wanted = networkOfWindow();
    QVERIFY(!wanted.isEmpty());
    const QString grow = copied();
    QVERIFY2(grow.startsWith(QStringLiteral("hinesight-cli grow --steps 5000 --neurons 300")), qPrintable(grow));
    QCOMPARE(failureOf(grow + QStringLiteral(" --out '%1'").arg(path("command.h5"))), QByteArray());
    QVERIFY(bytesOf(path("command.h5")) == wanted);
    save("grown.hinesight");
    QCOMPARE(banner(), QString());
    QVERIFY(!window->isWindowModified()); // the steps are no change
    QCOMPARE(failureOf(QStringLiteral("hinesight-cli run '%1' --study growth --out '%2'")
                           .arg(path("grown.hinesight"), path("remade"))),
             QByteArray());
    QVERIFY(bytesOf(path("remade/growth.h5")) == wanted);
  }

  void aNetworkThatGrewFromAConnectionIsRemadeByItsSession()
  {
    growFromLocal();
    const QByteArray wanted = networkOfWindow();
    save("local.hinesight");
    QCOMPARE(banner(), QString());
    const model::Project saved = model::readSession(path("local.hinesight").toStdString()).project;
    QCOMPARE(saved.grow->connection, std::string("local"));
    QCOMPARE(saved.grow->steps, std::uint32_t{200});
    const QString command = copied();
    QVERIFY2(command.contains(QStringLiteral("local.hinesight --study growth")), qPrintable(command));
    QVERIFY2(!command.contains(QStringLiteral("--set")), qPrintable(command));
    QCOMPARE(failureOf(command + QStringLiteral(" --out '%1'").arg(path("remade"))), QByteArray());
    QVERIFY(bytesOf(path("remade/growth.h5")) == wanted);
    // Opened again, the page begins with it.
    newWindow();
    open({path("local.hinesight")});
    QTRY_VERIFY_WITH_TIMEOUT(growthPanel().request().start != nullptr, kPatience);
    QCOMPARE(window->project().grow->connection, std::string("local"));
    window->showView(ViewKind::Plasticity);
    growTo(200);
    QVERIFY(networkOfWindow() == wanted);
  }

  /// The connection is another one by then: nothing names what the run began with.
  void aNetworkWhoseConnectionChangedIsWarnedOf()
  {
    growFromLocal();
    window->showView(ViewKind::Synapses);
    type("formationAxonsSpin", "4");
    QVERIFY(waitForJobs());
    save("changed.hinesight");
    QVERIFY2(banner().contains(QStringLiteral("does not hold the network")), qPrintable(banner()));
    QCOMPARE(model::readSession(path("changed.hinesight").toStdString()).project.grow->connection, std::string());
  }

  void aGrownNetworkIsAmongThoseThatAreCompared()
  {
    growFromLocal();
    window->showView(ViewKind::Synapses); // beside which the circuit is
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    find<QListWidget>("connectionList")->setCurrentRow(3);
    click("compareConnections");
    auto* dialog = find<NetworkComparisonDialog>("networkComparisonDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    auto* first = dialog->findChild<QComboBox*>("comparedFirst");
    auto* second = dialog->findChild<QComboBox*>("comparedSecond");
    QVERIFY(second->findText(QStringLiteral("grown")) >= 0);
    first->setCurrentText(QStringLiteral("local"));
    second->setCurrentText(QStringLiteral("grown"));
    const auto* sentence = dialog->findChild<QLabel*>("comparisonSentence");
    const auto isMade = [&] {
      return !dialog->comparisons().empty() && dialog->comparisons().front().networks[1].name == "grown";
    };
    QTRY_VERIFY2_WITH_TIMEOUT(isMade(), qPrintable(sentence->text()), kPatience);
    const study::NetworkComparison& made = dialog->comparisons().front();
    QCOMPARE(made.sources, std::uint64_t{500});
    QCOMPARE(made.networks[1].synapses, static_cast<std::uint64_t>(growth().synapses().lastValue(0)));
    QVERIFY(!made.pairsByDistance.empty());
    dialog->close();
  }

  /// What only was looked at is not carried out by a run.
  void whatNobodyAskedForIsNotRun()
  {
    window->showView(ViewKind::Synapses);
    QTRY_VERIFY_WITH_TIMEOUT(window->synapses().outcome().formation != nullptr, kPatience);
    save("seen.hinesight");
    QVERIFY(!model::readSession(path("seen.hinesight").toStdString()).project.form->isRun);
    type("formationAxonsSpin", "2");
    QVERIFY(waitForJobs());
    save("changed.hinesight");
    const model::Project changed = model::readSession(path("changed.hinesight").toStdString()).project;
    QVERIFY(changed.form->isRun);
    QCOMPARE(changed.form->formation.axons, std::uint32_t{2});
  }

  /// To look at it is no change of the session.
  void aPageThatIsSeenLeavesTheSessionAsItWasSaved()
  {
    open({example()});
    window->showView(ViewKind::Plasticity);
    QTRY_VERIFY_WITH_TIMEOUT(growthPanel().request().source.given != nullptr, kPatience);
    QCoreApplication::processEvents();
    QCOMPARE(window->project().grow->source.populations.size(), std::size_t{3});
    QVERIFY(!window->isWindowModified());
    QCOMPARE(window->history().stack().count(), 1);
  }

  /// That is no step, and steps of before leave it as it is.
  void pagesBeginWithThePopulationsOfAPerson()
  {
    writeFileAtomically(path("own.hinesight").toStdString(), [](std::ostream& stream) {
      stream << R"({"session": 1, "populations": [
          {"name": "A", "kind": "box", "count": 60, "extent": [300, 300, 100]},
          {"name": "B", "kind": "box", "count": 40, "extent": [300, 300, 100], "seed": 2}]})";
    });
    open({path("own.hinesight")});
    study::CellParameters parameters = window->parameters();
    parameters.batch.copies = 4;
    window->setParameters(parameters);
    window->history().take();
    QCOMPARE(window->history().stack().count(), 2);
    const std::vector<std::string> names = {"A", "B"};
    window->showView(ViewKind::Synapses);
    const auto formation = [&] { return window->synapses().outcome().formation; };
    QTRY_VERIFY_WITH_TIMEOUT(formation() && formation()->population->size() == 100, kPatience);
    QVERIFY(find<QWidget>("formationFile")->isVisible());
    QCOMPARE(find<QLabel>("formationFile")->text(), QStringLiteral("Neurons: A, B"));
    QVERIFY(window->project().form->source.populations == names);
    window->showView(ViewKind::Plasticity);
    QTRY_VERIFY_WITH_TIMEOUT(growthPanel().request().source.given != nullptr, kPatience);
    QVERIFY(growthPanel().request().source.populations == names);
    QCoreApplication::processEvents();
    QCOMPARE(window->history().stack().count(), 2);
    for (const char* action : {"undoAction", "redoAction"}) {
      find<QAction>(action)->trigger();
      QVERIFY(waitForJobs());
      QCoreApplication::processEvents();
      QVERIFY(window->project().form->source.populations == names);
      QVERIFY(growthPanel().request().source.populations == names);
      QCOMPARE(formation()->population->size(), std::size_t{100});
      QCOMPARE(window->isWindowModified(), action == std::string("redoAction"));
    }
    // The choice is free, and is not made again.
    click("plasticityClearStart");
    window->showView(ViewKind::Synapses);
    window->showView(ViewKind::Plasticity);
    QVERIFY(growthPanel().request().source.populations.empty());
    // What the page began with alone is not run.
    save("begun.hinesight");
    QVERIFY(!model::readSession(path("begun.hinesight").toStdString()).project.form->isRun);
  }

  void aFormedConnectionIsCalledSo()
  {
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    for (const char* name : {"formed", "formed 2"}) {
      click("formConnection");
      QTRY_VERIFY(window->findChild<QDialog*>(QStringLiteral("betweenDialog")));
      const QPointer<QDialog> dialog = find<QDialog>("betweenDialog");
      QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
      QTRY_VERIFY(!dialog || !dialog->isVisible());
      QVERIFY(waitForJobs());
      QCOMPARE(window->project().connections.back().name, std::string(name));
      delete dialog;
    }
  }

  /// The same files, with the same bytes, whoever writes them.
  void theWindowExportsTheCircuitThatTheCommandExports()
  {
    writeFileAtomically(path("tree.swc").toStdString(), [](std::ostream& stream) { stream << tests::kSmallTree; });
    writeFileAtomically(path("small.hinesight").toStdString(),
                        [](std::ostream& stream) { stream << tests::kSmallSession; });
    QCOMPARE(failureOf(QStringLiteral("hinesight-cli run '%1' --study circuit --out '%2'")
                           .arg(path("small.hinesight"), path("command"))),
             QByteArray());
    open({path("small.hinesight")});
    find<QAction>("exportCircuitAction")->trigger();
    auto* dialog = find<QFileDialog>("exportCircuitDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    emit dialog->fileSelected(path("window"));
    dialog->reject();
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("window/simulation/simulation_config.json")), kPatience);
    QVERIFY(waitForJobs());
    const QString command = path("command/circuit"), exported = path("window");
    const auto namesIn = [](const QString& root) {
      QStringList names;
      QDirIterator each(root, QDir::Files, QDirIterator::Subdirectories);
      while (each.hasNext())
        names << QDir(root).relativeFilePath(each.next());
      names.sort();
      return names;
    };
    const QStringList names = namesIn(command);
    QCOMPARE(namesIn(exported), names);
    QVERIFY(names.contains(QStringLiteral("network/local_E_to_I_edges.h5"))); // a formed connection
    for (const QString& name : names)
      QVERIFY2(bytesOf(command + QLatin1Char('/') + name) == bytesOf(exported + QLatin1Char('/') + name),
               qPrintable(name));
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestKeptNetworks>)
#include "test_kept_networks.moc"
