#include "app/shell/bars/question_bar.hpp"

#include "widgets/theme.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace hinesight::app {

namespace {

constexpr int kStripe = 4; // of the signal colour, at the left
constexpr int kTintAlpha = 50;

} // namespace

Question pictureQuestion()
{
  return {QuestionBar::tr("The picture was made with other parameters than the fields show."), QuestionBar::tr("Run"),
          QuestionBar::tr("Make the picture with the parameters in the fields"), QuestionBar::tr("Restore fields"),
          QuestionBar::tr("Show the parameters of the picture in the fields again")};
}

QuestionBar::QuestionBar(const QString& name, QWidget* parent)
    : QWidget(parent), label(new QLabel(this)), agreeButton(new QPushButton(this)), declineButton(new QPushButton(this))
{
  setObjectName(name + QStringLiteral("Bar"));
  label->setObjectName(name + QStringLiteral("Text"));
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  agreeButton->setObjectName(name + QStringLiteral("Agree"));
  declineButton->setObjectName(name + QStringLiteral("Decline"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(14, 6, 8, 6);
  row->setSpacing(8);
  row->addWidget(label, 1);
  row->addWidget(agreeButton);
  row->addWidget(declineButton);
  connect(agreeButton, &QPushButton::clicked, this, [this] {
    hide();
    emit agreed();
  });
  connect(declineButton, &QPushButton::clicked, this, [this] {
    hide();
    emit declined();
  });
  hide();
}

void QuestionBar::ask(const Question& question)
{
  label->setText(question.text);
  agreeButton->setText(question.agree);
  agreeButton->setToolTip(question.agreeHelp);
  agreeButton->setEnabled(question.canAgree);
  declineButton->setText(question.decline);
  declineButton->setToolTip(question.declineHelp);
  declineButton->setVisible(!question.decline.isEmpty());
  setVisible(!question.text.isEmpty());
}

QString QuestionBar::text() const
{
  return label->text();
}

void QuestionBar::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  QColor tint = widgets::theme().warning;
  painter.fillRect(rect(), widgets::theme().canvas);
  painter.fillRect(QRect(0, 0, kStripe, height()), tint);
  tint.setAlpha(kTintAlpha);
  painter.fillRect(rect(), tint);
}

} // namespace hinesight::app
