#include "app/shell/help/shortcuts_dialog.hpp"

#include "app/forms/help_text.hpp"
#include "app/shell/help/menu_commands.hpp"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace hinesight::app {

namespace {

constexpr QSize kSize{760, 520};
enum Column
{
  kKeys,
  kName,
  kMenu,
  kMeaning,
  kColumns
};

/// Empty where an action has no shortcut of one stroke.
QString keysOf(const QAction& action, const QString& between)
{
  QStringList keys;
  for (const QKeySequence& key : action.shortcuts())
    if (key.count() == 1)
      keys << key.toString(QKeySequence::NativeText);
  return keys.join(between);
}

} // namespace

void ShortcutsDialog::showFor(QMainWindow* window)
{
  auto* dialog = window->findChild<ShortcutsDialog*>(QString(), Qt::FindDirectChildrenOnly);
  if (!dialog)
    dialog = new ShortcutsDialog(window);
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

ShortcutsDialog::ShortcutsDialog(QMainWindow* window) : QDialog(window), text(new QLineEdit), list(new QTreeWidget)
{
  setObjectName(QStringLiteral("shortcutsDialog"));
  setWindowTitle(tr("Keyboard shortcuts"));
  describe(this, {windowTitle(), tr("Finds a key by its name, its command or what it does."), QStringLiteral("Keys")});
  setAttribute(Qt::WA_DeleteOnClose);
  text->setObjectName(QStringLiteral("shortcutsText"));
  text->setPlaceholderText(tr("Find a key or a command"));
  text->setToolTip(tr("Parts of a key's name, of a command or of what it does"));
  text->setClearButtonEnabled(true);
  list->setObjectName(QStringLiteral("shortcutsList"));
  list->setToolTip(tr("Keys of all menus and of the list of cells"));
  list->setHeaderLabels({tr("Keys"), tr("Command"), tr("Menu"), tr("What it does")});
  list->setRootIsDecorated(false);
  list->setUniformRowHeights(true);
  list->setAlternatingRowColors(true);
  list->setTextElideMode(Qt::ElideRight);
  const QString between = tr(" or ");
  for (const MenuCommand& command : menuCommands(*window))
    if (const QString keys = keysOf(*command.action, between); !keys.isEmpty())
      add(keys, commandName(*command.action), command.menu, command.action->toolTip());
  const QString cells = tr("List of cells");
  add(tr("Ctrl+A"), tr("Choose all cells"), cells, tr("Choose all cells of the list"));
  add(tr("Enter"), tr("Fit to the cell"), cells, tr("Fit to the chosen cell of the list"));
  add(tr("Del"), tr("Close the cells"), cells, tr("Close the chosen cells"));
  for (const int column : {kKeys, kName, kMenu})
    list->resizeColumnToContents(column);
  auto* others =
      new QLabel(tr("Ctrl+K, then letters: any other command, by the underlined letter of its menu, then its "
                    "own. The menus say them."));
  others->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  buttons->button(QDialogButtonBox::Close)->setAutoDefault(false); // Enter in the text closes nothing
  auto* column = new QVBoxLayout(this);
  for (QWidget* part : {static_cast<QWidget*>(text), static_cast<QWidget*>(list), static_cast<QWidget*>(others),
                        static_cast<QWidget*>(buttons)})
    column->addWidget(part);
  connect(text, &QLineEdit::textChanged, this, &ShortcutsDialog::refresh);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  resize(kSize.boundedTo(window->size()));
  text->setFocus();
}

void ShortcutsDialog::add(const QString& keys, const QString& name, const QString& menu, const QString& meaning)
{
  auto* item = new QTreeWidgetItem(list, {keys, name, menu, meaning});
  item->setToolTip(kMeaning, meaning);
}

void ShortcutsDialog::refresh()
{
  for (int k = 0; k < list->topLevelItemCount(); ++k) {
    QTreeWidgetItem* item = list->topLevelItem(k);
    QStringList texts;
    for (int column = 0; column < kColumns; ++column)
      texts << item->text(column);
    item->setHidden(!hasWords(texts.join(QLatin1Char(' ')), text->text()));
  }
}

} // namespace hinesight::app
