#include "app/files/file_dialogs.hpp"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QSettings>
#include <QStandardPaths>
#include <QTreeView>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <utility>

namespace hinesight::app {

namespace {

/// Of what was opened last.
const QString kOpened = QStringLiteral("openFolder");
const QString kSaved = QStringLiteral("saveFolder");

/// Of settings, the first that is there; else where the program was started, unless that is nowhere in particular, as
/// by a desktop.
QString firstFolder(std::initializer_list<QString> keys)
{
  const QSettings settings;
  for (const QString& key : keys)
    if (const QString folder = settings.value(key).toString(); !folder.isEmpty() && QFileInfo(folder).isDir())
      return folder;
  const QString here = QDir::currentPath();
  return QDir(here).isRoot() ? QStandardPaths::writableLocation(QStandardPaths::HomeLocation) : here;
}

/// What is typed counts, not what the list has chosen of the text before: a folder that a typed path passes through.
void heedTyping(const QFileDialog& dialog)
{
  const auto* line = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  auto* list = dialog.findChild<QListView*>(QStringLiteral("listView"));
  if (line && list) // which a dialog of the desktop has not
    QObject::connect(line, &QLineEdit::textChanged, list, [&dialog, line, list] {
      if (dialog.focusWidget() == line) // also while its completer has the keyboard
        list->clearSelection();
    });
}

/// Sizes and dates are seen whole, and names have the rest; a name ends with its type. A person can have the types in
/// the menu of the heads.
void arrangeColumns(const QFileDialog& dialog)
{
  enum Column
  {
    Name,
    Size,
    Type,
    Date
  };
  const auto* files = dialog.findChild<QTreeView*>(QStringLiteral("treeView"));
  if (!files) // which a dialog of the desktop has not
    return;
  QHeaderView* heads = files->header();
  heads->setSectionResizeMode(Name, QHeaderView::Stretch);
  for (const Column each : {Size, Date})
    heads->setSectionResizeMode(each, QHeaderView::ResizeToContents);
  heads->hideSection(Type);
  if (QAction* isTypeShown = heads->actions().value(Type - 1)) // the name is always shown
    isTypeShown->setChecked(false);
}

QFileDialog* makeDialog(QWidget* parent, const FileQuestion& question, const QString& folder)
{
  auto* dialog = new QFileDialog(parent, question.title, folder);
  dialog->setObjectName(question.name);
  dialog->setNameFilters(question.filters);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  heedTyping(*dialog);
  arrangeColumns(*dialog);
  if (auto* types = dialog->findChild<QComboBox*>(QStringLiteral("fileTypeCombo"))) {
    types->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    dialog->resize(dialog->size().expandedTo(dialog->sizeHint()));
  }
  return dialog;
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

QString stemOf(const QString& path)
{
  return QFileInfo(path).completeBaseName();
}

/// What a name becomes when a filter is chosen.
QString renamed(const QString& path, const QString& filter, const FileQuestion& question)
{
  const QString stem = stemOf(path);
  const qsizetype place = question.filters.indexOf(filter);
  return QFileInfo(path).dir().filePath((question.stems.contains(stem) ? question.stems.value(place) : stem) +
                                        QLatin1Char('.') + extensionOf(filter));
}

/// Whether a name that is shown is what Qt made of one that was typed, whose extension no filter has.
bool hasForeignExtension(const QString& typed, const QString& shown, const QStringList& filters)
{
  const QString extension = QFileInfo(typed).suffix();
  const auto isOf = [&extension](const QString& filter) {
    return extensionOf(filter).compare(extension, Qt::CaseInsensitive) == 0;
  };
  return !extension.isEmpty() && stemOf(typed) == stemOf(shown) && std::ranges::none_of(filters, isOf);
}

/// Takes the name of a folder, also of one that is not there yet. Asks before it takes one that holds something.
class NewFolderDialog : public QFileDialog
{
public:
  using QFileDialog::QFileDialog;

protected:
  void accept() override
  {
    // What the line says counts, not what the list kept chosen: a folder whose name is the beginning of a typed one.
    if (auto* list = findChild<QListView*>(QStringLiteral("listView")))
      list->clearSelection();
    const QString path = selectedFiles().value(0);
    if (path.isEmpty() || (holdsSomething(path) && !mayReplaceIn(path)))
      return;
    emit fileSelected(path);
    QDialog::accept();
  }

private:
  static bool holdsSomething(const QString& path) { return QFileInfo(path).isDir() && !QDir(path).isEmpty(); }

  bool mayReplaceIn(const QString& path)
  {
    return QMessageBox::question(this, windowTitle(),
                                 tr("The folder %1 holds something already. Files of the same names are replaced.\n"
                                    "Write into it?")
                                     .arg(QDir(path).dirName()),
                                 QMessageBox::Yes | QMessageBox::No, QMessageBox::No) == QMessageBox::Yes;
  }
};

} // namespace

QString folderToBegin(const QString& key)
{
  return firstFolder({key, kOpened});
}

QString folderToSave(const QString& key)
{
  return firstFolder({key, kSaved, kOpened});
}

void rememberFolder(const QString& key, const QString& path)
{
  const QFileInfo file(path);
  QSettings().setValue(key, file.isDir() ? file.absoluteFilePath() : file.absolutePath());
}

void rememberSaved(const QString& key, const QString& path)
{
  rememberFolder(key, path);
  rememberFolder(kSaved, path);
}

void rememberOpened(const QString& path)
{
  rememberFolder(kOpened, path);
}

void askWhatToOpen(QWidget* parent, const FileQuestion& question, std::function<void(const QStringList&)> open)
{
  QFileDialog* dialog = makeDialog(parent, question, folderToBegin(question.folderKey));
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
  QFileDialog* dialog = makeDialog(parent, question, folderToBegin(question.folderKey));
  dialog->setFileMode(QFileDialog::Directory);
  QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                   [key = question.folderKey, open = std::move(open)](const QString& path) {
                     rememberFolder(key, path);
                     open(path);
                   });
  dialog->open();
}

void askWhichNewFolder(QWidget* parent, const FileQuestion& question, std::function<void(const QString&)> save)
{
  auto* dialog = new NewFolderDialog(parent, question.title, folderToSave(question.folderKey));
  dialog->setObjectName(question.name);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  arrangeColumns(*dialog);
  dialog->setLabelText(QFileDialog::FileName, QFileDialog::tr("Folder:"));
  dialog->selectFile(question.proposal);
  QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                   [key = question.folderKey, save = std::move(save)](const QString& path) {
                     rememberSaved(key, QFileInfo(path).absolutePath()); // the next one stands beside it
                     save(path);
                   });
  dialog->open();
}

