#pragma once

#include <QObject>

#include <cstddef>

namespace hinesight::app {

class CellListModel;
class QuestionBar;

/// Asks about the unit that the warnings of most cells suggest. The question says which cells they are.
class UnitQuestion : public QObject
{
  Q_OBJECT

public:
  UnitQuestion(CellListModel* cells, QWidget* parent);

  QuestionBar* bar() const { return asked; }
  /// Of the cells as they are now, where there are more than those whose unit a person let be.
  void ask();

private:
  CellListModel* cells;
  QuestionBar* asked;
  double suggested = 0;     ///< µm a unit of the file
  std::size_t declined = 0; ///< cells of the question, where the answer was no
};

} // namespace hinesight::app
