#include "app/app_fixture.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/simulation/simulated_circuit_fixture.hpp"
#include "test_main.hpp"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// What the real main window says above its views and in the status bar.
class TestMessages : public QObject, SimulatedCircuitFixture
{
  Q_OBJECT

  QString status() const { return find<QLabel>("resultLabel")->text(); }

private slots:
  void init() { QSettings().clear(); }
  void cleanup() { window.reset(); }
  void aMessageHasItsHeightBeforeAnythingElseIsLaidOut();
  void whatAPageToldGoesWithIt();

private:
  /// Nothing is laid out by itself.
  bool eventFilter(QObject*, QEvent* event) override { return event->type() == QEvent::LayoutRequest; }
};

/// A view that takes long to draw may be painted first.
void TestMessages::aMessageHasItsHeightBeforeAnythingElseIsLaidOut()
{
  QVERIFY(showWindow());
  auto* banner = find<MessageBanner>("messageBanner");
  const auto* text = find<QLabel>("messageText");
  const auto* scroll = banner->findChild<QScrollArea*>();
  const QString shortOne = QStringLiteral("Short.");
  const QString longOne = QStringLiteral("A sentence that is said again and again. ").repeated(6).trimmed();
  banner->show(MessageBanner::Severity::Error, shortOne);
  QTRY_COMPARE(text->text(), shortOne);
  QCoreApplication::processEvents();
  const int before = banner->height();
  const int width = scroll->width();

  QCoreApplication::instance()->installEventFilter(this);
  const auto end = qScopeGuard([this] { QCoreApplication::instance()->removeEventFilter(this); });
  const auto isWhole = [&] {
    const int needed = text->heightForWidth(scroll->viewport()->width());
    return scroll->height() >= needed && banner->height() >= needed && needed > 2 * text->fontMetrics().lineSpacing();
  };
  banner->show(MessageBanner::Severity::Warning, longOne);
  QTRY_VERIFY(text->text().startsWith(longOne));
  QVERIFY(banner->height() > before);
  QVERIFY(isWhole());
  banner->offer(longOne, {QStringLiteral("Mend it"), QStringLiteral("Do so"), [] {}});
  QTRY_VERIFY(find<QToolButton>("messageRemedy")->isVisible());
  QVERIFY(scroll->width() < width);
  QVERIFY(isWhole());
}

/// The solve of the cells stays the last result of all.
void TestMessages::whatAPageToldGoesWithIt()
{
  openSmallSession();
  const QString solved = status();
  QVERIFY2(solved.contains(QStringLiteral(": 1 cell, ")), qPrintable(solved));
  window->showView(ViewKind::Projection);
  QTRY_VERIFY2_WITH_TIMEOUT(status().startsWith(QStringLiteral("Projection: ")), qPrintable(status()), kPatience);
  QVERIFY(waitForJobs());
  window->showView(ViewKind::Morphology);
  QCOMPARE(status(), solved);

  openCircuit();
  QTRY_VERIFY2(status().startsWith(QStringLiteral("Opened circuit of the session")), qPrintable(status()));
  runMore();
  QTRY_VERIFY2(status().startsWith(QStringLiteral("Simulation: 100 ms, CPU: ")), qPrintable(status()));
  window->showView(ViewKind::Morphology);
  QCOMPARE(status(), solved);
}

HINESIGHT_TEST_RUN(runWindowTest<TestMessages>)
#include "test_messages.moc"
