#include "app/document/history.hpp"

#include "model/project_changes.hpp"

#include <QElapsedTimer>
#include <QUndoCommand>

#include <algorithm>
#include <utility>
#include <vector>

namespace hinesight::app {

namespace {

constexpr int kMostSteps = 200;
constexpr int kStepId = 1;

} // namespace

class History::Step : public QUndoCommand
{
public:
  Step(History* ofHistory, State before, State after, const QString& name)
      : QUndoCommand(name), history(ofHistory), from(std::move(before)), to(std::move(after)),
        drag(std::exchange(ofHistory->dragOfStep, 0)), isNamed(!name.isEmpty())
  {
    describe();
    age.start();
  }

  int id() const override { return kStepId; }
  void undo() override { history->go(to, from); }
  /// The first time the window has it already.
  void redo() override
  {
    if (std::exchange(isDone, true))
      history->go(from, to);
  }
  /// A slider that is dragged, a number that is typed digit by digit.
  bool mergeWith(const QUndoCommand* other) override
  {
    const auto* next = static_cast<const Step*>(other);
    // Members that come and go are steps of their own.
    const auto isOfField = [](const std::string& path) { return path.find('.') != std::string::npos; };
    if (isNamed || next->isNamed || paths != next->paths || !std::ranges::all_of(paths, isOfField))
      return false;
    const bool isSameDrag = drag != 0 && drag == next->drag;
    if (!isSameDrag && age.elapsed() - next->age.elapsed() >= history->mergeTime)
      return false;
    to = next->to;
    age = next->age;
    drag = next->drag;
    describe();
    setObsolete(from->project == to->project);
    return true;
  }

  void amend(const std::function<void(model::Project&)>& states) const
  {
    states(from->project);
    states(to->project);
  }

private:
  void describe()
  {
    const std::vector<model::Change> changes = model::changesBetween(from->project, to->project);
    paths.clear();
    for (const model::Change& change : changes)
      paths.push_back(change.path);
    if (!isNamed)
      setText(QString::fromStdString(model::summarize(changes)));
  }

  History* history;
  State from;
  State to;
  std::vector<std::string> paths; ///< of what it changed
  QElapsedTimer age;
  std::uint64_t drag; ///< under which it was made; 0: none
  bool isNamed;
  bool isDone = false;
};

History::History(Window ofWindow, QObject* parent) : QObject(parent), window(std::move(ofWindow))
{
  steps.setUndoLimit(kMostSteps);
  timer.setSingleShot(true);
  timer.setInterval(0);
  connect(&timer, &QTimer::timeout, this, [this] { take(); });
  connect(&steps, &QUndoStack::indexChanged, this, &History::arrive);
  begin();
}

/// The window goes too: nobody is to be told that its steps are forgotten.
History::~History()
{
  steps.blockSignals(true);
}

History::State History::now() const
{
  return std::make_shared<Content>(Content{window.project(), window.aside(), window.selected()});
}

void History::begin()
{
  timer.stop();
  steps.clear();
  current = now();
}

/// Of changes that make one step the first says what was dragged.
void History::takeSoon()
{
  if (!timer.isActive())
    dragOfStep = window.drag();
  timer.start();
}

void History::take(const QString& name)
{
  if (isShowing)
    return;
  timer.stop();
  const State after = now();
  const bool isOtherDocument = after->aside.runs != current->aside.runs;
  if (after->project == current->project && !isOtherDocument) {
    current->selected = after->selected;
    return;
  }
  push(after, name);
  emit changed();
}

void History::takeHidden(const QString& name)
{
  if (!isShowing)
    push(now(), name);
}

void History::takeAside()
{
  if (!isShowing)
    current->aside = window.aside();
}

void History::takeSelected()
{
  if (!isShowing && !timer.isActive())
    current->selected = window.selected();
}

void History::amend(const std::function<void(model::Project&)>& states)
{
  states(current->project);
  for (int k = 0; k < steps.count(); ++k)
    static_cast<const Step*>(steps.command(k))->amend(states);
}

void History::push(const State& after, const QString& name)
{
  const State before = std::exchange(current, after);
  steps.push(new Step(this, before, after, name));
}

/// A person may jump over many steps: the window shows where they lead, once.
void History::go(const State& left, const State& wanted)
{
  if (!leaves)
    leaves = left;
  arrives = wanted;
}

/// What the window makes of it counts: it may not have all of it.
void History::arrive()
{
  const State left = std::exchange(leaves, nullptr);
  const State wanted = std::exchange(arrives, nullptr);
  if (!left)
    return; // a step was made
  left->selected = window.selected();
  isShowing = true;
  window.show(wanted->project, wanted->aside, wanted->selected);
  isShowing = false;
  timer.stop();
  current = now();
  emit changed();
}

} // namespace hinesight::app
