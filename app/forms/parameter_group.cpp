#include "app/forms/parameter_group.hpp"

#include <QFrame>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace hinesight::app {

ParameterGroup::ParameterGroup(const QString& id, const QString& title, const QString& help, QWidget* parent)
    : QWidget(parent)
{
  header = new QToolButton(this);
  header->setObjectName(id + QStringLiteral("Group"));
  header->setText(title);
  header->setToolTip(help);
  header->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  header->setAutoRaise(true);
  header->setCheckable(true);
  header->setFocusPolicy(Qt::TabFocus);
  header->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  header->setProperty("groupHeader", true);
  body = new QWidget(this);
  rows = new QVBoxLayout(body);
  rows->setContentsMargins(12, 0, 8, 6);
  rows->setSpacing(2);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(header);
  column->addWidget(body);
  connect(header, &QToolButton::toggled, this, [this](bool open) {
    header->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    body->setVisible(open);
  });
  header->setChecked(true);
  header->setVisible(!title.isEmpty()); // there is nothing to fold that would be called anything
}

void ParameterGroup::addRow(QWidget* row)
{
  rows->addWidget(row);
}

void ParameterGroup::addFirstRow(QWidget* row)
{
  rows->insertWidget(0, row);
}

void ParameterGroup::setFolded(bool folded)
{
  header->setChecked(!folded);
}

QVBoxLayout* scrollInPanel(QVBoxLayout* groups, QWidget* panel, const QString& name)
{
  groups->setContentsMargins(0, 0, 0, 0);
  groups->setSpacing(0);
  auto* scroll = new QScrollArea(panel);
  auto* body = new QWidget(scroll->viewport());
  body->setLayout(groups);
  scroll->setObjectName(name);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidget(body);
  auto* column = new QVBoxLayout(panel);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(scroll, 1);
  return column;
}

} // namespace hinesight::app
