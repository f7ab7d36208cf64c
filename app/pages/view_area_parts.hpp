#pragma once

#include "app/pages/pages.hpp"
#include "app/pages/view_area.hpp"
#include "widgets/orbit/offscreen_graphics.hpp"
#include "widgets/theme.hpp"

#include <QCloseEvent>
#include <QPainter>
#include <QRect>
#include <QSize>
#include <QVBoxLayout>

#include <optional>
#include <utility>

// What a ViewArea is made of. Nobody includes it but the sources of ViewArea.

namespace hinesight::app {

inline constexpr QSize kLeastPane{260, 160};
inline constexpr int kMark = 2; ///< pixels, of the current pane, where there are several

/// A place of a page, which is laid over it.
class ViewArea::Pane : public QWidget
{
public:
  explicit Pane(int index) : page(index) { setMinimumSize(kLeastPane / 2); }

  void setMarked(bool isMarked)
  {
    if (std::exchange(marked, isMarked) != isMarked)
      update();
  }

  int page;

protected:
  void paintEvent(QPaintEvent*) override
  {
    if (marked)
      QPainter(this).fillRect(0, 0, width(), kMark, widgets::theme().accent);
  }

private:
  bool marked = false;
};

/// A window with one page or a copy of it, which stays with the window that it came from: its keys work here too.
class ViewArea::OwnWindow : public QWidget
{
public:
  /// `copyNumber`: 2, 3, ...; 0: the page itself.
  OwnWindow(ViewArea* from, int index, int copyNumber = 0)
      : QWidget(from->window(), Qt::Tool), number(copyNumber), area(from), page(index)
  {
    const QString ofCopy = number > 0 ? QString::number(number) : QString();
    setObjectName(QStringLiteral("pageWindow-") + QLatin1String(allPages()[static_cast<std::size_t>(index)].name) +
                  ofCopy);
    const QString& title = area->views[static_cast<std::size_t>(index)].title;
    setWindowTitle(ViewArea::tr("%1 - Hinesight").arg(number > 0 ? title + QLatin1Char(' ') + ofCopy : title));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
  }

  void hold(QWidget* widget)
  {
    held = widget;
    layout()->addWidget(widget);
  }

  const int number;
  QRect wanted; ///< of its frame, until it has one; then empty

protected:
  bool event(QEvent* event) override
  {
    if (event->type() == QEvent::WindowActivate || event->type() == QEvent::UpdateRequest)
      fitFrame();
    if (event->type() == QEvent::WindowActivate)
      area->useWidget(held);
    std::optional<widgets::WindowPainting> painting;
    if (event->type() == QEvent::UpdateRequest)
      painting.emplace();
    return QWidget::event(event);
  }

  void closeEvent(QCloseEvent* event) override
  {
    if (!area->window()->isVisible())
      return;        // the program ends, and its arrangement is kept
    event->ignore(); // it goes when the page has left it
    if (number > 0)
      area->closeCopy(this);
    else
      area->closeWindow(page);
  }

private:
  void fitFrame();

  ViewArea* area;
  int page;
  QWidget* held = nullptr;
};

} // namespace hinesight::app
