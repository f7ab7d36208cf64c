#pragma once

#include <QToolBar>
#include <QToolButton>

class QVBoxLayout;

namespace hinesight::app {

/// The icon and the title of a folded dock, the title upright; a click unfolds it.
class UprightButton : public QToolButton
{
public:
  explicit UprightButton(QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

protected:
  void paintEvent(QPaintEvent* event) override;
};

/// A narrow bar at an edge of the window with the titles of the docks that are folded there. Hides itself while there
/// are none.
class EdgeBar : public QToolBar
{
public:
  EdgeBar(const char* name, QWidget* parent);

  /// Below those before, from wherever it was.
  void take(UprightButton* title);
  /// After titles were shown or hidden.
  void refresh();

private:
  QVBoxLayout* column;
};

} // namespace hinesight::app
