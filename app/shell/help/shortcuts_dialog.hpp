#pragma once

#include <QDialog>

class QLineEdit;
class QMainWindow;
class QTreeWidget;

namespace hinesight::app {

/// All keys of a window's menus and of its list of cells, found by typing; the window can be used beside it. There is
/// one for a window: a second call brings it to the front.
class ShortcutsDialog : public QDialog
{
  Q_OBJECT

public:
  static void showFor(QMainWindow* window);

private:
  explicit ShortcutsDialog(QMainWindow* window);
  void add(const QString& keys, const QString& name, const QString& menu, const QString& meaning);
  void refresh();

  QLineEdit* text;
  QTreeWidget* list;
};

} // namespace hinesight::app
