#include "app/workspace/edge_bar.hpp"

#include <QAction>
#include <QStyleOptionToolButton>
#include <QStylePainter>
#include <QTransform>
#include <QVBoxLayout>

namespace hinesight::app {

namespace {

constexpr QSize kPicture(16, 16);

}

UprightButton::UprightButton(QWidget* parent) : QToolButton(parent)
{
  setFocusPolicy(Qt::TabFocus);
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setIconSize(kPicture);
}

QSize UprightButton::sizeHint() const
{
  return QToolButton::sizeHint().transposed();
}

/// The frame and the picture as they are, the text turned, to be read from below.
void UprightButton::paintEvent(QPaintEvent*)
{
  QStylePainter painter(this);
  QStyleOptionToolButton option;
  initStyleOption(&option);
  const QPixmap picture = icon().pixmap(iconSize(), devicePixelRatioF());
  QPixmap turned = picture.transformed(QTransform().rotate(90)); // back, by what turns all
  turned.setDevicePixelRatio(picture.devicePixelRatio());
  option.icon = QIcon(turned);
  painter.rotate(-90);
  painter.translate(-height(), 0);
  option.rect = QRect(0, 0, height(), width());
  painter.drawComplexControl(QStyle::CC_ToolButton, option);
}

EdgeBar::EdgeBar(const char* name, QWidget* parent) : QToolBar(parent)
{
  setObjectName(QLatin1String(name));
  setMovable(false);
  setOrientation(Qt::Vertical);
  toggleViewAction()->setVisible(false); // it comes and goes with what is folded
  auto* titles = new QWidget;
  column = new QVBoxLayout(titles);
  column->setContentsMargins(2, 2, 2, 2);
  column->setSpacing(2);
  addWidget(titles);
  hide();
}

void EdgeBar::take(UprightButton* title)
{
  column->addWidget(title);
}

void EdgeBar::refresh()
{
  bool any = false;
  for (int i = 0; i < column->count(); ++i)
    any = any || !column->itemAt(i)->widget()->isHidden();
  setVisible(any);
}

} // namespace hinesight::app
