#pragma once

#include "app/pages/arrangement.hpp"

#include <QWidget>

#include <functional>
#include <vector>

class QBoxLayout;
class QSplitter;
class QTabBar;
class QToolButton;

namespace hinesight::app {

/// The views and pages: one at a time behind tabs, in panes beside and below each other, or in windows of their own;
/// each at one place at most; copies of a page stand in windows of their own. The current one is that which was used
/// last; tabs, keys and menus mean it. Pages stay children of this widget wherever they stand in it, and are laid over
/// the panes: to move them from parent to parent costs time, and their place in the order of Tab.
class ViewArea : public QWidget
{
  Q_OBJECT

public:
  explicit ViewArea(QWidget* parent = nullptr);
  ~ViewArea() override;

  void addView(QWidget* view, const QString& title, const QString& help);
  /// Behind a tab as the views are, but never in the grid; comes after them.
  void addPage(QWidget* page, const QString& title, const QString& help);
  /// A page that can be seen several times. `make`: another widget of it, with that parent.
  void setCopyMaker(int index, std::function<QWidget*(QWidget* parent)> make);
  /// The tabs, for a place that stays where it is whatever panels a page brings. Its width is what they have.
  QWidget* row() const { return tabRow; }
  /// Stands above what the tabs show, while it is visible.
  void setBar(QWidget* bar);
  /// Stands beside the tabs, left of the button of the grid.
  void addBesideTabs(QToolButton* button);
  int count() const { return static_cast<int>(views.size()); }
  int current() const { return currentIndex; }
  bool isGrid() const { return grid; }
  /// In a pane or a window of its own.
  bool isSeen(int index) const;
  bool isInWindow(int index) const;
  /// The current page, or its copy that was used last.
  QWidget* currentWidget() const;
  /// The copy of the current page that was used last; null: the page itself was.
  QWidget* currentCopy() const;
  /// Whether there may be another copy of the current page.
  bool canDuplicate() const;
  /// Makes a page or a copy the current one, since something in it is used.
  void useWidget(const QWidget* page);
  int panes() const { return static_cast<int>(paneList.size()); }
  /// Whether the current pane is large enough to be split, and there is a page that is not seen.
  bool canSplit(Qt::Orientation orientation) const;
  Arrangement arrangement() const;
  void arrange(const Arrangement& wanted);
  /// Other panes; pages that they have not stay in their windows, and so do copies.
  void arrangePanes(const PaneTree& wanted);

signals:
  void currentChanged(int index);
  void gridChanged(bool grid);
  /// It was not seen before.
  void appeared(int index);
  /// Others are seen, or elsewhere.
  void arrangementChanged();

public slots:
  /// Makes one the current one, in place of that which was; in the grid it becomes the only one.
  void showView(int index);
  void setGrid(bool grid);
  /// Between the current view alone and what there was before, or the grid.
  void toggleMaximized();
  /// Shows another page beside or below the current one.
  void split(Qt::Orientation orientation);
  /// The current pane goes, its neighbours take its room; where the current page is in a window of its own, it comes
  /// back; of a copy, its window goes.
  void closePane();
  /// The current page goes to a window of its own, or back; a copy goes.
  void toggleWindow();
  /// Shows the current page once more, in a window of its own.
  void duplicate();

protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  class Pane;
  class OwnWindow;
  struct View
  {
    QWidget* widget;
    QString title;
    QString help;
    OwnWindow* window = nullptr; ///< null: it is in this area
    std::function<QWidget*(QWidget* parent)> makeCopy = {};
  };
  struct Copy
  {
    int page;
    QWidget* widget;
    OwnWindow* window;
  };

  QWidget* widgetOf(int index) const { return views[static_cast<std::size_t>(index)].widget; }
  Pane* paneOf(int index) const;
  int unseen() const;
  int indexOf(const std::string& page) const;
  QSplitter* makeSplitter(Qt::Orientation orientation);
  Pane* makePane(int index);
  QWidget* build(const PaneTree& tree);
  PaneTree treeOf(const QWidget* part) const;
  void clearPanes();
  void showAlone(int index);
  void openWindow(int index, const QRect& place);
  void closeWindow(int index);
  void openCopy(int index, const QRect& place);
  void closeCopy(const OwnWindow* window);
  bool arrangeCopies(const std::vector<PageWindow>& wanted);
  void place(OwnWindow* window, const QRect& place);
  void leaveGrid();
  void setCurrent(int index);
  void use(int index);
  void takeFocus(const QWidget* focused);
  void refresh();
  int widthOfNames(int padding) const;
  void fitTabs(int room);
  void fitCorner();
  void layOut();
  void layOutRow();
  void layOutPages();

  std::vector<View> views; ///< and pages
  std::vector<Copy> copies;
  OwnWindow* copyInUse = nullptr; ///< null: the current page itself is
  std::vector<Pane*> paneList;
  std::vector<int> recent; ///< all that were current, the last one first
  std::vector<bool> wereSeen;
  int gridViews = 0; ///< how many of them the grid holds, the first ones
  QWidget* tabRow;   ///< tabs and corner
  QTabBar* tabs;
  QWidget* bar = nullptr;
  QWidget* corner;
  QBoxLayout* cornerRow;
  QToolButton* gridButton;
  std::vector<QToolButton*> cornerButtons;
  int cornerAsText = 0; ///< width of the corner where its buttons are texts
  QSplitter* root = nullptr;
  Pane* active = nullptr;
  Arrangement before; ///< one view was alone
  int currentIndex = 0;
  bool grid = false;
  bool isArranging = false;
};

} // namespace hinesight::app
