#pragma once

#include <QList>
#include <QObject>
#include <QPointer>

#include <vector>

class QAbstractButton;
class QAction;

namespace hinesight::app {

class ViewArea;

/// What can be done on the current page, as actions for a menu, with keys: each stands for a button in a header, which
/// it presses and whose state it has. Those of other pages cannot be used, and are not seen in menus.
class PageActions : public QObject
{
  Q_OBJECT

public:
  PageActions(ViewArea* area, QObject* parent);

  QList<QAction*> all() const;
  /// After another page or copy became the current one, or a button changed.
  void refresh();

private:
  struct Entry
  {
    const char* button; ///< its object's name
    QAction* action;
    QPointer<QAbstractButton> current = {}; ///< of the current page; null: it has none
  };

  void follow(Entry& entry, QAbstractButton* button);
  static void takeState(const Entry& entry);
  bool eventFilter(QObject* watched, QEvent* event) override;

  ViewArea* area;
  std::vector<Entry> entries;
};

} // namespace hinesight::app
