#pragma once

#include <QObject>
#include <QStringList>

class QMenu;

namespace hinesight::app {

/// The files that were opened last, newest first, remembered in the settings, as a menu.
class RecentFiles : public QObject
{
  Q_OBJECT

public:
  static constexpr int kMost = 12;
  static constexpr int kMostAtOnce = 3;

  RecentFiles(QMenu* menu, QObject* parent);

  /// What was opened at once: the first few stand for many.
  void add(const QStringList& paths);
  /// Forgets a file that is no longer there.
  void remove(const QString& path);
  const QStringList& paths() const { return recent; }

signals:
  void chosen(const QString& path);

private:
  void store();
  void rebuildMenu();

  QMenu* menu;
  QStringList recent;
};

} // namespace hinesight::app
