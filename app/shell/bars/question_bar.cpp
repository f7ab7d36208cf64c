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

QuestionBar::QuestionBar(QWidget* parent)
    : QWidget(parent), label(new QLabel(this)), agreeButton(new QPushButton(tr("Run anyway"), this))
{
  setObjectName(QStringLiteral("questionBar"));
  label->setObjectName(QStringLiteral("questionText"));
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  agreeButton->setObjectName(QStringLiteral("questionAgree"));
  agreeButton->setToolTip(tr("Make the table although it is that large"));
  auto* declineButton = new QPushButton(tr("Cancel"), this);
  declineButton->setObjectName(QStringLiteral("questionDecline"));
  declineButton->setToolTip(tr("Keep the table that is shown, and go back to its parameters"));
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

void QuestionBar::ask(const QString& text, bool canAgree)
{
  label->setText(text);
  agreeButton->setEnabled(canAgree);
  show();
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
