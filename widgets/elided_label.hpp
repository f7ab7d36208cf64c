#pragma once

#include <QLabel>

namespace hinesight::widgets {

/// A line of plain text that takes the room there is and has dots where it does not fit; then it is its tooltip too.
class ElidedLabel : public QLabel
{
public:
  explicit ElidedLabel(QWidget* parent = nullptr, Qt::TextElideMode where = Qt::ElideRight);

  /// What is painted of the text.
  QString shownText() const;
  QSize minimumSizeHint() const override;

protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

private:
  Qt::TextElideMode mode;
};

/// A name for a line in which more stands, which it is not to push out: a long one with dots in its middle.
QString shortened(const QString& name);

} // namespace hinesight::widgets
