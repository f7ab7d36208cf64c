#pragma once

#include "projection/population.hpp"

#include <QDialog>
#include <QWidget>

#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QSpinBox;

namespace hinesight::app {

/// Asks for a population: a grid, random positions in a box or a sphere, or a file. Only the fields of the chosen kind
/// are shown. "OK" stays greyed while the parameters are wrong, and a line says what is.
class PopulationDialog : public QDialog
{
  Q_OBJECT

public:
  PopulationDialog(const projection::PopulationParameters& parameters, QWidget* parent);

  projection::PopulationParameters parameters() const;

private:
  void addFields(QFormLayout& form, const projection::PopulationParameters& shown);
  void refresh();
  void askForFile();

  /// A row of the form with the kinds that need it, as bits 1 << kind.
  struct Field
  {
    QWidget* editor;
    unsigned kinds;
  };

  std::vector<Field> fields;
  QFormLayout* form = nullptr;
  QLineEdit* name = nullptr;
  QComboBox* kind = nullptr;
  std::array<QSpinBox*, 3> size{};
  std::array<QDoubleSpinBox*, 3> spacing{};
  std::array<QDoubleSpinBox*, 3> origin{};
  std::array<QDoubleSpinBox*, 3> extent{};
  QSpinBox* count = nullptr;
  QDoubleSpinBox* radius = nullptr;
  QSpinBox* seed = nullptr;
  QLineEdit* file = nullptr;
  QLabel* problem = nullptr;
  QPushButton* accept = nullptr;
};

/// The populations that projections join: name and size of each, with buttons to add, change and remove one. There are
/// always two or more.
class PopulationPanel : public QWidget
{
  Q_OBJECT

public:
  explicit PopulationPanel(QWidget* parent = nullptr);

  const std::vector<projection::PopulationParameters>& populations() const { return all; }
  void setPopulations(std::vector<projection::PopulationParameters> populations);

signals:
  void changed(); ///< by a person

private:
  void ask(int row); ///< for a new one: -1
  void take(int row, const projection::PopulationParameters& parameters);
  void remove();
  void refresh();

  std::vector<projection::PopulationParameters> all;
  QListWidget* list;
  QPushButton* editButton;
  QPushButton* removeButton;
};

/// "150 x 150 grid", "10,000 in a box", "somata.csv".
QString describePopulation(const projection::PopulationParameters& parameters);

} // namespace hinesight::app
