#pragma once

#include <QObject>

#include <cstdint>
#include <set>
#include <vector>

namespace hinesight::app {

class CellListModel;
class QuestionBar;

/// Asks about the unit that the warnings of most cells suggest, but for those that a person let be. The question says
/// which cells they are.
class UnitQuestion : public QObject
{
  Q_OBJECT

public:
  UnitQuestion(CellListModel* cells, QWidget* parent);

  QuestionBar* bar() const { return asked; }
  /// Of the cells as they are now.
  void ask();

private:
  std::vector<int> askedRows() const;

  CellListModel* cells;
  QuestionBar* asked;
  double suggested = 0;          ///< µm a unit of the file
  std::set<std::uint64_t> letBe; ///< keys of the cells for which the answer was no
};

} // namespace hinesight::app
