#include "app/shell/bars/page_header.hpp"

#include "app/shell/bars/flow_layout.hpp"

#include "widgets/elided_label.hpp"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>

namespace hinesight::app {

namespace {

constexpr int kRowHeight = 36;
constexpr int kGap = 8;
constexpr int kLeftMargin = 12;
/// There is room for so many beside the buttons, or these have a row of their own: whatever the headline is, so that
/// they stay where they are while it changes.
constexpr int kHeadlineLetters = 100;

} // namespace

QPushButton* makeHeaderButton(const char* name, const QString& text, const QString& help)
{
  auto* button = new QPushButton(text);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(help);
  return button;
}

PageHeader::PageHeader(const QString& title, const char* headlineName, const std::vector<QPushButton*>& buttons,
                       QWidget* parent)
    : QWidget(parent), grid(new QGridLayout(this)), name(new QLabel(title)), headline(new widgets::ElidedLabel),
      buttonRow(new QWidget)
{
  QFont bold = name->font();
  bold.setWeight(QFont::DemiBold);
  name->setFont(bold);
  headline->setObjectName(QLatin1String(headlineName));
  auto* row = new FlowLayout(buttonRow, kGap);
  for (QPushButton* button : buttons)
    row->addWidget(button);
  grid->setContentsMargins(kLeftMargin, 0, kGap, 0);
  grid->setHorizontalSpacing(kGap);
  grid->setVerticalSpacing(0);
  grid->setColumnStretch(1, 1);
  grid->addWidget(name, 0, 0);
  grid->addWidget(headline, 0, 1);
  grid->addWidget(buttonRow, 0, 2);
  setFixedHeight(kRowHeight);
}

void PageHeader::setHeadline(const QString& text, const QString& note)
{
  headline->setText(text);
  headline->setToolTip(note.isEmpty() ? QString() : text + QLatin1Char('\n') + note);
}

void PageHeader::resizeEvent(QResizeEvent* event)
{
  QWidget::resizeEvent(event);
  arrange();
  grid->setGeometry(contentsRect()); // a grid that was changed while its widget was resized keeps the old height
}

/// Buttons come and go.
bool PageHeader::event(QEvent* event)
{
  if (event->type() == QEvent::LayoutRequest)
    arrange();
  return QWidget::event(event);
}

void PageHeader::arrange()
{
  const int room = kHeadlineLetters * headline->fontMetrics().averageCharWidth();
  const int wanted = kLeftMargin + name->sizeHint().width() + room + buttonRow->sizeHint().width() + 4 * kGap;
  const bool needsRows = buttonRow->sizeHint().width() > 0 && wanted > width();
  if (needsRows != areBelow) {
    areBelow = needsRows;
    grid->removeWidget(buttonRow);
    if (areBelow)
      grid->addWidget(buttonRow, 1, 0, 1, 3);
    else
      grid->addWidget(buttonRow, 0, 2, Qt::AlignVCenter);
  }
  const int rowsHeight = buttonRow->heightForWidth(width() - kLeftMargin - kGap);
  setFixedHeight(areBelow ? kRowHeight + rowsHeight + kRowHeight - buttonRow->sizeHint().height() : kRowHeight);
}

} // namespace hinesight::app
