#pragma once

#include "app/jobs/jobs.hpp"
#include "study/cells/parameters.hpp"

#include <QObject>

#include <functional>

namespace hinesight::model {
struct Project;
}

namespace hinesight::app {

class Document;

/// What the window is started with: it is where the history begins, and what counts over what a session says.
class SessionStart : public QObject
{
  Q_OBJECT

public:
  using Choices = std::function<void(model::Project& session)>;

  SessionStart(Jobs* jobs, Document* document, QObject* parent);

  /// What is opened next is what the window starts with, where `isStart`. `keepsPage`: the page that is shown stays,
  /// whatever page a session was saved on. `choices`: made in the session as soon as it is open.
  void await(bool isStart, bool keepsPage = false, Choices choices = {});
  /// The same of what is no session.
  void awaitNext(bool isStart) { isStarting = isStart; }
  /// It will not come.
  void cancel();
  bool isAwaited() const { return isStarting; }
  bool keepsPage() const { return keepsShown; }
  /// Whether what was chosen for the session that is open now is other than what it says. Neurons that are still
  /// being placed take what was chosen for them later.
  bool applyChoices();
  /// The next session that is opened is another one.
  void dropChoices() { choices = {}; }
  /// It is open.
  void finish();

signals:
  void parametersWanted(const hinesight::study::CellParameters& parameters);
  /// The history is to begin with what is open.
  void finished();

private:
  Jobs* jobs;
  Document* document;
  bool isStarting = false;
  bool keepsShown = false;
  Choices choices;
};

} // namespace hinesight::app
