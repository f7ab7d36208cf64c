#include "app/shell/action_icon.hpp"

#include <QHash>
#include <QPainter>
#include <QPixmap>

namespace hinesight::app {

namespace {

constexpr int kSizes[] = {16, 24, 32, 48}; // pixels: menus and tool bars at ratios 1, 1.5 and 2

QIcon draw(const QString& name)
{
  const QIcon drawing(QStringLiteral(":/icons/actions/%1.svg").arg(name));
  QIcon icon;
  for (const int size : kSizes) {
    QPixmap picture = drawing.pixmap(QSize(size, size), 1.0);
    icon.addPixmap(picture);
    QPainter painter(&picture);
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(picture.rect(), Qt::white);
    painter.end();
    icon.addPixmap(picture, QIcon::Active);
  }
  return icon;
}

} // namespace

QIcon actionIcon(const QString& name)
{
  static auto* drawn = new QHash<QString, QIcon>; // pictures must not be deleted after the application
  QIcon& icon = (*drawn)[name];
  if (icon.isNull())
    icon = draw(name);
  return icon;
}

} // namespace hinesight::app
