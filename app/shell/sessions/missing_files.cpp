#include "app/shell/sessions/missing_files.hpp"

#include "app/files/file_dialogs.hpp"
#include "app/shell/bars/question_bar.hpp"

#include <QDir>

namespace hinesight::app {

MissingFiles::MissingFiles(QWidget* ofThat)
    : QObject(ofThat), window(ofThat), asked(new QuestionBar(QStringLiteral("missing"), ofThat))
{
  connect(asked, &QuestionBar::agreed, this, &MissingFiles::askWhichFolder);
  connect(asked, &QuestionBar::declined, this, [this] { ask({}); });
}

void MissingFiles::ask(const QStringList& files)
{
  missing = files;
  if (files.isEmpty())
    return asked->ask({});
  const QString first = QDir::toNativeSeparators(files.front());
  asked->ask({files.size() == 1 ? tr("%1 is not there.").arg(first)
                                : tr("%1 files of the session are not there, %2 first.").arg(files.size()).arg(first),
              tr("Locate…"), tr("Choose a folder to look for them by their names; undo takes it back"),
              tr("Leave them"), tr("Work without them; the session keeps their names")});
}

void MissingFiles::askWhichFolder()
{
  app::askWhichFolder(window,
                      {QStringLiteral("locateDialog"),
                       tr("Look for the missing files in this folder and in the folders in it"),
                       QStringLiteral("openFolder"),
                       {},
                       {}},
                      [this](const QString& path) { emit folderChosen(path); });
  ask(missing); // until they are found
}

} // namespace hinesight::app
