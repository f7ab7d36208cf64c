#pragma once

#include <QDialog>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;

namespace hinesight::app {

class CellListModel;

/// Changes the tags of cells, in one step. Its field has those that all of the cells have: what is added there is added
/// to each, what is taken out there is taken from each. Tags that only some of them have stay. Deletes itself.
class TagsDialog : public QDialog
{
  Q_OBJECT

public:
  TagsDialog(CellListModel* model, const std::vector<int>& rows, QWidget* parent);

protected:
  void accept() override;

private:
  using Tags = std::vector<std::string>;

  std::vector<std::pair<int, Tags>> wanted() const;
  void refresh();

  CellListModel* model;
  std::vector<std::uint64_t> cells; ///< keys
  Tags shared;                      ///< that all of them had when the dialog began
  QLineEdit* field = nullptr;
  QLabel* problem = nullptr;
  QPushButton* keepButton = nullptr;
};

} // namespace hinesight::app
