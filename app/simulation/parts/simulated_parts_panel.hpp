#pragma once

#include "model/project.hpp"

#include <QWidget>

#include <cstddef>
#include <memory>
#include <optional>

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
  PartDialog* makeDialog(const std::shared_ptr<Draft>& draft, Entry entry, bool isNew);

  model::Project shown;
  QTreeWidget* tree;
  QPushButton* addButton;
  QPushButton* editButton;
  QPushButton* removeButton;
};

} // namespace hinesight::app
