#include "app/app_fixture.hpp"
#include "layout_fixture.hpp"
#include "test_main.hpp"

#include "widgets/cells/view.hpp"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QSplitter>
#include <QTabBar>
#include <QtTest>

#include <algorithm>

using namespace hinesight;
using namespace hinesight::app;

/// Whether a person reaches everything of every page by the keyboard, in the order in which it is seen.
class TestTabOrder : public QObject, private LayoutFixture
{
  Q_OBJECT

private slots:
  void init() { showWithSamples(); }
  void cleanup() { close(); }

  void goesThroughEverythingByTab_data()
  {
    QTest::addColumn<QSize>("size");
    for (const QSize& size : {QSize(1600, 1000), QSize(1280, 720)})
      QTest::addRow("%d x %d", size.width(), size.height()) << size;
  }

  /// From control to control, and round again.
  void goesThroughEverythingByTab()
  {
    QFETCH(QSize, size);
    window->resize(size);
    settleLayout();
    QCOMPARE(window->size(), size);
    QStringList faults;
    for (int page = 0; page < window->viewArea().count(); ++page) {
      window->viewArea().showView(page);
      QVERIFY(waitForJobs());
      settleLayout();
      const QList<QWidget*> stops = stopsAfterTabs();
      const QStringList found = leftOut(stops) + againstTheRow(stops) + againstTheColumn(stops);
      for (const QString& fault : found)
        faults << QLatin1String(allPages()[static_cast<std::size_t>(page)].name) + QStringLiteral(": ") + fault;
    }
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
  }

private:
  /// What Tab brings the keyboard to, from what follows the tabs of the pages to these.
  QList<QWidget*> stopsAfterTabs() const
  {
    QWidget* tabs = find<QTabBar>("viewTabs");
    tabs->setFocus();
    QList<QWidget*> stops;
    constexpr int kMost = 400;
    while (stops.size() < kMost && (stops.isEmpty() || stops.back() != tabs)) {
      QTest::keyClick(window->focusWidget(), Qt::Key_Tab);
      stops << window->focusWidget();
    }
    return stops;
  }

  /// What takes the keyboard, but not by Tab.
  QStringList leftOut(const QList<QWidget*>& stops) const
  {
    QStringList faults;
    for (const auto* widget : window->findChildren<QWidget*>())
      if (widget->isVisible() && widget->isEnabled() && widget->focusPolicy() & Qt::TabFocus &&
          !isEditedInBox(*widget) && !widget->focusProxy() && !stops.contains(widget))
        faults << QStringLiteral("%1 (%2) is not reached")
                      .arg(widget->objectName(), QLatin1String(widget->metaObject()->className()));
    return faults;
  }

  /// What stands beside each other, such as the buttons beside the tabs and the switches of a view's header, is gone
  /// through from left to right.
  static QStringList againstTheRow(const QList<QWidget*>& stops)
  {
    const auto hasCentreOf = [](const QWidget* one, const QWidget* other) {
      const int centre = other->geometry().center().y();
      return one->geometry().top() <= centre && centre <= one->geometry().bottom();
    };
    QStringList faults;
    for (qsizetype second = 1; second < stops.size(); ++second)
      for (const QWidget* before : stops.first(second)) {
        const QWidget* after = stops[second];
        if (before->parentWidget() == after->parentWidget() && hasCentreOf(before, after) &&
            hasCentreOf(after, before) && after->x() < before->x())
          faults << QStringLiteral("%1 comes before %2, which stands left of it")
                        .arg(before->objectName(), after->objectName());
      }
    return faults;
  }

  /// What stands below each other in a view (header, the row under it, canvas) and in the Data panel (filter, list,
  /// buttons, details) is gone through from top to bottom.
  QStringList againstTheColumn(const QList<QWidget*>& stops) const
  {
    const auto* data = find<QSplitter>("dataSplitter");
    QList<const QWidget*> columns{data, data->widget(0), data->widget(1)};
    for (const auto* view : window->findChildren<widgets::View*>())
      columns << view;
    QStringList faults;
    for (const QWidget* column : columns) {
      int reached = 0; // top of the lowest part yet
      for (const QWidget* stop : stops) {
        if (!column->isAncestorOf(stop))
          continue;
        const QWidget* part = stop;
        while (part->parentWidget() != column)
          part = part->parentWidget();
        if (part->geometry().bottom() < reached)
          faults << QStringLiteral("%1 comes after what stands below it").arg(stop->objectName());
        reached = std::max(reached, part->y());
      }
    }
    return faults;
  }

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
