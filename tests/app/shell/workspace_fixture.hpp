#pragma once

#include "app/pages/pages.hpp"
#include "app/pages/view_area.hpp"
#include "app/window_fixture.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QList>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <QTabBar>
#include <QToolButton>
#include <QtTest>

#include <algorithm>
#include <string_view>

namespace hinesight::app {

/// The real main window, whose pages and docks a person arranges.
class WorkspaceFixture : public WindowFixture
{
protected:
  void begin()
  {
    QSettings().clear();
    QVERIFY(showWindow({1600, 1000}));
  }
  void end()
  {
    if (window)
      window->jobs().cancel();
    window.reset();
  }

  void show(std::string_view page)
  {
    const auto found = std::ranges::find(allPages(), page, &PageDefinition::name);
    window->viewArea().showView(static_cast<int>(found - allPages().begin()));
    QCoreApplication::processEvents();
  }

  void clickTab(std::string_view page)
  {
    const auto found = std::ranges::find(allPages(), page, &PageDefinition::name);
    auto* tabs = find<QTabBar>("viewTabs");
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(static_cast<int>(found - allPages().begin())).center());
  }

  template <typename Button>
  void click(const char* name)
  {
    auto* button = find<Button>(name);
    QTRY_VERIFY2(button->isVisible(), name);
    QTest::mouseClick(button, Qt::LeftButton);
    QCoreApplication::processEvents();
  }

  void clickUnfold(const char* dock) { click<QToolButton>(qPrintable(QLatin1String(dock) + QStringLiteral("Unfold"))); }

  void trigger(const char* action) { find<QAction>(action)->trigger(); }

  /// One that went may be there still, until it is deleted.
  bool shownWindow(const char* name) const
  {
    return std::ranges::any_of(window->findChildren<QWidget*>(QLatin1String(name)), &QWidget::isVisible);
  }

  QString openDocks() const
  {
    QStringList open;
    for (const QDockWidget* dock : window->findChildren<QDockWidget*>())
      if (dock->isVisible())
        open << dock->objectName();
    open.sort();
    return open.join(' ');
  }

  /// In the window itself, by their tabs.
  QList<QWidget*> shownPages() const
  {
    QList<QWidget*> pages;
    ViewArea& area = window->viewArea();
    for (auto* child : area.findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
      if (child->isVisible() && !qobject_cast<QTabBar*>(child) && child->objectName() != "panes" &&
          child->height() > 100)
        pages << child;
    return pages;
  }
};

} // namespace hinesight::app
