#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace hinesight::app {

/// A question above what it is about, that can wait: "Run anyway" and "Cancel" answer it and put it away. Nothing else
/// is blocked meanwhile.
class QuestionBar : public QWidget
{
  Q_OBJECT

public:
  explicit QuestionBar(QWidget* parent = nullptr);

  /// `canAgree`: false where the text says why that is impossible.
  void ask(const QString& text, bool canAgree);
  QString text() const;

signals:
  void agreed();
  void declined();

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  QLabel* label;
  QPushButton* agreeButton;
};

} // namespace hinesight::app
