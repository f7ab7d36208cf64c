#include "app/shell/help/tour.hpp"

#include "app/pages/view_area.hpp"

#include <QAbstractItemView>
#include <QApplication>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMainWindow>
#include <QMenuBar>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace hinesight::app {

namespace {

constexpr int kWidth = 340;
constexpr int kGap = 12;
const QString kOver = QStringLiteral("tour/isOver");

std::vector<Tour::Stop> stopsOf(QMainWindow* window)
{
  std::vector<Tour::Stop> stops;
  const auto add = [&](QWidget* part, const HelpText& help) {
    if (part && part->isVisible())
      stops.push_back({part, help});
  };
  const auto addDock = [&](const char* name) {
    auto* dock = window->findChild<QDockWidget*>(QLatin1String(name));
    if (!dock)
      return;
    // Of one that is folded, its title at the edge.
    QWidget* title = window->findChild<QWidget*>(QLatin1String(name) + QStringLiteral("Unfold"));
    add(dock->isVisible() ? dock : title, helpOf(*dock));
  };
  addDock("dataDock");
  auto* area = window->findChild<ViewArea*>();
  add(area,
      {Tour::tr("View"), Tour::tr("What the page shows. Of cells: drag to turn, use the wheel to zoom, click a branch "
                                  "to select it in all views. F1 says what is under the mouse.")});
  addDock("parametersDock");
  addDock("circuitDock");
  addDock("timingsDock");
  add(area ? area->findChild<QTabBar*>() : nullptr,
      {Tour::tr("Views and pages"),
       Tour::tr("Views of the cells and pages of their network, each for one question. "
                "The keys 1 to 9 and 0 show them; G shows the views of the cells at once.")});
  add(window->menuBar(), {Tour::tr("Menus and palette"),
                          Tour::tr("Every command is in a menu. Ctrl+Shift+P opens the command palette: type parts of "
                                   "a command's name. Help > Tour shows this again.")});
  return stops;
}

/// Whether it is Enter or Space, and goes to no field or list that may make use of it.
bool isForNext(const QKeyEvent& pressed)
{
  const int key = pressed.key();
  const QWidget* focused = QApplication::focusWidget();
  return (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) &&
         !(focused &&
           (focused->testAttribute(Qt::WA_InputMethodEnabled) || qobject_cast<const QAbstractItemView*>(focused)));
}

QPushButton* makeButton(const char* name, const QString& text, const QString& help)
{
  auto* button = new QPushButton(text);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(help);
  return button;
}

} // namespace

Tour::Tour(QMainWindow* ofWindow)
    : QFrame(ofWindow), window(ofWindow), stops(stopsOf(ofWindow)), frame(new QFrame(ofWindow)), text(new QLabel),
      skipButton(makeButton("tourSkip", tr("Skip"), tr("End the tour (Esc); Help > Tour starts it again"))),
      backButton(makeButton("tourBack", tr("Back"), tr("The part before (Left)"))),
      nextButton(makeButton("tourNext", tr("Next"), tr("The next part (Right or Enter)")))
{
  setObjectName(QStringLiteral("tour"));
  setAttribute(Qt::WA_DeleteOnClose);
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setStyleSheet(QStringLiteral("#tour { background: palette(window); border: 1px solid palette(highlight); }"));
  frame->setObjectName(QStringLiteral("tourFrame"));
  frame->setAttribute(Qt::WA_TransparentForMouseEvents);
  frame->setStyleSheet(QStringLiteral("#tourFrame { border: 3px solid palette(highlight); background: transparent; }"));
  text->setObjectName(QStringLiteral("tourText"));
  text->setWordWrap(true);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(skipButton);
  buttons->addStretch();
  buttons->addWidget(backButton);
  buttons->addWidget(nextButton);
  auto* column = new QVBoxLayout(this);
  column->addWidget(text);
  column->addLayout(buttons);
  setFixedWidth(kWidth);
  connect(skipButton, &QPushButton::clicked, this, &Tour::end);
  connect(backButton, &QPushButton::clicked, this, &Tour::back);
  connect(nextButton, &QPushButton::clicked, this, &Tour::next);
  connect(this, &QObject::destroyed, frame, &QObject::deleteLater);
  for (const Stop& stop : stops)
    stop.part->installEventFilter(this);
  for (QPushButton* button : {skipButton, backButton, nextButton})
    button->installEventFilter(this);
  window->installEventFilter(this); // keys come to it that nothing else takes, such as a view that was clicked
  show(0);
  QFrame::show();
  nextButton->setFocus();
}

