#pragma once

#include <QJsonObject>
#include <QList>
#include <QObject>
#include <QString>

class QAction;
class QMainWindow;
class QMenu;

namespace hinesight::app {

class FoldableDocks;
class ViewArea;

/// What stands where in the window: pages in panes and windows, docks open or folded. Arrangements are chosen from
/// presets, saved under names, and kept from start to start, with the settings of the person.
class Workspace : public QObject
{
  Q_OBJECT

public:
  Workspace(QMainWindow* window, ViewArea* area, FoldableDocks* docks);

  /// What can be done to the arrangement.
  const QList<QAction*>& actions() const { return all; }
  /// Presets, those of the person, and what makes these.
  QMenu* menu() const { return workspaces; }
  /// As it was when the window was closed last.
  void restore();
  void store() const;
  /// Names of those that the person saved.
  static QStringList saved();
  void saveAs(const QString& name);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  QAction* addAction(const char* name, const QString& text, const QString& key, const QString& help);
  void addActions();
  void addBesideTabs();
  void addPresets();
  void refreshActions();
  void showDocks();
  QJsonObject state() const;
  bool take(const QJsonObject& state);
  void askForName();
  void listSaved();

  QMainWindow* window;
  ViewArea* area;
  FoldableDocks* docks;
  QMenu* workspaces;
  QMenu* ofPerson;
  QMenu* removal;
  QList<QAction*> all;
  QAction* splitRight = nullptr;
  QAction* splitDown = nullptr;
  QAction* closePane = nullptr;
  QAction* ownWindow = nullptr;
  QAction* duplicate = nullptr;
  QAction* focus = nullptr;
};

} // namespace hinesight::app
