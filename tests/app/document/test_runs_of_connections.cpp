#include "app/shell/bars/message_banner.hpp"
#include "connections_fixture.hpp"
#include "test_main.hpp"

#include <QAction>
#include <QLineEdit>
#include <QListWidget>
#include <QSettings>
#include <QtTest>

#include <cstddef>

using namespace hinesight;
using namespace hinesight::app;

/// A run of a connection goes back into that connection, whatever it is called by then.
class TestRunsOfConnections : public QObject, ConnectionsFixture
{
  Q_OBJECT

private slots:
  void initTestCase_data();
  void init();
  void cleanup() { window.reset(); }

  void followsAnotherName();
  void followsANameThatIsUndone();
  void leavesAnotherConnectionThatHasTheName();
  void isThereAgainAsTheSameConnection();

private:
  void rename(const char* before, const char* now);
  void removeFeedforward();
  void restore();
  void runOtherwise(const char* name);
  std::size_t connections() const { return window->project().connections.size(); }

  int run = -1;          ///< of the connection "feedforward"
  model::Connection ran; ///< as it was then
};

void TestRunsOfConnections::initTestCase_data()
{
  QTest::addColumn<bool>("isOfPage");
  QTest::newRow("made with all") << false;
  QTest::newRow("made on its page") << true;
}

void TestRunsOfConnections::init()
{
  QFETCH_GLOBAL(bool, isOfPage);
  QSettings().clear();
  QVERIFY(showWindow());
  openCircuit();
  QVERIFY(!QTest::currentTestFailed());
  int before = runs();
  if (isOfPage) {
    chooseConnection("feedforward");
    before = runs();
    typeInto("projectionCutSpin", "0.02");
  } else
    click("makeConnections");
  QVERIFY(waitForRun(before));
  run = -1;
  for (int k = before; k < runs(); ++k)
    if (window->runs().runs()[static_cast<std::size_t>(k)].source.starts_with("feedforward: "))
      run = k;
  QVERIFY(run >= 0);
  QVERIFY(connection("feedforward"));
  ran = *connection("feedforward");
}

/// By the keyboard.
void TestRunsOfConnections::rename(const char* before, const char* now)
{
  chooseConnection(before);
  QVERIFY(!QTest::currentTestFailed());
  auto* list = find<QListWidget>("connectionList");
  list->setFocus();
  QTest::keyClick(list, Qt::Key_F2);
  auto* line = list->viewport()->findChild<QLineEdit*>();
  QVERIFY(line);
  line->selectAll();
  QTest::keyClicks(line, QLatin1String(now));
  QTest::keyClick(line, Qt::Key_Return);
  QTRY_VERIFY(!list->viewport()->findChild<QLineEdit*>());
  QVERIFY(waitForJobs());
  QVERIFY(connection(now));
}

void TestRunsOfConnections::removeFeedforward()
{
  chooseConnection("feedforward");
  click("removeConnection");
  QVERIFY(waitForJobs());
  QVERIFY(!connection("feedforward"));
}

void TestRunsOfConnections::restore()
{
  doubleClick(run);
  QVERIFY(!QTest::currentTestFailed());
  QVERIFY(waitForJobs());
}

/// This connection is another one than it was.
void TestRunsOfConnections::runOtherwise(const char* name)
{
  chooseConnection(name);
  QVERIFY(!QTest::currentTestFailed());
  const int before = runs();
  typeInto("projectionCutSpin", "0.03");
  QVERIFY(waitForRun(before));
  QVERIFY(connection(name)->projection != ran.projection);
}

/// Its own name is that of another one by then.
void TestRunsOfConnections::followsAnotherName()
{
  rename("feedforward", "forward");
  QVERIFY(!QTest::currentTestFailed());
  rename("inhibition", "feedforward");
  QVERIFY(!QTest::currentTestFailed());
  runOtherwise("forward");
  QVERIFY(!QTest::currentTestFailed());
  const model::Connection other = *connection("feedforward");
  const std::size_t count = connections();
  restore();
  QVERIFY(!QTest::currentTestFailed());
  QCOMPARE(*connection("feedforward"), other);
  QCOMPARE(connection("forward")->projection, ran.projection);
  QCOMPARE(connections(), count);
  QCOMPARE(find<QListWidget>("connectionList")->currentItem()->text(), QStringLiteral("forward"));
}

void TestRunsOfConnections::followsANameThatIsUndone()
{
  rename("feedforward", "forward");
  QVERIFY(!QTest::currentTestFailed());
  find<QAction>("undoAction")->trigger();
  QVERIFY(waitForJobs());
  runOtherwise("feedforward");
  QVERIFY(!QTest::currentTestFailed());
  const std::size_t count = connections();
  restore();
  QVERIFY(!QTest::currentTestFailed());
  QCOMPARE(*connection("feedforward"), ran);
  QCOMPARE(connections(), count);
}

void TestRunsOfConnections::leavesAnotherConnectionThatHasTheName()
{
  removeFeedforward();
  QVERIFY(!QTest::currentTestFailed());
  rename("inhibition", "feedforward");
  QVERIFY(!QTest::currentTestFailed());
  const model::Connection other = *connection("feedforward");
  QVERIFY(other.source != ran.source || other.target != ran.target);
  restore();
  QVERIFY(!QTest::currentTestFailed());
  QCOMPARE(*connection("feedforward"), other);
  QVERIFY(connection("feedforward 2"));
  QCOMPARE(connection("feedforward 2")->source, ran.source);
  QCOMPARE(connection("feedforward 2")->target, ran.target);
  QCOMPARE(connection("feedforward 2")->projection, ran.projection);
  const QString said = find<MessageBanner>("messageBanner")->text();
  QVERIFY2(said.contains(QStringLiteral("made as the new connection feedforward 2")), qPrintable(said));
}

/// It is made anew once: then its runs go back into that one.
void TestRunsOfConnections::isThereAgainAsTheSameConnection()
{
  removeFeedforward();
  QVERIFY(!QTest::currentTestFailed());
  restore();
  QVERIFY(!QTest::currentTestFailed());
  QVERIFY(connection("feedforward"));
  QCOMPARE(connection("feedforward")->projection, ran.projection);
  rename("feedforward", "forward");
  QVERIFY(!QTest::currentTestFailed());
  runOtherwise("forward");
  QVERIFY(!QTest::currentTestFailed());
  const std::size_t count = connections();
  restore();
  QVERIFY(!QTest::currentTestFailed());
  QCOMPARE(connection("forward")->projection, ran.projection);
  QCOMPARE(connections(), count);
}

HINESIGHT_TEST_RUN(runWindowTest<TestRunsOfConnections>)
#include "test_runs_of_connections.moc"
