#include "app/projection/between_dialog.hpp"

#include "app/forms/help_text.hpp"

#include <QCheckBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace hinesight::app {

void askBetween(const BetweenQuestion& question, QWidget* parent,
                const std::function<void(const std::vector<std::string>&)>& take)
{
  auto* dialog = new QDialog(parent);
  dialog->setObjectName(QStringLiteral("betweenDialog"));
  dialog->setWindowTitle(question.title);
  describe(dialog, {question.title, question.help, question.section});
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(new QLabel(question.sentence));
  std::vector<QCheckBox*> boxes;
  for (const std::string& name : question.populations) {
    auto* box = new QCheckBox(QString::fromStdString(name));
    box->setObjectName(QStringLiteral("between_") + box->text());
    box->setToolTip(question.help);
    box->setChecked(std::ranges::find(question.ticked, name) != question.ticked.end());
    column->addWidget(box);
    boxes.push_back(box);
  }
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  column->addWidget(buttons);
  const auto chosenOnes = [boxes] {
    std::vector<std::string> names;
    for (const QCheckBox* box : boxes)
      if (box->isChecked())
        names.push_back(box->text().toStdString());
    return names;
  };
  for (const QCheckBox* box : boxes)
    QObject::connect(box, &QCheckBox::toggled, dialog, [buttons, chosenOnes] {
      buttons->button(QDialogButtonBox::Ok)->setEnabled(!chosenOnes().empty());
    });
  QObject::connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  QObject::connect(dialog, &QDialog::accepted, dialog, [take, chosenOnes] { take(chosenOnes()); });
  dialog->open();
}

} // namespace hinesight::app
