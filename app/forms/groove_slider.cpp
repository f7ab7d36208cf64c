#include "app/forms/groove_slider.hpp"

#include <QMouseEvent>
#include <QStyle>
#include <QStyleOptionSlider>

namespace hinesight::app {

void GrooveSlider::mousePressEvent(QMouseEvent* event)
{
  drag.begin();
  QStyleOptionSlider option;
  initStyleOption(&option);
  const QRect handle = style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this);
  if (event->button() == Qt::LeftButton && !handle.contains(event->position().toPoint())) {
    const int span = width() - handle.width();
    const int x = static_cast<int>(event->position().x()) - handle.width() / 2;
    setValue(QStyle::sliderValueFromPosition(minimum(), maximum(), x, span));
  }
  QSlider::mousePressEvent(event); // it has the handle now
}

void GrooveSlider::mouseReleaseEvent(QMouseEvent* event)
{
  QSlider::mouseReleaseEvent(event);
  drag.end();
}

} // namespace hinesight::app
