#include "app/app_fixture.hpp"
#include "app/document/session_controller.hpp"
#include "app/selection/neurons_fixture.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "core/files.hpp"
#include "model/session_file.hpp"
#include "test_main.hpp"

#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QLabel>
#include <QtTest>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

namespace {

/// 40 neurons of E on a plane, 12 of I on one above it. `view`: what a person saw of them, with its comma.
std::string sessionWith(const std::string& view = {})
{
  return R"({
  "session": 1,
  "populations": [
    {"name": "E", "kind": "grid", "size": [8, 5, 1], "spacing": [60, 60, 60]},
    {"name": "I", "kind": "grid", "size": [4, 3, 1], "spacing": [90, 90, 60], "origin": [0, 0, 200],
     "role": "inhibitory"}
  ],
  "connections": [
    {"name": "excitation", "source": "E", "target": "I", "kernel": "one-to-one"}
  ])" + view +
         "\n}\n";
}
constexpr int kExcitation = 0; ///< place of the connection

} // namespace

/// Sessions of the real main window keep which neurons of the circuit are hidden.
class TestHiddenNeurons : public QObject, NeuronsFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    QSettings().clear();
    QVERIFY(showWindow());
  }
  void cleanup() { window.reset(); }

  void aSessionKeepsThem()
  {
    openCircuit("small.hinesight");
    hideSome();
    save("hidden.hinesight");
    const std::string text = readFile(path("hidden.hinesight").toStdString());
    QVERIFY2(text.find("\"hidden-neurons\"") != std::string::npos, text.c_str());
    QVERIFY2(text.find("\"0-2,7\"") != std::string::npos, text.c_str());

    newWindow();
    openCircuit("other.hinesight"); // which says nothing of it
    QVERIFY(selected().hidden().isEmpty());
    newWindow();
    open({path("hidden.hinesight")});
    QVERIFY(isSomeHidden());
    showProjection(kExcitation);
    QVERIFY(!layers().sourceAt(layers().pixelOf(true, 1)));
    QCOMPARE(layers().sourceAt(layers().pixelOf(true, 20)), std::optional<std::uint32_t>(20));
    QTRY_COMPARE(find<QLabel>("neuronCount")->text(), QString("5 hidden"));
    // To show them is a step, as it is where they were hidden by hand.
    find<QAction>("showAllBranchesAction")->trigger();
    QVERIFY(selected().hidden().isEmpty());
    find<QAction>("undoAction")->trigger();
    QVERIFY(isSomeHidden());
  }

  /// Though it has the same populations, or nothing else that differs. The step back has all as it was.
  void anotherSessionHidesNothingOfIt()
  {
    openCircuit("small.hinesight");
    hideSome();
    selected().pick({{"E", 20}});
    openCircuit("other.hinesight");
    QVERIFY(selected().hidden().isEmpty());
    QVERIFY(picked().empty());
    QVERIFY(!find<QAction>("previousSelectionAction")->isEnabled());
    find<QAction>("undoAction")->trigger();
    QVERIFY(waitForJobs());
    QVERIFY(isSomeHidden());
    QCOMPARE(picked(), (Neurons{{"E", 20}}));
    find<QAction>("undoAction")->trigger(); // of the hiding itself
    QVERIFY(waitForJobs());
    QVERIFY(selected().hidden().isEmpty());
    find<QAction>("redoAction")->trigger();
    find<QAction>("redoAction")->trigger();
    QVERIFY(waitForJobs());
    QVERIFY(selected().hidden().isEmpty());
  }

  /// After the program was killed.
  void theyAreRecovered()
  {
    window->keepOpenIn(path("state"));
    openCircuit("small.hinesight");
    hideSome();
    const QDir state(path("state"));
    const auto isKept = [&] {
      for (const QString& name : state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files))
        if (model::readSession(state.filePath(name).toStdString()).view.hiddenNeurons.size() == 2)
          return QFile::exists(path("killed")) || QFile::copy(state.filePath(name), path("killed"));
      return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isKept(), kPatience);
    window->close();
    QVERIFY(QFile::copy(path("killed"), state.filePath(QStringLiteral("window-1-7.hinesight"))));
    newWindow();
    window->keepOpenIn(path("state"));
    QVERIFY(find<QuestionBar>("recoveryBar")->isVisible());
    click("recoveryAgree");
    QVERIFY(waitForJobs());
    QTRY_VERIFY_WITH_TIMEOUT(isSomeHidden(), kPatience);
  }

  /// There may be millions: what is asked of the window's thread is only who they are.
  void theirNumbersAreWrittenByAnotherThread()
  {
    openCircuit("small.hinesight");
    hideSome();
    const auto* sessions = window->findChild<SessionController*>();
    QVERIFY(sessions);
    const SeenSession seen = sessions->seen();
    QVERIFY(seen.view.hiddenNeurons.empty());
    QVERIFY(seen.neurons == selected().selected());
    QCOMPARE(seen.whole().hiddenNeurons, (std::vector<model::HiddenNeurons>{{"E", "0-2,7"}, {"I", "11"}}));
  }

  /// So is the whole session that is copied.
  void theyAreCopiedByAnotherThread()
  {
    openCircuit("small.hinesight");
    hideSome();
    QGuiApplication::clipboard()->clear();
    find<QAction>("copySessionAction")->trigger();
    QVERIFY(window->jobs().isActive(kSessionCopy));
    QVERIFY(QGuiApplication::clipboard()->text().isEmpty());
    QVERIFY(waitForJobs());
    QTRY_COMPARE(find<QLabel>("resultLabel")->text(), QStringLiteral("The session is in the clipboard."));
    const model::ReadSession copied =
        model::parseSession(QGuiApplication::clipboard()->text().toStdString(), "/", "clipboard");
    QCOMPARE(copied.view.hiddenNeurons, (std::vector<model::HiddenNeurons>{{"E", "0-2,7"}, {"I", "11"}}));
  }

  /// Of what there is none of, nothing is hidden, and however many it says, they take no room.
  void aSessionMaySayAnything()
  {
    openCircuit("strange.hinesight", R"(,
  "view": {"hidden-neurons": [
    {"population": "E", "neurons": "0-4294967295"}, {"population": "gone", "neurons": "0-3"},
    {"population": "I", "neurons": "3,1"}, {"population": "I", "neurons": "2,11-12"}]})");
    QVERIFY(selected().hidden().of("E").empty());
    QVERIFY(selected().hidden().of("gone").empty());
    QCOMPARE(selected().hidden().of("I"), (Numbers{2, 11}));
  }

private:
  void openCircuit(const char* name, const std::string& view = {})
  {
    openSession(name, sessionWith(view).c_str(), 2);
    QVERIFY(waitForJobs());
  }
  void hideSome()
  {
    NeuronSet some;
    some.add("E", {0, 1, 2, 7});
    some.add("I", {11});
    showProjection(kExcitation);
    selected().pick(some, widgets::PickMode::Replace);
    find<QAction>("hideBranchesAction")->trigger();
    QVERIFY(isSomeHidden());
  }
  bool isSomeHidden() const
  {
    return selected().hidden().of("E") == Numbers{0, 1, 2, 7} && selected().hidden().of("I") == Numbers{11} &&
           selected().hidden().count() == 5;
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestHiddenNeurons>)
#include "test_hidden_neurons.moc"
