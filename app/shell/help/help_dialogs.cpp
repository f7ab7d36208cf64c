#include "app/shell/help/help_dialogs.hpp"

#include <QCoreApplication>
#include <QIcon>
#include <QMainWindow>
#include <QMessageBox>

namespace hinesight::app {

namespace {

QString translated(const char* text)
{
  return QCoreApplication::translate("HelpDialogs", text);
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
