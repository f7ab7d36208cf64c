#pragma once

#include "study/projection/population_choice.hpp"
#include "widgets/background_work.hpp"

#include <QDialog>
#include <QStringList>

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace hinesight::app {

class NumberSpinBox;

/// Asks for a population: a grid, random positions in a box or a sphere, a file, or the somata of the open neurons.
/// Only the fields of the chosen kind are shown. "OK" stays greyed while the parameters are wrong, and a line says what
/// is.
class PopulationDialog : public QDialog
{
  Q_OBJECT

public:
  /// `somata`: those of the open neurons; null where none is open.
  PopulationDialog(const study::PopulationChoice& shown, std::shared_ptr<const projection::Population> somata,
                   QWidget* parent);

  study::PopulationChoice choice() const;

private:
  void addRows();
  void addKind();
  void addFile();
  void addRow(std::string_view field, QWidget* editor);
  void addNumber(std::string_view field);
  void addTriple(std::string_view field);
  NumberSpinBox* makeNumber(std::string_view parameter, const QString& axis, std::size_t item);
  projection::PopulationParameters parameters() const;
  /// What is wrong; empty: nothing.
  QString problemNow();
  void refresh();
  void refreshNodes();
  void takeNodes(const QStringList& names, const QString& whatIsWrong);
  void askForFile();

  /// A row of the form with the parameter that it belongs to.
  struct Row
  {
    QWidget* editor;
    std::string_view field;
  };

  /// A number of a parameter: itself, or of a series item `item`.
  struct Number
  {
    NumberSpinBox* editor;
    std::string_view field;
    std::size_t item;
    double shown; ///< at first
  };

  study::PopulationChoice before; ///< that was to be changed
  std::shared_ptr<const projection::Population> openSomata;
  std::vector<Row> rows;
  QFormLayout* form = nullptr;
  QLineEdit* name = nullptr;
  QComboBox* kind = nullptr;
  std::vector<Number> numbers;
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
