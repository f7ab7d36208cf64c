#pragma once

#include "app/pages/panel.hpp"

#include <QJsonObject>
#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <set>
#include <vector>

class QAction;
class QDockWidget;
class QMainWindow;

namespace hinesight::app {

class EdgeBar;
class UprightButton;

/// The docks of the window. One is open or folded: then its icon and title stand in a narrow bar at the edge of the
/// window. Open are those that say something to what is seen, unless a person has opened or folded one there by hand.
/// Where the views would not have half of the window, or as much as is enough, those that say least are folded.
class FoldableDocks : public QObject
{
  Q_OBJECT

public:
  /// `viewsOf`: what is left to the views of so much room beside the docks, in pixels each way.
  FoldableDocks(QMainWindow* window, std::function<QSize(const QSize&)> viewsOf, QObject* parent);

  /// `extent`: its width, or its height at the bottom, until a person drags it. `height`: beside others in its column
  /// it gets that much, where the window leaves it, whenever the column or the window changes; 0: whatever is left.
  void add(Panel panel, QDockWidget* dock, int extent, int height = 0);
  /// What of it is to be open, what says most first. What is done by hand is kept for each kind of what is seen.
  void show(const QString& kind, const std::vector<Panel>& panels);
  /// Opens it, as a person does it, where nothing has to be folded for it.
  void open(Panel panel);
  /// All are folded, those excepted that are opened from now on, until it ends.
  void setFocused(bool focused);
  bool isFocused() const { return focused; }
  /// To show or hide each, as a person does it.
  const QList<QAction*>& actions() const { return toggles; }

  /// What was opened and folded by hand.
  QJsonObject choices() const;
  void setChoices(const QJsonObject& json);
  /// Folds and unfolds, after the window has got another state.
  void refresh();
  /// Folds and unfolds once, after all that `change` does.
  void changeTogether(const std::function<void()>& change);

signals:
  void focusedChanged(bool focused);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  struct Entry
  {
    Panel panel;
    QDockWidget* dock;
    UprightButton* title; ///< of the folded dock
    int extent;
    int height;
  };
  using Choices = std::map<QString, bool>; ///< by the names of docks

  void choose(QDockWidget* dock, bool open);
  Choices& current() { return byHand[focused ? QString() : kind]; }
  bool isAtBottom(const Entry& entry) const;
  EdgeBar* barOf(const Entry& entry) const;
  void keepExtents();
  QSize roomBeside(const std::vector<const Entry*>& open) const;
  bool hasRoom(const std::vector<const Entry*>& open) const;
  std::vector<const Entry*> wantedOpen() const;
  bool foldAndUnfold();
  bool showOnly(const std::vector<const Entry*>& open);
  void resizeOpen(const std::vector<const Entry*>& open);
  void refreshBars();
  void fitHeightsSoon(bool isNewColumn);
  void fitHeights(bool isNewColumn);

  QMainWindow* window;
  std::function<QSize(const QSize&)> viewsOf;
  std::vector<Entry> entries;
  QList<QAction*> toggles;
  EdgeBar* leftBar;
  EdgeBar* rightBar;
  QString kind;
  std::vector<Panel> wanted;
  std::map<QString, Choices> byHand; ///< by kind; of focus: by an empty one
  std::set<QString> everywhere;      ///< opened by hand, on whatever page
  bool focused = false;
  int heightBefore = 0; ///< of the window
  bool isRefreshing = false;
  bool isHeld = false; ///< until what changes together has changed
  bool fitsSoon = false;
  bool hasNewColumn = false; ///< when heights are fitted
};

} // namespace hinesight::app
