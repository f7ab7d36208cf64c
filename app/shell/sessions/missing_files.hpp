#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

namespace hinesight::app {

class QuestionBar;

/// Asks where files are that a session names and that are not there. Nothing else waits for the answer.
class MissingFiles : public QObject
{
  Q_OBJECT

public:
  explicit MissingFiles(QWidget* window);

  QuestionBar* bar() const { return asked; }
  /// None: nothing is asked.
  void ask(const QStringList& files);

signals:
  /// By a person: they may be in this one.
  void folderChosen(const QString& path);

private:
  void askWhichFolder();

  QWidget* window;
  QuestionBar* asked;
  QStringList missing;
};

} // namespace hinesight::app
