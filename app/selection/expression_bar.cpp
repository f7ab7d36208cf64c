#include "app/selection/expression_bar.hpp"

#include "app/selection/branch_selection.hpp"
#include "app/selection/expression_edit.hpp"
#include "app/selection/mistake_label.hpp"
#include "selection/named_selection.hpp"
#include "widgets/elided_label.hpp"

#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kLeastExpression = 160; // pixels
constexpr int kLeastSetName = 320;    // pixels, for the title of its dialog to be whole

} // namespace

ExpressionBar::ExpressionBar(BranchSelection* ofSets, SetBox::Filter lists, const Parts& parts, QWidget* parent)
    : QWidget(parent), where(new ExpressionEdit(this)), mistake(new MistakeLabel(where, this)),
      count(new widgets::ElidedLabel(this)), sets(new SetBox(ofSets, std::move(lists), this)), keeper(ofSets),
      done(new QToolButton(this))
{
  const auto describe = [](QWidget* widget, const Part& part) {
    widget->setObjectName(QLatin1String(part.name));
    if (!part.help.isEmpty())
      widget->setToolTip(part.help);
  };
  describe(where, parts.where);
  describe(count, parts.count);
  describe(mistake, parts.mistake);
  describe(sets, parts.sets);
  describe(done, parts.done);
  where->setClearButtonEnabled(true);
  where->setMinimumWidth(kLeastExpression);
  done->setText(QStringLiteral("✕"));
  done->setAutoRaise(true);
  setFocusProxy(where);
  hide();

  connect(where, &QLineEdit::textEdited, this, &ExpressionBar::takeText);
  connect(where, &QLineEdit::returnPressed, this, &ExpressionBar::takeText);
  connect(where, &QLineEdit::textChanged, this, [this](const QString& text) { // its button clears it
    if (text.isEmpty())
      mistake->forget();
  });
  connect(sets, &SetBox::refused, this, [this](const QString& expression) {
    where->replace(expression);
    takeText();
  });
  connect(done, &QToolButton::clicked, this, &ExpressionBar::close);
}

void ExpressionBar::layOut(std::initializer_list<QWidget*> before, std::initializer_list<QWidget*> after)
{
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  for (QWidget* widget : before)
    row->addWidget(widget);
  row->addWidget(where, 1);
  for (QWidget* widget : after)
    row->addWidget(widget);
  row->addWidget(sets);
  row->addWidget(done);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 5, 8, 5);
  column->setSpacing(2);
  column->addLayout(row);
  column->addWidget(count); // a line of its own: beside the field there is no room for it in a small window
  column->addWidget(mistake);
}

void ExpressionBar::open()
{
  isOpen = true;
  refreshVisible();
}

void ExpressionBar::openForText()
{
  open();
  where->remember();
  where->setFocus(Qt::ShortcutFocusReason);
  where->selectAll();
}

void ExpressionBar::refreshVisible()
{
  const bool isSeen = isOpen && isUseful();
  if (isSeen)
    refreshCount();
  setVisible(isSeen);
}

void ExpressionBar::close()
{
  reset();
  where->replace({});
  mistake->forget();
  isOpen = false;
  refreshVisible();
}

bool ExpressionBar::showExpression(const std::string& expression, bool isAnySelected)
{
  const bool ended = !std::exchange(shownExpression, expression).empty() && expression.empty();
  if (expression == where->text().toStdString() || (expression.empty() && !isAnySelected && !ended))
    return false;
  where->replace(QString::fromStdString(expression));
  mistake->forget();
  return true;
}

void ExpressionBar::followExpression(const std::string& expression)
{
  if (where->text().toStdString() == shownExpression)
    showExpression(expression, !expression.empty());
}

/// The bar stays open then: it lists the sets. Who gives a set the name of another one is told that it replaces that.
void ExpressionBar::askForName(const QString& title, const std::function<void(const QString&)>& keep)
{
  const auto isTaken = [this](const QString& name) {
    const auto& all = keeper->sets();
    return std::ranges::find(all, name.trimmed().toStdString(), &selection::NamedSelection::name) != all.end();
  };
  QString free;
  for (std::size_t number = keeper->sets().size() + 1; free.isEmpty() || isTaken(free); ++number)
    free = tr("set %1").arg(number);
  auto* dialog = new QInputDialog(this);
  dialog->setObjectName(QStringLiteral("setNameDialog"));
  dialog->setWindowTitle(title);
  dialog->setLabelText(tr("Name of the set"));
  dialog->setTextValue(free);
  dialog->findChild<QLineEdit*>()->setMinimumWidth(kLeastSetName);
  dialog->setOkButtonText(tr("Save"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QInputDialog::textValueChanged, dialog, [dialog, isTaken](const QString& name) {
    dialog->setOkButtonText(isTaken(name) ? tr("Replace") : tr("Save"));
  });
  connect(dialog, &QInputDialog::textValueSelected, this, [this, keep, isTaken](const QString& name) {
    keep(name.trimmed());
    open();
    if (isTaken(name))
      emit setKept(name.trimmed());
  });
  dialog->open();
}

} // namespace hinesight::app
