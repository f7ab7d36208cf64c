#pragma once

#include "core/fields.hpp"
#include "morphology/repair.hpp"
#include "widgets/background_work.hpp"

#include <QDialog>
#include <QString>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

class QCheckBox;
class QLabel;
class QPushButton;

namespace hinesight::morphology {
struct Morphology;
}

namespace hinesight::app {

class CellListModel;
class FieldForm;

/// Where cells go.
struct Placing
{
  bool isCentred = false;
  double scale = 1;
  std::array<double, 3> turn{}; ///< degrees about x, y and z
  std::array<double, 3> move{}; ///< µm

  bool operator==(const Placing&) const = default;
};

template <typename Visitor>
void visitFields(Placing& p, Visitor&& visit)
{
  visit(Field{.name = "centre",
              .label = "Soma at the origin",
              .help = "Move each cell so that its soma is at (0, 0, 0).",
              .section = {"Place", "In this order: scaled, centred, turned, moved."}},
        p.isCentred);
  visit(Field{.name = "scale",
              .label = "Scale",
              .unit = "times",
              .range = from(1e-6, 1e6),
              .slider = {0.01, 100, true},
              .help = "What coordinates and radii are multiplied by."},
        p.scale);
  visit(morphology::kTurnField, p.turn);
  visit(morphology::kMoveField, p.move);
}

/// Centres, scales, turns and moves open cells together, beside the window, which goes on: they are seen in their
/// places in the views until they are saved as files of their own, in one step, or the dialog is closed. Deletes
/// itself.
class PlaceDialog : public QDialog
{
  Q_OBJECT

public:
  /// Rows of cells that are read.
  PlaceDialog(CellListModel* model, const std::vector<int>& rows, QWidget* parent);

  const Placing& placing() const { return chosen; }
  /// Writes them into a folder, each beside what is there, and makes these the cells' files.
  void save(const QString& folder);

signals:
  void saved(const QStringList& paths);
  void failed(const QString& sentence);

protected:
  void done(int result) override;

private:
  struct Cell
  {
    std::uint64_t key; ///< in the list
    std::shared_ptr<const morphology::Morphology> original;
    std::shared_ptr<const std::string> text = {}; ///< of the file that would be saved; null: not known yet
  };

  void compute();
  void refreshPreview();
  void askWhereToSave();
  void follow(bool follows);

  CellListModel* model;
  std::vector<Cell> cells;
  Placing chosen;
  widgets::BackgroundWork computing;
  widgets::BackgroundWork saving;
  FieldForm* form = nullptr;
  QLabel* note = nullptr;
  QCheckBox* previewBox = nullptr;
  QPushButton* saveButton = nullptr;
};

} // namespace hinesight::app
