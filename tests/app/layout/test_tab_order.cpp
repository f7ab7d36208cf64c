#include "app/app_fixture.hpp"
#include "layout_fixture.hpp"
#include "test_main.hpp"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QSet>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// Whether a person reaches everything of every page by the keyboard.
class TestTabOrder : public QObject, private LayoutFixture
{
  Q_OBJECT

private slots:
  void init() { showWithSamples(); }
  void cleanup() { close(); }

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
};

HINESIGHT_TEST_RUN(runWindowTest<TestTabOrder>)
#include "test_tab_order.moc"
