#pragma once

#include "model/project.hpp"
#include "study/projection/population_choice.hpp"
#include "widgets/background_work.hpp"

#include <QColor>
#include <QDialog>
#include <QStringList>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace hinesight::app {

class NumberSpinBox;

/// Asks for a population. At the left, where its neurons are: a grid, random positions in a box or a sphere, a file, or
/// the somata of the open neurons. At the right, what they are: role, colour, the pool of cells and how these are
/// turned. Only the fields of the chosen kind are shown. "OK" stays greyed while the parameters are wrong, and a line
/// says what is.
class PopulationDialog : public QDialog
{
  Q_OBJECT

public:
  /// `traits`: what the circuit knows of it beside its neurons. `cells`: names of the open cells. `somata`: those of
  /// these; null where none is open.
  PopulationDialog(const study::PopulationChoice& shown, const model::Population& traits,
                   std::vector<std::string> cells, std::shared_ptr<const projection::Population> somata,
                   QWidget* parent);

  /// A population beside this one.
  struct Other
  {
    std::string name; ///< that this one cannot have
    QColor colour;    ///< that is not offered
    bool isColourChosen;
  };
  void setOthers(std::vector<Other> populations);

  study::PopulationChoice choice() const;
  /// The whole of it as the circuit has it.
  model::Population population() const;

private:
  void addPlace();
  void addTraits();
  void addKind();
  void addFile();
  void addColour();
  void offerColours();
  void addPool();
  void addRow(std::string_view field, QWidget* editor);
  void addNumber(std::string_view field);
  void addTriple(std::string_view field);
  void addSwitch(std::string_view field);
  void addChoice(std::string_view parameter);
  NumberSpinBox* makeNumber(std::string_view parameter, const QString& axis, std::size_t item);
  std::vector<std::string> pool() const;
  /// Which other populations have the chosen colour by choice; empty: none.
  QString sharedColourNow() const;
  /// What is wrong; empty: nothing.
  QString problemNow();
  void refresh();
  void refreshNodes();
  void takeNodes(const QStringList& names, const QString& whatIsWrong);
  void askForFile();
  void askForColour();

  /// A row of the form with the parameter that it belongs to.
  struct Row
  {
    QWidget* editor;
    std::string_view field;
    QFormLayout* form;
  };

  /// A number of a parameter: itself, or of a series item `item`.
  struct Number
  {
    NumberSpinBox* editor;
    std::string_view field;
    std::size_t item;
    double shown; ///< at first
  };

  /// A parameter that is on or off.
  struct Switch
  {
    QCheckBox* editor;
    std::string_view field;
  };

  /// A parameter that is one of a few.
  struct OneOfFew
  {
    QComboBox* editor;
    std::string_view field;
  };

  study::PopulationChoice before;     ///< that was to be changed
  model::Population traits;           ///< the same as the circuit has it
  std::vector<std::string> cellNames; ///< of the open cells
  std::vector<Other> others;
  std::shared_ptr<const projection::Population> openSomata;
  std::vector<Row> rows;
  QFormLayout* form = nullptr; ///< that rows are added to
  QLineEdit* name = nullptr;
  QComboBox* kind = nullptr;
  std::vector<Number> numbers;
  std::vector<Switch> switches;
  std::vector<OneOfFew> choices;
  QComboBox* colour = nullptr;
  QLabel* sharedColour = nullptr; ///< below it
  QListWidget* cells = nullptr;
  QLineEdit* file = nullptr;
  QComboBox* nodes = nullptr;      ///< populations of a SONATA file
  QString nodesOf;                 ///< the file that `nodes` are of
  widgets::BackgroundWork reading; ///< them
  QString nodesProblem;            ///< why it has none
  QLabel* note = nullptr;
  QLabel* problem = nullptr;
  QPushButton* accept = nullptr;
};

} // namespace hinesight::app