bool Tour::isOver()
{
  return QSettings().value(kOver, false).toBool();
}

void Tour::next()
{
  if (current + 1 < stops.size())
    show(current + 1);
  else
    end();
}

void Tour::back()
{
  if (current > 0)
    show(current - 1);
}

void Tour::end()
{
  QSettings().setValue(kOver, true);
  close();
}

void Tour::show(std::size_t stop)
{
  current = stop;
  const HelpText& help = stops[current].help;
  text->setText(QStringLiteral("<h3>%1</h3><p>%2</p><p>%3</p>")
                    .arg(help.title.toHtmlEscaped(), help.text.toHtmlEscaped(),
                         tr("%1 of %2").arg(current + 1).arg(stops.size())));
  backButton->setEnabled(current > 0);
  nextButton->setText(current + 1 < stops.size() ? tr("Next") : tr("Done"));
  if (!backButton->isEnabled())
    nextButton->setFocus();
  place();
}

/// Beside the part where there is room, else over it, always within the window. A part that is folded, as by another
/// page, has no frame.
void Tour::place()
{
  const QWidget* part = stops[current].part;
  if (!part)
    return;
  const bool isSeen = part->isVisibleTo(window);
  const QRect around = isSeen ? QRect(part->mapTo(window, QPoint()), part->size()) : window->rect();
  frame->setGeometry(around);
  frame->setVisible(isSeen);
  frame->raise();
  resize(kWidth, heightForWidth(kWidth));
  const QRect room = window->rect().adjusted(kGap, kGap, -kGap, -kGap);
  QPoint corner = around.center() - rect().center();
  if (around.right() + kGap + width() < room.right())
    corner = {around.right() + kGap, around.top() + kGap};
  else if (around.left() - kGap - width() > room.left())
    corner = {around.left() - kGap - width(), around.top() + kGap};
  else if (around.bottom() + kGap + height() < room.bottom())
    corner = {around.left() + kGap, around.bottom() + kGap};
  else if (around.top() - kGap - height() > room.top())
    corner = {around.left() + kGap, around.top() - kGap - height()};
  move(std::clamp(corner.x(), room.left(), std::max(room.left(), room.right() - width())),
       std::clamp(corner.y(), room.top(), std::max(room.top(), room.bottom() - height())));
  raise();
}

/// Before the window takes the keys for its shortcuts, and the buttons for the way to each other.
bool Tour::takeKey(QPushButton* button, int key)
{
  switch (key) {
  case Qt::Key_Escape:
    end();
    return true;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    button->click();
    return true;
  case Qt::Key_Right:
    next();
    return true;
  case Qt::Key_Left:
    back();
    return true;
  default:
    return false;
  }
}

bool Tour::eventFilter(QObject* watched, QEvent* event)
{
  auto* button = qobject_cast<QPushButton*>(watched);
  if (button && event->type() == QEvent::ShortcutOverride) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape || key == Qt::Key_Right || key == Qt::Key_Left)
      event->accept();
  }
  if (watched == window && event->type() == QEvent::ShortcutOverride &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    event->accept();
    end();
    return true;
  }
  if (watched == window && event->type() == QEvent::KeyPress && isForNext(*static_cast<QKeyEvent*>(event))) {
    nextButton->click();
    return true;
  }
  if (button && event->type() == QEvent::KeyPress && takeKey(button, static_cast<QKeyEvent*>(event)->key()))
    return true;
  if (watched == stops[current].part && (event->type() == QEvent::Resize || event->type() == QEvent::Move ||
                                         event->type() == QEvent::Show || event->type() == QEvent::Hide))
    place();
  return QFrame::eventFilter(watched, event);
}

} // namespace hinesight::app
