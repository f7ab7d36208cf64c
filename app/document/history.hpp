#pragma once

#include "app/document/aside.hpp"
#include "model/project.hpp"

#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoStack>

#include <functional>
#include <memory>

namespace hinesight::app {

/// The steps of a person's work, which can be undone and done again. A step is the project before and after it: whoever
/// changes something of the window knows nothing of steps, and says only that something may have changed.
class History : public QObject
{
  Q_OBJECT

public:
  struct Window
  {
    std::function<model::Project()> project;                       ///< as it is now
    std::function<Aside()> aside;                                  ///< the same
    std::function<void(const model::Project&, const Aside&)> show; ///< makes the window have them
  };

  explicit History(Window window, QObject* parent = nullptr);
  ~History() override;

  QUndoStack& stack() { return steps; }
  /// As of the newest step.
  const model::Project& project() const { return current->project; }
  /// Something may have changed: a step is made of it as soon as all who are told of the change have heard of it.
  void takeSoon() { timer.start(); }
  /// At once, under this name; empty: of what changed.
  void take(const QString& name = {});
  /// What the window has now is where its history begins.
  void begin();
  /// What makes no step here is another one now.
  void takeAside() { current->aside = window.aside(); }
  /// Two changes of the same parameters within this time are one step. ms
  void setMergeTime(int milliseconds) { mergeTime = milliseconds; }

signals:
  /// A step was made, undone or done again.
  void changed();

private:
  class Step;
  struct Content
  {
    model::Project project;
    Aside aside;
  };
  using State = std::shared_ptr<Content>;

  State now() const;

  void show(const State& state);

  Window window;
  QUndoStack steps;
  QTimer timer;
  State current;
  bool isShowing = false;
  int mergeTime = 500;
};

} // namespace hinesight::app
