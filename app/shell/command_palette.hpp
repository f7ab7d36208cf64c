#pragma once

#include <QDialog>
#include <QList>
#include <QPointer>

class QAction;
class QLineEdit;
class QListWidget;
class QMainWindow;

namespace hinesight::app {

/// Every action of the window's menus, found by typing parts of its name: "sav ses" finds Save session. Enter carries
/// out the chosen one; those that cannot be carried out now are listed last, in grey.
class CommandPalette : public QDialog
{
  Q_OBJECT

public:
  explicit CommandPalette(QMainWindow* window);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void refresh();
  void carryOut();

  QList<QPointer<QAction>> actions; ///< those of files that were opened come and go
  QLineEdit* text;
  QListWidget* list;
};

} // namespace hinesight::app
