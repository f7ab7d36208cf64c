#include "app/app_fixture.hpp"
#include "app/benchmark/benchmark_page.hpp"
#include "app/document/session_controller.hpp"
#include "app/history_fixture.hpp"
#include "app/plasticity/plasticity_controller.hpp"
#include "app/projection/projection_page.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/simulation/simulation_controller.hpp"
#include "app/simulation/simulation_page.hpp"
#include "app/synapses/formation_controller.hpp"
#include "app/synapses/formation_page.hpp"
#include "core/files.hpp"
#include "model/session_file.hpp"
#include "paths/paths.hpp"
#include "study/simulation/simulation_model.hpp"
#include "test_main.hpp"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QProcess>
#include <QtTest>

#include <cstring>
#include <ostream>

using namespace hinesight;
using namespace hinesight::app;

/// Commands and sessions that a person copies from the real main window compute what it shows.
class TestCopiedCommands : public QObject, HistoryFixture
{
  Q_OBJECT

  QString copied() const
  {
    find<QAction>("copyCommandAction")->trigger();
    return QGuiApplication::clipboard()->text();
  }
  /// By the shell; what it writes as JSON.
  static QByteArray run(QString command)
  {
    command.replace(0, static_cast<int>(strlen("hinesight-cli")),
                    QStringLiteral("'%1'").arg(tests::programFile("hinesight-cli")));
    QProcess shell;
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), command + QStringLiteral(" --json")});
    if (!shell.waitForFinished(kPatience) || shell.exitCode() != 0)
      return QByteArray("failed: " + shell.readAllStandardError());
    return shell.readAllStandardOutput();
  }

