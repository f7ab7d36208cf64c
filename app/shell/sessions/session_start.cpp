#include "app/shell/sessions/session_start.hpp"

#include "app/document/circuit_formation.hpp"
#include "app/document/document.hpp"
#include "app/document/session_controller.hpp"

#include <utility>

namespace hinesight::app {

SessionStart::SessionStart(Jobs* ofWindow, Document* ofPerson, QObject* parent)
    : QObject(parent), jobs(ofWindow), document(ofPerson)
{
  const auto dropOf = [this](const JobKind& kind) {
    if (kind == kSession || kind == kNeurons)
      dropChoices();
  };
  connect(jobs, &Jobs::failed, this, [this] { isStarting = keepsShown = false; });
  connect(jobs, &Jobs::failed, this, dropOf);
  connect(jobs, &Jobs::cancelled, this, dropOf);
  connect(jobs, &Jobs::delivered, this, [this](const JobKind& kind) {
    if (kind == kNeurons)
      applyChoices();
  });
}

void SessionStart::await(bool isStart, bool keepsPage, Choices ofPerson)
{
  isStarting = isStart;
  keepsShown = keepsPage;
  choices = std::move(ofPerson);
}

void SessionStart::cancel()
{
  await(false);
}

bool SessionStart::applyChoices()
{
  if (!choices)
    return false;
  const model::Project opened = document->project();
  model::Project wanted = opened;
  choices(wanted);
  // Neurons that are being placed bring what their connection said.
  if (!jobs->isActive(kNeurons))
    choices = {};
  if (wanted.solve != opened.solve)
    emit parametersWanted(wanted.solve);
  if (wanted != document->project())
    document->show(wanted, document->aside());
  return wanted != opened;
}

void SessionStart::finish()
{
  isStarting = keepsShown = false;
  emit finished();
}

} // namespace hinesight::app
