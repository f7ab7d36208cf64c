#pragma once

#include "model/project.hpp"
#include "study/projection/population_choice.hpp"

#include <QColor>
#include <QWidget>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

class QListWidget;
class QPushButton;

namespace hinesight::app {

/// The populations of the circuit: name, size, role and colour of each, with buttons to add, change and remove one.
/// There are always two or more.
class PopulationPanel : public QWidget
{
  Q_OBJECT

public:
  static constexpr std::size_t kFewest = 2;

  explicit PopulationPanel(QWidget* parent = nullptr);

  /// Those of a window that nobody gave any.
  static std::vector<projection::PopulationParameters> populationsAtStart();

  const std::vector<study::PopulationChoice>& populations() const { return all; }
  void setPopulations(std::vector<study::PopulationChoice> populations);
  /// What the circuit knows of populations beside their neurons: role, colour, pool of cells. By their names, in place
  /// of all that was known; to be set before the populations.
  void setTraits(const std::vector<model::Population>& populations);
  /// Of the population of that name; as a new one has them where there is none.
  model::Population traitsOf(const std::string& name) const;
  /// The open cells by their names, of which pools are made.
  void setCells(const std::vector<model::Cell>& cells);
  /// A cell that is open, by its file, and where its soma is.
  struct Soma
  {
    std::string file;
    std::array<double, 3> position{};

    bool operator==(const Soma&) const = default;
  };
  /// Populations of somata have these from now on: those of their pool, or all where it is empty.
  void setSomata(std::vector<Soma> ofOpenCells);
  /// A population of a file has so many neurons, which is known once they are placed. Without a signal.
  void setCount(const study::PopulationChoice& population, std::uint64_t neurons);
  /// "120 in a sphere, inhibitory, cells of 2".
  QString describe(const study::PopulationChoice& population) const;
  /// Of its mark in lists and pictures: the one that is chosen, else one that no other population has.
  QColor colourOf(std::size_t place) const;
  /// Of the population of that name; not valid where there is none.
  QColor colourNamed(const std::string& name) const;
  /// Takes the place of the one of its name, if there is one.
  void replaceNamesake(const study::PopulationChoice& population);
  /// The place of a population, which is appended where it is not there yet.
  int placeOf(const study::PopulationChoice& population);

signals:
  void changed();                                                  ///< by a person
  void removed(const std::string& name);                           ///< by a person, before `changed`
  void traitsChanged();                                            ///< by a person, of neurons that stay what they are
  void renamed(const std::string& before, const std::string& now); ///< by a person, before `changed`
  void somataChanged();                                            ///< of a population that is there

protected:
  void changeEvent(QEvent* event) override;

private:
  /// Where the neurons of a population of somata are; null where no cell of its pool is open.
  std::shared_ptr<const projection::Population> somataOf(const std::string& name,
                                                         const model::Population& ofCircuit) const;
  /// Of the population of that name; not valid where none is chosen.
  QColor chosenColour(const std::string& name) const;
  void chooseColours();
  void refreshTexts();
  void placeSomata();
  projection::PopulationParameters placementOfNew() const;
  model::Population traitsOfNew() const;
  void ask(int row); ///< for a new one: -1
  void take(int row, const study::PopulationChoice& choice, const model::Population& ofCircuit);
  void remove();
  void refresh();

  std::vector<study::PopulationChoice> all;
  std::vector<QColor> colours;                                         ///< of all, in their order
  std::map<std::string, model::Population> traits;                     ///< by name
  std::map<std::pair<std::string, std::string>, std::uint64_t> counts; ///< of neurons, by file and nodes in it
  struct NamedCell
  {
    std::string name, file;

    bool operator==(const NamedCell&) const = default;
  };
  std::vector<NamedCell> cells; ///< that are open
  std::vector<Soma> somata;
  QListWidget* list;
  QPushButton* editButton;
  QPushButton* removeButton;
};

} // namespace hinesight::app
