#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QPushButton;

namespace hinesight::app {

/// What a bar asks, and the two answers.
struct Question
{
  QString text; ///< empty: nothing is asked
  QString agree, agreeHelp;
  QString decline, declineHelp; ///< empty: there is nothing to decline
  bool canAgree = true;         ///< false where the text says why that is impossible

  bool operator==(const Question&) const = default;
};

/// What is asked above a picture whose parameters the fields beside it do not show: a run by the fields was refused,
/// cancelled, or is yet to be started.
Question pictureQuestion();

/// A question above what it is about, that can wait: its buttons answer it and put it away. Nothing else is blocked
/// meanwhile.
class QuestionBar : public QWidget
{
  Q_OBJECT

public:
  /// The bar is called `name`, and its parts `nameText`, `nameAgree`, `nameDecline`.
  explicit QuestionBar(const QString& name, QWidget* parent = nullptr);

  /// Shows the question, or nothing where nothing is asked.
  void ask(const Question& question);
  QString text() const;

signals:
  void agreed();
  void declined();

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  QLabel* label;
  QPushButton* agreeButton;
  QPushButton* declineButton;
};

} // namespace hinesight::app
