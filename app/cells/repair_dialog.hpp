#pragma once

#include "core/error.hpp"
#include "morphology/repair.hpp"
#include "widgets/background_work.hpp"

#include <QDialog>
#include <QString>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

class QCheckBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace hinesight::app {

class CellListModel;
class FieldForm;

/// Repairs an open cell beside the window, which goes on: a box for each repair, those without effect disabled; figures
/// before and after; the repaired cell in the views in place of the other one, until it is saved, and its file is the
/// cell's, or the dialog is closed, and all is as before. Deletes itself.
class RepairDialog : public QDialog
{
  Q_OBJECT

public:
  /// A row of a cell that is read.
  RepairDialog(CellListModel* model, int row, QWidget* parent);

  /// The id of the source of its cell.
  std::uint64_t cell() const { return id; }
  /// What would be saved; the cell as it is until that is known.
  const morphology::RepairedCell& repaired() const { return chosen; }

signals:
  void saved(const QString& path);
  void failed(const QString& sentence);

protected:
  void done(int result) override;

private:
  /// What the worker found.
  struct Outcome
  {
    morphology::RepairedCell all;    ///< with every repair
    morphology::RepairedCell chosen; ///< with those that are checked
    std::shared_ptr<const std::string> text;
  };

  void makeRepairs(QVBoxLayout* column);
  void makeParameters(QVBoxLayout* column);
  void makeFigures(QVBoxLayout* column);
  void makeButtons(QVBoxLayout* column);
  void fitHeight();
  void compute();
  void take(const Outcome& outcome);
  void showFigures();
  void refreshPreview();
  void askWhereToSave();
  void save(const QString& path);
  void closeWithoutCell();

  CellListModel* model;
  std::uint64_t id; ///< of the cell's source
  std::shared_ptr<const morphology::Morphology> original;
  morphology::RepairParameters parameters;
  morphology::RepairedCell chosen;
  std::shared_ptr<const std::string> text; ///< of the file that would be saved
  widgets::BackgroundWork computing;
  widgets::BackgroundWork saving;
  FieldForm* form = nullptr;
  QScrollArea* scroll = nullptr; ///< of all but the buttons
  std::array<QCheckBox*, morphology::kAllRepairs.size()> boxes{};
  std::array<QLabel*, morphology::kAllRepairs.size()> effects{};
  QLabel* figures = nullptr;
  QCheckBox* previewBox = nullptr;
  QPushButton* saveButton = nullptr;
};

} // namespace hinesight::app
