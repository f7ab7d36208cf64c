#include "app_fixture.hpp"
#include "layout_faults.hpp"
#include "text_faults.hpp"
#include "window_fixture.hpp"

#include "app/pages/pages.hpp"
#include "app/pages/view_area.hpp"
#include "test_main.hpp"

#include <QDockWidget>
#include <QSet>
#include <QToolButton>

#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// Whether a person can read and reach everything of every page, on small screens and at ratios of pixels.
class TestLayout : public QObject, private WindowFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    QSettings().clear();
    QVERIFY(showWindow({1600, 1000}));
    window->loadSamples();
    QTRY_VERIFY_WITH_TIMEOUT(window->cells().rowCount() == 4 && !window->jobs().isActive(), kPatience);
  }

  void cleanup()
  {
    if (window)
      window->jobs().cancel();
    window.reset();
  }

  /// Of a window as large as a screen of so many pixels, in the units of Qt. CMake runs it at a ratio of two as well:
  /// the ratio is read once, when an application starts.
  void cutsNothingAndLaysNothingOverAnother()
  {
    QStringList faults;
    for (int page = 0; page < window->viewArea().count(); ++page) {
      window->viewArea().showView(page);
      QVERIFY(waitForJobs());
      for (const QSize& size : sizes()) {
        window->resize(size);
        look(page, QString(), faults);
        QCOMPARE(window->size(), size);
        if (size.width() < kLeastWithDock)
          continue;
        // One at each edge; all where there are fewer sizes to look at.
        std::vector<const char*> names = {"dataDock", "parametersDock", "timingsDock"};
        if (window->devicePixelRatio() > 1)
          names.insert(names.end(), {"circuitDock", "historyDock"});
        for (const char* name : names) {
          const auto* dock = find<QDockWidget>(name);
          QTest::keyClick(window.get(), Qt::Key_F9);
          settleLayout();
          QTest::mouseClick(find<QToolButton>(qPrintable(dock->objectName() + "Unfold")), Qt::LeftButton);
          look(page, dock->windowTitle(), faults);
          QVERIFY(dock->isVisible());
          QCOMPARE(window->size(), size);
          QTest::keyClick(window.get(), Qt::Key_F9);
        }
      }
    }
    constexpr int kMost = 12; // a message holds few
    QVERIFY2(faults.isEmpty(), qPrintable(QString::number(faults.size()) + u'\n' + faults.mid(0, kMost).join(u'\n')));
  }

  void reachesEverythingByTab_data()
  {
    QTest::addColumn<QSize>("size");
    for (const QSize& size : {QSize(1600, 1000), QSize(1280, 720)})
      QTest::addRow("%d x %d", size.width(), size.height()) << size;
  }

  /// From control to control, and round again.
  void reachesEverythingByTab()
  {
    QFETCH(QSize, size);
    window->resize(size);
    settleLayout();
    QCOMPARE(window->size(), size);
    for (int page = 0; page < window->viewArea().count(); ++page) {
      window->viewArea().showView(page);
      QVERIFY(waitForJobs());
      settleLayout();
      QSet<const QWidget*> reached;
      const QWidget* first = nullptr; // there it begins again
      constexpr int kMost = 400;
      for (int i = 0; i < kMost; ++i) {
        QWidget* focused = QApplication::focusWidget();
        QTest::keyClick(focused ? focused : window.get(), Qt::Key_Tab);
        if (QApplication::focusWidget() == first)
          break;
        if (!first)
          first = QApplication::focusWidget();
        reached << QApplication::focusWidget();
      }
      for (const auto* widget : window->findChildren<QWidget*>())
        if (widget->isVisible() && widget->isEnabled() && widget->focusPolicy() & Qt::TabFocus &&
            !isEditedInBox(*widget) && !widget->focusProxy())
          QVERIFY2(reached.contains(widget),
                   qPrintable(QStringLiteral("%1: %2 (%3)")
                                  .arg(QLatin1String(allPages()[page].name), widget->objectName(),
                                       widget->metaObject()->className())));
    }
  }

private:
  /// The line of a spin box or a combo box, which gets the keyboard for it.
  static bool isEditedInBox(const QWidget& widget)
  {
    const QWidget* box = widget.parentWidget();
    return qobject_cast<const QLineEdit*>(&widget) &&
           (qobject_cast<const QAbstractSpinBox*>(box) || qobject_cast<const QComboBox*>(box));
  }

  static constexpr int kLeastWithDock = 640; ///< Qt's units: of a window that can hold a page and a dock

  QList<QSize> sizes() const
  {
    const bool isScaled = window->devicePixelRatioF() != 1;
    QList<QSize> all;
    for (const double ratio : isScaled ? QList<double>{window->devicePixelRatioF()} : QList<double>{1, 1.5, 2})
      for (const QSize screen : {QSize(1600, 1000), QSize(1366, 768), QSize(1280, 720), QSize(1000, 700)})
        all << (QSizeF(screen) / ratio).toSize();
    return all;
  }

  void look(int page, const QString& dock, QStringList& faults) const
  {
    // What a busy machine has not laid out yet is no fault: those that stay are.
    constexpr int kLooks = 5;
    QStringList seen;
    for (int k = 0; k < kLooks; ++k) {
      settleLayout();
      seen = LayoutFaults::in(*window) + TextFaults::in(*window);
      if (seen.isEmpty())
        return;
      QTest::qWait(100);
    }
    for (const QString& fault : seen)
      faults << QStringLiteral("%1 x %2, %3 %4: %5")
                    .arg(window->width())
                    .arg(window->height())
                    .arg(QLatin1String(allPages()[static_cast<std::size_t>(page)].name), dock, fault);
  }

  /// Layouts in layouts take their turns.
  static void settleLayout()
  {
    for (int turn = 0; turn < 3; ++turn) {
      QCoreApplication::sendPostedEvents();
      QCoreApplication::processEvents();
    }
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestLayout>)
#include "test_layout.moc"
