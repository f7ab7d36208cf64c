#pragma once

#include "app/pages/pages.hpp"
#include "app/pages/view_area.hpp"
#include "app/window_fixture.hpp"
#include "window_faults.hpp"

#include <QDockWidget>
#include <QList>
#include <QSettings>
#include <QSize>
#include <QStringList>
#include <QToolButton>
#include <QtTest>

#include <cstddef>
#include <vector>

namespace hinesight::app {

/// The real main window with cells, all of whose pages and docks are looked at.
class LayoutFixture : public WindowFixture
{
protected:
  void showWithSamples()
  {
    QSettings().clear();
    QVERIFY(showWindow({1600, 1000}));
    window->loadSamples();
    QTRY_VERIFY_WITH_TIMEOUT(window->cells().rowCount() == 4 && !window->jobs().isActive(), kPatience);
  }
  void close()
  {
    if (window)
      window->jobs().cancel();
    window.reset();
  }

  /// Sizes of screens in the units of Qt, at a ratio of pixels.
  static QList<QSize> screensAt(double ratio)
  {
    QList<QSize> sizes;
    for (const QSize screen : {QSize(1600, 1000), QSize(1366, 768), QSize(1280, 720), QSize(1000, 700)})
      sizes << (QSizeF(screen) / ratio).toSize();
    return sizes;
  }

  /// Every page in windows of these sizes, alone and beside each dock.
  void expectNoFaultsIn(const QList<QSize>& sizes)
  {
    QStringList faults;
    for (int page = 0; page < window->viewArea().count(); ++page) {
      window->viewArea().showView(page);
      QVERIFY(waitForJobs());
      for (const QSize& size : sizes) {
        window->resize(size);
        look(page, QString(), faults);
        QCOMPARE(window->size(), size);
        if (size.width() >= kLeastWithDock)
          lookBesideDocks(page, faults);
        QVERIFY(!QTest::currentTestFailed());
      }
    }
    constexpr int kMost = 12; // a message holds few
    QVERIFY2(faults.isEmpty(), qPrintable(QString::number(faults.size()) + u'\n' + faults.mid(0, kMost).join(u'\n')));
  }

  /// Layouts in layouts take their turns.
  static void settleLayout()
  {
    for (int turn = 0; turn < 3; ++turn) {
      QCoreApplication::sendPostedEvents();
      QCoreApplication::processEvents();
    }
  }

private:
  static constexpr int kLeastWithDock = 640; ///< Qt's units: of a window that can hold a page and a dock

  /// One after the other.
  void lookBesideDocks(int page, QStringList& faults)
  {
    // One at each edge; all where there are fewer sizes to look at.
    std::vector<const char*> names = {"dataDock", "parametersDock", "timingsDock"};
    if (window->devicePixelRatio() > 1)
      names.insert(names.end(), {"circuitDock", "historyDock"});
    const QSize size = window->size();
    QTest::keyClick(window.get(), Qt::Key_F9); // folds all
    settleLayout();
    for (const char* name : names) {
      const auto* dock = find<QDockWidget>(name);
      clickTitle(*dock, "Unfold");
      look(page, dock->windowTitle(), faults);
      QVERIFY(dock->isVisible());
      QCOMPARE(window->size(), size);
      clickTitle(*dock, "Fold");
      QVERIFY(!dock->isVisible());
    }
    QTest::keyClick(window.get(), Qt::Key_F9);
  }

  void clickTitle(const QDockWidget& dock, const char* button) const
  {
    QTest::mouseClick(find<QToolButton>(qPrintable(dock.objectName() + QLatin1String(button))), Qt::LeftButton);
  }

  void look(int page, const QString& dock, QStringList& faults) const
  {
    // What a busy machine has not laid out yet is no fault: those that stay are.
    constexpr int kLooks = 5;
    QStringList seen;
    for (int k = 0; k < kLooks; ++k) {
      settleLayout();
      seen = WindowFaults::in(*window);
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
};

} // namespace hinesight::app
