#pragma once

#include "app/cells/run_table_model.hpp"
#include "model/session_file.hpp"
#include "run_kinds.hpp"

#include <QAction>
#include <QSettings>
#include <QStringList>
#include <QtTest>

#include <algorithm>
#include <vector>

namespace hinesight::app {

/// The history of runs in the real main window, and the sessions that hold it.
class SessionRunsFixture : public RunKinds
{
protected:
  void begin()
  {
    QSettings().clear();
    QVERIFY(folder.isValid());
    QVERIFY(showWindow());
  }

  /// What the table says of a run.
  QStringList rowOf(int run)
  {
    const QAbstractItemModel& model = *runTable()->model();
    QStringList texts;
    for (int column = 0; column < model.columnCount(); ++column)
      if (column != RunTableModel::Time) // which is a day after midnight
        texts << model.index(run, column).data().toString()
              << model.index(run, column).data(Qt::ToolTipRole).toString();
    return texts << QString::fromStdString(window->runs().runs()[run].startedAt);
  }
  std::vector<QStringList> rows()
  {
    std::vector<QStringList> all;
    for (int run = 0; run < runs(); ++run)
      all.push_back(rowOf(run));
    return all;
  }
  /// Whether the table shows these runs first of all.
  bool beginsWith(const std::vector<QStringList>& expected)
  {
    const std::vector<QStringList> now = rows();
    return now.size() >= expected.size() && std::equal(expected.begin(), expected.end(), now.begin());
  }
  model::ReadSession sessionIn(const char* name) const { return model::readSession(path(name).toStdString()); }
  void undo()
  {
    find<QAction>("undoAction")->trigger();
    QVERIFY(waitForJobs());
  }
};

} // namespace hinesight::app
