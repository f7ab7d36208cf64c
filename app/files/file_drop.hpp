#pragma once

#include <QObject>
#include <QStringList>

class QWidget;

namespace hinesight::app {

/// Takes files that are dropped onto a widget.
class FileDrop : public QObject
{
  Q_OBJECT

public:
  /// Owned by the widget.
  explicit FileDrop(QWidget* target);

signals:
  void dropped(const QStringList& paths);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace hinesight::app