void askWhichToOpen(QWidget* parent, const FileQuestion& question,
                    std::function<void(const QString&, const QString&)> open)
{
  QFileDialog* dialog = makeDialog(parent, question, folderToBegin(question.folderKey));
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
  QFileDialog* dialog = makeDialog(parent, question, folderToSave(question.folderKey));
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QFileInfo(question.proposal).suffix());
  if (!question.filter.isEmpty())
    dialog->selectNameFilter(question.filter);
  dialog->selectFile(question.proposal);
  const auto typed = std::make_shared<QString>(); // by a person
  const auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  if (name) // which a dialog of the desktop has not
    QObject::connect(name, &QLineEdit::textEdited, dialog, [typed](const QString& text) { *typed = text; });
  QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, question, typed](const QString& filter) {
    const QString shown = dialog->selectedFiles().value(0);
    dialog->setDefaultSuffix(extensionOf(filter));
    if (hasForeignExtension(*typed, shown, question.filters))
      dialog->selectFile(*typed);
    else if (!shown.isEmpty() && !extensionOf(filter).isEmpty())
      dialog->selectFile(renamed(shown, filter, question));
  });
  QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                   [dialog, key = question.folderKey, save = std::move(save)](const QString& path) {
                     rememberSaved(key, path);
                     save(path, filterOf(path, *dialog));
                   });
  dialog->open();
}

} // namespace hinesight::app
