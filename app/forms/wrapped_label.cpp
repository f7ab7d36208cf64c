#include "app/forms/wrapped_label.hpp"

#include <QLabel>

namespace hinesight::app {

QLabel* wrappedLabel(const QString& name, QWidget* parent)
{
  auto* label = new QLabel(parent);
  label->setObjectName(name);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  return label;
}

} // namespace hinesight::app
