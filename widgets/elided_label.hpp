#pragma once

#include <QLabel>

namespace hinesight::widgets {

/// A line of plain text that takes the room there is and has dots where it does not fit; then it is its tooltip too.
class ElidedLabel : public QLabel
{
public:
  explicit ElidedLabel(QWidget* parent = nullptr, Qt::TextElideMode where = Qt::ElideRight);

  /// From now on whole parts of the text are left out, from a comma or semicolon on, before any letters of its first.
  void cutBetweenParts() { leavesOutParts = true; }
  /// What is painted of the text.
  QString shownText() const;
  /// Pixels in which the first part can be read.
  int readableWidth() const;
  QSize minimumSizeHint() const override;

protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

private:
  QString withoutParts(int room) const;

  Qt::TextElideMode mode;
  bool leavesOutParts = false;
};

/// A name for a line in which more stands, which it is not to push out: a long one with dots in its middle.
QString shortened(const QString& name);

} // namespace hinesight::widgets
