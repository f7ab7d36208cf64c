#include "app/shell/help_dialogs.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QIcon>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>

namespace hinesight::app {

namespace {

QString translated(const char* text)
{
  return QCoreApplication::translate("HelpDialogs", text);
}

QString shortcutRow(const QString& keys, const QString& meaning)
{
  return QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;&nbsp;</td><td>%2</td></tr>")
      .arg(keys.toHtmlEscaped(), meaning.toHtmlEscaped());
}

/// Empty where an action has no shortcut of one stroke.
QString shortcutRow(const QAction& action)
{
  QStringList keys;
  for (const QKeySequence& key : action.shortcuts())
    if (key.count() == 1)
      keys << key.toString(QKeySequence::NativeText);
  if (keys.isEmpty())
    return {};
  const QString name = action.text().remove(QLatin1Char('&')).remove(QStringLiteral("…"));
  return shortcutRow(keys.join(translated(" or ")), name + QStringLiteral(": ") + action.toolTip());
}

/// A box beside which the window can be used.
void showBox(QMainWindow* window, const char* name, const QString& title, const QString& text, const QPixmap& picture)
{
  auto* box = new QMessageBox(QMessageBox::NoIcon, title, text, QMessageBox::Close, window);
  box->setObjectName(QLatin1String(name));
  box->setIconPixmap(picture);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setModal(false);
  box->QDialog::show();
}

} // namespace

void showShortcuts(QMainWindow* window)
{
  QString html = QStringLiteral("<table cellspacing=0 cellpadding=3>");
  for (const QAction* menu : window->menuBar()->actions())
    for (const QAction* action : menu->menu()->actions())
      html += shortcutRow(*action);
  html += shortcutRow(translated("Ctrl+K, then letters"),
                      translated("Any other command: the underlined letter of its menu, then its own; menus say them"));
  html += shortcutRow(translated("Ctrl+A"), translated("Choose all cells of the list"));
  html += shortcutRow(translated("Enter"), translated("Fit to the chosen cell of the list"));
  html += shortcutRow(translated("Del"), translated("Close the chosen cells"));
  html += QStringLiteral("</table>");
  showBox(window, "shortcutsDialog", translated("Keyboard shortcuts"), html, {});
}

void showAbout(QMainWindow* window)
{
  const QString text =
      translated("<h3>Hinesight %1</h3><p>See how the equations of neurons are scheduled and solved.</p>"
                 "<p>BSD 3-Clause licence. Built with Qt %2 and VTK.</p>"
                 "<p>Hines 1984 (elimination), Huber 2018 (fine solver), Vooturi 2019 (compartments).</p>")
          .arg(QCoreApplication::applicationVersion(), QLatin1String(qVersion()));
  showBox(window, "aboutDialog", translated("About Hinesight"), text, window->windowIcon().pixmap(64, 64));
}

} // namespace hinesight::app
