#include "app/shell/bars/page_header.hpp"

#include "app/shell/bars/flow_layout.hpp"

#include "widgets/elided_label.hpp"

#include <QCoreApplication>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>

namespace hinesight::app {

namespace {

constexpr int kRowHeight = 36;
constexpr int kGap = 8;
constexpr int kLeftMargin = 12;
/// There is room for so many beside the buttons, or these have a row of their own: whatever the headline is, so that
/// they stay where they are while it changes.
constexpr int kHeadlineLetters = 100;

} // namespace

/// Seen where its page wants it and the row has room for it.
class HeaderButton : public QPushButton
{
public:
  using QPushButton::QPushButton;

  bool isWanted() const { return wanted; }
  bool isInMenu() const { return wanted && !fits; }
  int wantedWidth() const { return wanted ? sizeHint().width() + kGap : 0; }

  void setFits(bool hasRoom)
  {
    fits = hasRoom;
    QPushButton::setVisible(wanted && fits);
  }

  void setVisible(bool isVisible) override
  {
    wanted = isVisible;
    QPushButton::setVisible(wanted && fits);
    if (!fits) // which asks for no layout by itself
      QCoreApplication::postEvent(parentWidget()->parentWidget(), new QEvent(QEvent::LayoutRequest));
  }

private:
  bool wanted = true; ///< by its page
  bool fits = true;
};

QPushButton* makeHeaderButton(const char* name, const QString& text, const QString& help)
{
  auto* button = new HeaderButton(text);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(help);
  return button;
}

PageHeader::PageHeader(const QString& title, const char* headlineName, const std::vector<QPushButton*>& ofPage,
                       QWidget* parent)
    : QWidget(parent), grid(new QGridLayout(this)), name(new QLabel(title)), headline(new widgets::ElidedLabel),
      buttonRow(new QWidget), moreButton(new QPushButton(tr("More"))), menu(new QMenu(this))
{
  QFont bold = name->font();
  bold.setWeight(QFont::DemiBold);
  name->setFont(bold);
  headline->setObjectName(QLatin1String(headlineName));
  auto* row = new FlowLayout(buttonRow, kGap);
  for (QPushButton* button : ofPage) {
    row->addWidget(button);
    buttons.push_back(static_cast<HeaderButton*>(button));
  }
  row->addWidget(moreButton);
  moreButton->setObjectName(headline->objectName() + QStringLiteral("More"));
  moreButton->setToolTip(tr("The buttons of this page for which there is no room"));
  moreButton->hide();
  menu->setObjectName(headline->objectName() + QStringLiteral("Menu"));
  menu->setToolTipsVisible(true);
  connect(moreButton, &QPushButton::clicked, this, &PageHeader::openMenu);
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
  int buttonsWidth = 0;
  for (const HeaderButton* button : buttons)
    buttonsWidth += button->wantedWidth();
  const int room = kHeadlineLetters * headline->fontMetrics().averageCharWidth();
  const int wanted = kLeftMargin + name->sizeHint().width() + room + buttonsWidth + 3 * kGap;
  const bool needsRows = buttonsWidth > 0 && wanted > width();
  if (needsRows != areBelow) {
    areBelow = needsRows;
    grid->removeWidget(buttonRow);
    if (areBelow)
      grid->addWidget(buttonRow, 1, 0, 1, 3);
    else
      grid->addWidget(buttonRow, 0, 2, Qt::AlignVCenter);
  }
  const int rowWidth = width() - kLeftMargin - kGap;
  moreButton->setVisible(buttonsWidth - kGap > rowWidth);
  fillRow(moreButton->isHidden() ? buttonsWidth : rowWidth - moreButton->sizeHint().width());
  const int rowsHeight = buttonRow->heightForWidth(rowWidth);
  setFixedHeight(areBelow ? kRowHeight + rowsHeight + kRowHeight - buttonRow->sizeHint().height() : kRowHeight);
}

/// The first button stays in any case.
void PageHeader::fillRow(int width)
{
  int used = 0;
  bool isFirst = true;
  for (HeaderButton* button : buttons) {
    used += button->wantedWidth();
    button->setFits(isFirst || used <= width);
    isFirst = isFirst && !button->isWanted();
  }
}

/// With the buttons as they are now.
void PageHeader::openMenu()
{
  menu->clear();
  for (HeaderButton* button : buttons) {
    if (!button->isInMenu())
      continue;
    QAction* action = menu->addAction(button->text(), button, [button] { button->click(); });
    action->setObjectName(button->objectName() + QStringLiteral("Entry"));
    action->setToolTip(button->toolTip());
    action->setEnabled(button->isEnabled());
    action->setCheckable(button->isCheckable());
    action->setChecked(button->isChecked());
  }
  menu->popup(moreButton->mapToGlobal(QPoint(0, moreButton->height())));
}

} // namespace hinesight::app
