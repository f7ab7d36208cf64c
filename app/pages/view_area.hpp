#pragma once

#include <QWidget>

#include <vector>

class QTabBar;
class QToolButton;

namespace hinesight::app {

/// The views side by side: one at a time behind tabs, or all in a grid of two columns. Views stay children of this
/// widget whatever the layout, because moving an OpenGL widget to another parent costs its context.
class ViewArea : public QWidget
{
  Q_OBJECT

public:
  explicit ViewArea(QWidget* parent = nullptr);

  void addView(QWidget* view, const QString& title, const QString& help);
  /// Behind a tab as the views are, but never in the grid; comes after them.
  void addPage(QWidget* page, const QString& title, const QString& help);
  /// Stands between the tabs and what they show, while it is visible.
  void setBar(QWidget* bar);
  int count() const { return static_cast<int>(views.size()); }
  int current() const { return currentIndex; }
  bool isGrid() const { return grid; }

signals:
  void currentChanged(int index);
  void gridChanged(bool grid);

public slots:
  /// Shows one view; in the grid it becomes the only one.
  void showView(int index);
  void setGrid(bool grid);
  /// Between the grid and this view alone.
  void toggleMaximized(int index);

protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void layOut();

  std::vector<QWidget*> views; ///< and pages
  int gridViews = 0;           ///< how many of them the grid holds, the first ones
  QTabBar* tabs;
  QWidget* bar = nullptr;
  QToolButton* gridButton;
  int currentIndex = 0;
  bool grid = false;
};

} // namespace hinesight::app
