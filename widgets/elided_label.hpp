#pragma once

#include <QLabel>

namespace hinesight::widgets {

/// A line of plain text that takes the room there is and ends in dots where it does not fit; then it is its tooltip
/// too.
class ElidedLabel : public QLabel
{
public:
  explicit ElidedLabel(QWidget* parent = nullptr);

  /// What is painted of the text.
  QString shownText() const;

protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
};

} // namespace hinesight::widgets
