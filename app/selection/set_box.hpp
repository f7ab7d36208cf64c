#pragma once

#include "selection/named_selection.hpp"

#include <QComboBox>

#include <cstddef>
#include <functional>
#include <vector>

namespace hinesight::app {

class BranchSelection;

/// Lists kept sets, of which one can be selected, renamed or removed; hidden where there is none.
class SetBox : public QComboBox
{
  Q_OBJECT

public:
  using Filter = std::function<bool(const selection::NamedSelection&)>;

  /// `lists`: which sets.
  SetBox(BranchSelection* selection, Filter lists, QWidget* parent = nullptr);

signals:
  /// A chosen set has this expression, which is wrong.
  void refused(const QString& expression);

private:
  QStringList names() const;
  void refresh();
  void choose(int index);
  void select(std::size_t place);
  void askWhatToRename();
  void askWhatToRemove();

  BranchSelection* selection;
  Filter lists;
  std::vector<std::size_t> places; ///< of those that are listed, among all sets
};

} // namespace hinesight::app