private slots:
  void init() { QVERIFY(newWindow()); }
  void cleanup() { window.reset(); }

  /// The command computes what the page shows: the real program has the same figures.
  void aCopiedCommandComputesTheSame()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    window->cells().setScale({1}, 0.5);
    type("copiesSpin", "3");
    settle();
    const QString solve = copied();
    QVERIFY2(solve.startsWith(QStringLiteral("hinesight-cli solve ")), qPrintable(solve));
    QVERIFY2(solve.contains(QStringLiteral(" --copies 3")), qPrintable(solve));
    QVERIFY2(solve.contains(QStringLiteral(" --scale 1,0.5")), qPrintable(solve));
    window->showView(ViewKind::Projection);
    settle();
    type("projectionSigmaMSpin", "20");
    settle();
    const QString project = copied();
    QVERIFY2(project.contains(QStringLiteral("--source-grid 60,60,1 --source-spacing 1,1,1")), qPrintable(project));
    QVERIFY2(project.contains(QStringLiteral("--sigma-m 20")), qPrintable(project));
    window->showView(ViewKind::Synapses);
    settle();
    type("formationNeuronsSpin", "500");
    settle();
    const QString form = copied();
    QCOMPARE(form, QStringLiteral("hinesight-cli form --neurons 500"));
    window->showView(ViewKind::Plasticity);
    settle();
    const QString grow = copied();
    QVERIFY2(grow.startsWith(QStringLiteral("hinesight-cli grow --steps 1 --neurons 2000 --excitatory 0.8")),
             qPrintable(grow));
    const QByteArray solved = run(solve);
    QVERIFY2(solved.contains("\"cells\": 6"), solved);
    const QByteArray made = run(project);
    const auto rows = window->projections().outcome().table->rows();
    QVERIFY2(made.contains("\"rows\": " + QByteArray::number(static_cast<qulonglong>(rows))), made);
    for (const QString& command : {form, grow}) {
      const QByteArray written = run(command);
      QVERIFY2(!written.startsWith("failed"), written);
    }
  }

  /// It is true no more on a page that has a command, nor once this one has.
  void aRefusedCopyIsForgottenWithItsReason()
  {
    const auto said = [&] { return find<MessageBanner>("messageBanner")->text(); };
    const auto status = [&] { return find<QLabel>("resultLabel")->text(); };
    const QString refusal = QStringLiteral("No model is open that a command could simulate.");
    const QString notice = QStringLiteral("No command was copied; the message above says why.");
    window->showView(ViewKind::Simulation);
    copied();
    QVERIFY2(said().contains(refusal), qPrintable(said()));
    QCOMPARE(status(), notice);
    settle();
    QVERIFY2(said().contains(refusal), qPrintable(said()));
    window->showView(ViewKind::Synapses);
    QVERIFY2(!said().contains(refusal), qPrintable(said()));
    settle();

    window->showView(ViewKind::Simulation);
    copied();
    QVERIFY2(said().contains(refusal), qPrintable(said()));
    window->findChild<SimulationController*>()->open(QString::fromStdString(study::sampleModels().front().path));
    settle();
    QVERIFY(window->simulation().model());
    QVERIFY2(!said().contains(refusal), qPrintable(said()));
    QVERIFY2(status() != notice, qPrintable(status()));
  }

  /// Of neurons of the circuit and of a benchmark: a run of the session's file, with what was changed since.
  void aCopiedCommandRunsTheSession()
  {
    const QString example = tests::sourceFile("docs/example.hinesight");
    open({example});
    const auto synapses = [&] {
      return "\"synapses\": " + QByteArray::number(static_cast<qulonglong>(
                                    synapse::synapseCount(window->synapses().outcome().formation->network)));
    };
    window->showView(ViewKind::Synapses);
    settle();
    const QString form = copied();
    QVERIFY2(form.contains(QStringLiteral("example.hinesight --study formation --connection local")), qPrintable(form));
    QVERIFY2(!form.contains(QStringLiteral("--set")), qPrintable(form));
    const QByteArray formed = run(form);
    QVERIFY2(formed.contains(synapses()), formed);
    type("formationAxonsSpin", "4");
    settle();
    const QString changed = copied();
    QVERIFY2(changed.contains(QStringLiteral("--set 'connections.local.formed-axons=4'")), qPrintable(changed));
    const QByteArray again = run(changed);
    QVERIFY2(again.contains(synapses()), again);

    window->showView(ViewKind::Benchmark);
    settle();
    const QString bench = copied();
    QVERIFY2(bench.contains(QStringLiteral("--study benchmark --set 'bench-hines.of=session'")), qPrintable(bench));
    window->findChild<BenchmarkPage*>()->showKind(BenchmarkPage::Kind::Projections);
    const QString projections = copied();
    QVERIFY2(projections.startsWith(QStringLiteral("hinesight-cli bench projections --backend")),
             qPrintable(projections));

    // What is saved is saved, not exported.
    window->findChild<SessionController*>()->save(path("own.hinesight"));
    settle();
    QVERIFY2(find<QLabel>("resultLabel")->text().startsWith(QStringLiteral("Saved to ")),
             qPrintable(find<QLabel>("resultLabel")->text()));
  }

  /// Of their somata: no option says where these are. What does not depend on it is said without.
  void aCopiedCommandKnowsWhereCellsAre()
  {
    const QString session = path("placed.hinesight");
    writeFileAtomically(session.toStdString(), [&](std::ostream& stream) {
      stream << R"({"session": 1,
  "cells": [{"name": "left", "file": ")"
             << dataFile("stellate.swc").toStdString() << R"(", "move": [-20, 0, 0]},
            {"name": "right", "file": ")"
             << dataFile("bipolar.swc").toStdString() << R"("}],
  "populations": [{"name": "somata", "kind": "given", "cells": ["left", "right"]},
                  {"name": "plane", "kind": "grid", "size": [10, 10, 1], "spacing": [20, 20, 20]}],
  "connections": [{"name": "reach", "source": "somata", "target": "plane", "kernel": "gaussian", "sigma": 60,
                   "cut": 0.1}]})";
    });
    open({session});
    settle();
    window->showView(ViewKind::Projection);
    settle();
    window->cells().setPlaces({{0, 1, {.move = {-40, 0, 0}}}});
    settle();
    const QString project = copied();
    QVERIFY2(project.contains(QStringLiteral("--study projection --connection reach --set 'cells.left.move=")),
             qPrintable(project));
    const QByteArray made = run(project);
    const auto rows = window->projections().outcome().table->rows();
    QVERIFY2(made.contains("\"rows\": " + QByteArray::number(static_cast<qulonglong>(rows))), made);
    window->showView(ViewKind::Morphology);
    settle();
    const QByteArray solved = run(copied());
    QVERIFY2(solved.contains("\"cells\": 2"), solved);
    window->showView(ViewKind::Measure);
    settle();
    const QByteArray measured = run(copied());
    QVERIFY2(!measured.startsWith("failed") && measured.contains("stellate"), measured);
  }

  void aCopiedSessionOpens()
  {
    open({dataFile("stellate.swc")});
    type("copiesSpin", "3");
    settle();
    find<QAction>("copySessionAction")->trigger();
    QVERIFY(waitForJobs());
    const model::ReadSession read =
        model::parseSession(QGuiApplication::clipboard()->text().toStdString(), "/", "clipboard");
    QVERIFY(read.warnings.empty());
    QCOMPARE(read.project.solve.batch.copies, 3);
    QCOMPARE(read.project.cells[0].file, dataFile("stellate.swc").toStdString());
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestCopiedCommands>)
#include "test_copied_commands.moc"
