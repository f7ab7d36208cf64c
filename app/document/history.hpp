#pragma once

#include "app/document/aside.hpp"
#include "model/project.hpp"

#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoStack>

#include <cstdint>
#include <functional>
#include <memory>

namespace hinesight::app {

/// The steps of a person's work, which can be undone and done again. A step is the project before and after it: whoever
/// changes something of the window knows nothing of steps, and says only that something may have changed. To select is
/// no step. Each state has what was selected when it was left, by a new step, by undoing or by doing again: that is
/// selected again when a step leads back to it.
class History : public QObject
{
  Q_OBJECT

public:
  struct Window
  {
    std::function<model::Project()> project; ///< as it is now
    std::function<Aside()> aside;            ///< the same
    std::function<Selected()> selected;      ///< the same
    /// The drag of a value that goes on (widgets::ValueDrag); 0: none does.
    std::function<std::uint64_t()> drag;
    /// Makes the window have them.
    std::function<void(const model::Project&, const Aside&, const Selected&)> show;
  };

  explicit History(Window window, QObject* parent = nullptr);
  ~History() override;

  QUndoStack& stack() { return steps; }
  /// As of the newest step.
  const model::Project& project() const { return current->project; }
  /// Something changes, or may have changed: a step is made of it as soon as all who are told of it have heard of it.
  void takeSoon();
  /// At once, under this name; empty: of what changed. Another document is a step too, where its project is the same.
  void take(const QString& name = {});
  /// What the window has now is where its history begins.
  void begin();
  /// What is hidden is other than before: a step, though the project is the same.
  void takeHidden(const QString& name);
  /// What makes no step here is another one now.
  void takeAside();
  /// The same of what is selected. What a change makes of the selection belongs to its step.
  void takeSelected();
  /// Something that nobody did is so in all states: no step.
  void amend(const std::function<void(model::Project&)>& states);
  /// Two changes of the same parameters within this time, or under the same drag, are one step. ms
  void setMergeTime(int milliseconds) { mergeTime = milliseconds; }

signals:
  /// A step of the project was made, or a step was undone or done again.
  void changed();

private:
  class Step;
  struct Content
  {
    model::Project project;
    Aside aside;
    Selected selected;
  };
  using State = std::shared_ptr<Content>;

  State now() const;

  void push(const State& after, const QString& name);
  void go(const State& left, const State& wanted);
  void arrive();

  Window window;
  QUndoStack steps;
  QTimer timer;
  State current;
  State leaves;  ///< the state that undoing or doing again began in; null: neither is under way
  State arrives; ///< the one that it leads to, as far as it is done
  bool isShowing = false;
  int mergeTime = 500;
  std::uint64_t dragOfStep = 0; ///< under which it was changed; 0: none
};

} // namespace hinesight::app
