#include "app/files/file_dialogs.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

QFileDialog* makeDialog(QWidget* parent, const FileQuestion& question)
{
  const QString home = QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
  auto* dialog = new QFileDialog(parent, question.title, QSettings().value(question.folderKey, home).toString());
  dialog->setObjectName(question.name);
  dialog->setNameFilters(question.filters);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  return dialog;
}

void rememberFolder(const QString& key, const QString& path)
{
  QSettings().setValue(key, QFileInfo(path).absolutePath());
}

/// "csv" of "CSV table (*.csv)".
QString extensionOf(const QString& filter)
{
  return filter.section(QStringLiteral("*."), 1).section(QLatin1Char(')'), 0, 0);
}

/// The filter whose ending the name has: the chosen one, else the first. Nobody who writes "charts.svg" wants a table
/// in it.
QString filterOf(const QString& path, const QFileDialog& dialog)
{
  const auto fits = [&](const QString& filter) {
    return path.endsWith(QLatin1Char('.') + extensionOf(filter), Qt::CaseInsensitive);
  };
  const QStringList filters = dialog.nameFilters();
  const QString chosen = dialog.selectedNameFilter();
  const auto found = std::find_if(filters.begin(), filters.end(), fits);
  return fits(chosen) || found == filters.end() ? chosen : *found;
}

} // namespace

void askWhatToOpen(QWidget* parent, const FileQuestion& question, std::function<void(const QStringList&)> open)
{
  QFileDialog* dialog = makeDialog(parent, question);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  QObject::connect(dialog, &QFileDialog::filesSelected, parent,
                   [key = question.folderKey, open = std::move(open)](const QStringList& paths) {
                     rememberFolder(key, paths.front());
                     open(paths);
                   });
  dialog->open();
}

void askWhichFolder(QWidget* parent, const FileQuestion& question, std::function<void(const QString&)> open)
{
  QFileDialog* dialog = makeDialog(parent, question);
  dialog->setFileMode(QFileDialog::Directory);
  QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                   [key = question.folderKey, open = std::move(open)](const QString& path) {
                     rememberFolder(key, path);
                     open(path);
                   });
  dialog->open();
}

void askWhichToOpen(QWidget* parent, const FileQuestion& question,
                    std::function<void(const QString&, const QString&)> open)
{
  QFileDialog* dialog = makeDialog(parent, question);
  dialog->setFileMode(QFileDialog::ExistingFile);
  QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                   [dialog, key = question.folderKey, open = std::move(open)](const QString& path) {
                     rememberFolder(key, path);
                     open(path, dialog->selectedNameFilter());
                   });
  dialog->open();
}

void askWhereToSave(QWidget* parent, const FileQuestion& question, std::function<void(const QString&)> save)
{
  askWhereToSaveAs(parent, question, [save = std::move(save)](const QString& path, const QString&) { save(path); });
}

void askWhereToSaveAs(QWidget* parent, const FileQuestion& question,
                      std::function<void(const QString&, const QString&)> save)
{
  QFileDialog* dialog = makeDialog(parent, question);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QFileInfo(question.proposal).suffix());
  if (!question.filter.isEmpty())
    dialog->selectNameFilter(question.filter);
  dialog->selectFile(question.proposal);
  QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
    const QString extension = extensionOf(filter);
    dialog->setDefaultSuffix(extension);
    const QStringList typed = dialog->selectedFiles();
    if (!typed.isEmpty() && !extension.isEmpty())
      dialog->selectFile(QFileInfo(typed.front()).completeBaseName() + QLatin1Char('.') + extension);
  });
  QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                   [dialog, key = question.folderKey, save = std::move(save)](const QString& path) {
                     rememberFolder(key, path);
                     save(path, filterOf(path, *dialog));
                   });
  dialog->open();
}

} // namespace hinesight::app
