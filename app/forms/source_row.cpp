#include "app/forms/source_row.hpp"

#include "widgets/elided_label.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace hinesight::app {

SourceRow::SourceRow(const QString& name, const QString& buttonName, const QString& button, const QString& help,
                     QWidget* parent)
    : QWidget(parent), label(new widgets::ElidedLabel), below(new QLabel)
{
  label->setObjectName(name);
  below->setObjectName(name + QStringLiteral("Note"));
  below->setProperty("helpText", true);
  below->setWordWrap(true);
  auto* clear = new QPushButton(button);
  clear->setObjectName(buttonName);
  clear->setToolTip(help);
  auto* line = new QHBoxLayout;
  line->addWidget(label, 1);
  line->addWidget(clear);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 2, 0, 2);
  column->setSpacing(2);
  column->addLayout(line);
  column->addWidget(below);
  connect(clear, &QPushButton::clicked, this, &SourceRow::cleared);
  say({}, {}, {});
}

void SourceRow::say(const QString& text, const QString& note, const QString& tip)
{
  label->setText(text);
  label->setToolTip(tip);
  below->setText(note);
  below->setToolTip(tip);
  below->setVisible(!note.isEmpty());
}

} // namespace hinesight::app
