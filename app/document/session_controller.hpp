#pragma once

#include "app/document/document_parts.hpp"
#include "app/document/seen_session.hpp"
#include "app/jobs/jobs.hpp"
#include "io/runs/run_record.hpp"
#include "model/project.hpp"
#include "model/session_view.hpp"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <string>
#include <vector>

namespace hinesight::model {
struct ReadSession;
}

namespace hinesight::app {

class Document;

inline constexpr JobKind kSession{.name = "Session", .stage = "session"};
inline constexpr JobKind kSessionCopy{.name = "Copy of the session", .stage = "session"};

/// Joins the document with session files, and with what a person sees of it.
class SessionController : public QObject
{
  Q_OBJECT

public:
  /// `page`: the name of the page that is shown.
  SessionController(const DocumentParts& parts, Document* document, std::function<std::string()> page, QObject* parent);

  /// What a person sees of the document.
  SeenSession seen() const;
  /// The same, whole.
  model::SessionView view() const { return seen().whole(); }
  /// What a window that never ended had open, with the file that it was saved to.
  void restore(const model::Project& project, const model::SessionView& view, const io::SharedRuns& runs);
  /// Of the session file that was opened or saved last; empty: none.
  const QString& path() const { return file; }
  /// Shows a session in place of all that is open, and then opens more cells.
  void open(const QString& path, const std::vector<std::string>& moreCells = {});
  /// The same of what a closed window had open, with the file that it was saved to, if any.
  void openKept(const QString& path);
  void save(const QString& path);
  /// Makes the text of a session of all that is open (`copied`), with whole paths of files: it can be saved anywhere.
  void copy();
  /// Shows a circuit of a SONATA configuration in the same way; it has no file of its own yet.
  void importCircuit(const QString& configuration);
  /// Looks for the files that are missing in a folder and in the folders in it, and opens those that are found.
  void locate(const QString& folder);

signals:
  void warned(const QString& sentence);
  /// These files of what was opened are not there; none: all are.
  void filesMissing(const QStringList& files);
  /// The end of a job, in words.
  void told(const QString& result);
  /// Another session or circuit is about to take the place of all that is open.
  void opening();
  /// The page that a session was saved on, by its name.
  void pageNamed(const std::string& page);
  /// A session was opened: `step` says so, as a step of a person's work.
  void opened(const QString& step);
  /// That was by `openKept`.
  void openedKept(const QString& path);
  void saved(const QString& path);
  void copied(const QString& session);

private:
  void read(const QString& path, bool isKept, const std::vector<std::string>& moreCells);
  void take(const QString& name, const model::ReadSession& session, const NeuronSet& hidden,
            const std::vector<std::string>& moreCells);
  void showSeen(const model::Project& project, const model::SessionView& view);
  void beginAnew(const NeuronSet& hidden);
  void sayWhatIsMissing(const std::vector<std::string>& files);

  DocumentParts parts;
  Document* document;
  std::function<std::string()> page;
  QString file;
};

} // namespace hinesight::app
