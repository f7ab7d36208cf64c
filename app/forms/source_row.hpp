#pragma once

#include <QWidget>

class QLabel;

namespace hinesight::widgets {
class ElidedLabel;
}

namespace hinesight::app {

/// What a panel shows in place of the rows of something made at random: where it comes from instead, and a button that
/// does away with it.
class SourceRow : public QWidget
{
  Q_OBJECT

public:
  /// The label and the button have these names; `help` says what the button does.
  SourceRow(const QString& name, const QString& buttonName, const QString& button, const QString& help,
            QWidget* parent);

  /// One line, shortened where it is too long, and below it a note of several; `tip` is the whole story.
  void say(const QString& text, const QString& note, const QString& tip);

signals:
  void cleared(); ///< by a person

private:
  widgets::ElidedLabel* label;
  QLabel* below;
};

} // namespace hinesight::app
