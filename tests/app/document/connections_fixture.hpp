#pragma once

#include "paths/paths.hpp"
#include "run_kinds.hpp"

#include <QListWidget>
#include <QTabWidget>
#include <QtTest>

#include <algorithm>
#include <optional>

namespace hinesight::app {

/// The real main window with the connections of the example.
class ConnectionsFixture : public RunKinds
{
protected:
  void openCircuit()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
  }
  void chooseConnection(const char* name)
  {
    auto* list = find<QListWidget>("connectionList");
    const auto found = list->findItems(QLatin1String(name), Qt::MatchExactly);
    QCOMPARE(found.size(), 1);
    list->scrollToItem(found.front());
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(found.front()).center());
    QVERIFY(waitForJobs());
  }
  /// As it is now; none: it is gone.
  std::optional<model::Connection> connection(const char* name) const
  {
    const model::Project project = window->project();
    const auto found = std::ranges::find(project.connections, name, &model::Connection::name);
    return found == project.connections.end() ? std::nullopt : std::optional(*found);
  }
};

} // namespace hinesight::app
