#pragma once

#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

namespace hinesight::app {

/// What a dialog asks a person.
struct FileQuestion
{
  QString name;           ///< of the dialog object
  QString title;          ///< of its window
  QString folderKey;      ///< of the setting that keeps the folder for the next time
  QStringList filters;    ///< "CSV table (*.csv)", ...
  QString proposal;       ///< name of a file to save, with the extension that a name without one gets
  QString filter = {};    ///< of `filters`: what is chosen until a person says otherwise; empty: the first
  QStringList stems = {}; ///< of names to propose, without extension, one for each filter; empty: of `proposal`
};

/// Where a dialog that opens begins: the folder that the setting keeps, else that of what was opened last, else the
/// working folder.
QString folderToBegin(const QString& key);
/// Where a dialog that saves begins: the folder that the setting keeps, else that of what was saved last, else as one
/// that opens.
QString folderToSave(const QString& key);
/// A file or folder that was opened otherwise than by these dialogs. Dialogs of that setting begin in its folder.
void rememberFolder(const QString& key, const QString& path);
/// One that was saved. Dialogs that save and have kept no folder yet begin there, too.
void rememberSaved(const QString& key, const QString& path);
/// One that was opened. Dialogs begin there that have kept no folder yet, and where nothing was saved, those that save.
void rememberOpened(const QString& path);

/// Asks which existing files to open, without waiting for the answer.
void askWhatToOpen(QWidget* parent, const FileQuestion& question, std::function<void(const QStringList& paths)> open);

/// The same of one folder.
void askWhichFolder(QWidget* parent, const FileQuestion& question, std::function<void(const QString& path)> open);

/// The same of a folder to write to, which need not be there.
void askWhichNewFolder(QWidget* parent, const FileQuestion& question, std::function<void(const QString& path)> save);

/// The same of one file, where the filter says as what.
void askWhichToOpen(QWidget* parent, const FileQuestion& question,
                    std::function<void(const QString& path, const QString& filter)> open);

/// Asks where to save a file, without waiting for the answer. The name gets the extension of the filter which is
/// chosen, unless a person typed one that no filter has; what was proposed gets its stem too.
void askWhereToSave(QWidget* parent, const FileQuestion& question, std::function<void(const QString& path)> save);

/// The same where the filter says what is saved: the one that is chosen, or where a person types the ending of another
/// one, that.
void askWhereToSaveAs(QWidget* parent, const FileQuestion& question,
                      std::function<void(const QString& path, const QString& filter)> save);

} // namespace hinesight::app
