#pragma once

#include "study/projection/population_choice.hpp"

#include <QWidget>

#include <array>
#include <memory>
#include <vector>

class QListWidget;
class QPushButton;

namespace hinesight::app {

/// The populations that projections join: name and size of each, with buttons to add, change and remove one. There are
/// always two or more.
class PopulationPanel : public QWidget
{
  Q_OBJECT

public:
  static constexpr std::size_t kFewest = 2;

  explicit PopulationPanel(QWidget* parent = nullptr);

  const std::vector<study::PopulationChoice>& populations() const { return all; }
  void setPopulations(std::vector<study::PopulationChoice> populations);
  /// Where the somata of the open neurons are: x, y and z. Populations of somata have these from now on.
  void setSomata(std::array<std::vector<double>, 3> positions);
  /// The place of a population, which is appended where it is not there yet.
  int placeOf(const study::PopulationChoice& population);

signals:
  void changed();                                                  ///< by a person
  void renamed(const std::string& before, const std::string& now); ///< by a person, before `changed`
  void somataChanged();                                            ///< of a population that is there

private:
  std::shared_ptr<const projection::Population> somataNamed(const std::string& name) const;
  void ask(int row); ///< for a new one: -1
  void take(int row, const study::PopulationChoice& choice);
  void remove();
  void refresh();

  std::vector<study::PopulationChoice> all;
  std::array<std::vector<double>, 3> somata;
  QListWidget* list;
  QPushButton* editButton;
  QPushButton* removeButton;
};

} // namespace hinesight::app
