#pragma once

#include "model/project.hpp"

#include <QWidget>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

class QPushButton;
class QTreeWidget;

namespace hinesight::app {

class PartDialog;

/// What the circuit is when it is simulated: by which model each population works, where the synapses of each
/// connection are, the models, the stimuli, what is recorded, and for how long.
class SimulatedPartsPanel : public QWidget
{
  Q_OBJECT

public:
  explicit SimulatedPartsPanel(QWidget* parent = nullptr);

  void setProject(const model::Project& project);
  /// Asks for a new model of neurons.
  void addModel();

signals:
  /// By a person: the circuit is to be this.
  void edited(const hinesight::model::Project& project);

private:
  enum class Kind
  {
    Population,
    Connection,
    Model,
    Stimulus,
    Probe,
    Run
  };
  struct Entry
  {
    Kind kind;
    std::size_t place; ///< among those of its kind
  };

  void refresh();
  void refreshButtons();
  std::optional<Entry> current() const;
  void add(Kind kind);
  void edit();
  void remove();
  /// A copy of the project whose part is edited.
  struct Draft;
  void ask(const std::shared_ptr<Draft>& draft, Entry entry, bool isNew);
  void askForModel(QWidget* before, const std::shared_ptr<Draft>& draft, std::size_t population,
                   const std::function<void(const std::string&)>& made);
  PartDialog* makeDialog(const std::shared_ptr<Draft>& draft, Entry entry, bool isNew, QWidget* parent);

  model::Project shown;
  QTreeWidget* tree;
  QPushButton* addButton;
  QPushButton* editButton;
  QPushButton* removeButton;
};

} // namespace hinesight::app
