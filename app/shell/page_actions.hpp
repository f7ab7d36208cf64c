#pragma once

#include <QList>
#include <QObject>
#include <QPointer>

#include <vector>

class QAbstractButton;
class QAction;

namespace hinesight::app {

class ViewArea;

/// What buttons do, as actions for menus, with keys: each action stands for a button, which it presses and whose state
/// it has. Those of headers are of the current page; those of other pages cannot be used, and are not seen in menus.
class PageActions : public QObject
{
  Q_OBJECT

public:
  PageActions(ViewArea* area, QObject* parent);

  QList<QAction*> ofPage() const { return ofHeaders; }
  QList<QAction*> ofCircuit() const { return ofPanels; } ///< of the lists of populations and connections
  /// After another page or copy became the current one, or a button changed.
  void refresh();

private:
  struct Entry
  {
    const char* button; ///< its object's name
    QAction* action;
    bool isOfPage = true;                   ///< else of a panel, which is always there
    QPointer<QAbstractButton> current = {}; ///< of the current page; null: it has none
  };

  void follow(Entry& entry, QAbstractButton* button);
  static void takeState(const Entry& entry);
  bool eventFilter(QObject* watched, QEvent* event) override;

  QAction* add(const char* button, const QString& text, const char* key, const QString& icon, bool isOfPage);

  ViewArea* area;
  QList<QAction*> ofHeaders, ofPanels;
  std::vector<Entry> entries;
};

} // namespace hinesight::app
