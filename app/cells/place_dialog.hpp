#pragma once

#include "core/fields.hpp"
#include "morphology/cell_place.hpp"
#include "widgets/background_work.hpp"

#include <QDialog>
#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

class QCheckBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace hinesight::morphology {
struct Morphology;
}

namespace hinesight::app {

class CellListModel;
class FieldForm;

/// Where cells go.
struct Placing
{
  double scale = 1; ///< times what it is
  morphology::CellPlace place;

  bool operator==(const Placing&) const = default;
};

template <typename Visitor>
void visitFields(Placing& p, Visitor&& visit)
{
  Field centre = morphology::kCentreField;
  centre.help = "Move each cell so that its soma is at (0, 0, 0).";
  centre.section = {"Place", "In this order: scaled, centred, turned, moved."};
  visit(centre, p.place.isCentred);
  visit(Field{.name = "scale",
              .label = "Scale",
              .unit = "times",
              .range = from(1e-6, 1e6),
              .slider = {0.01, 100, true},
              .help = "What coordinates and radii are multiplied by."},
        p.scale);
  visit(morphology::kTurnField, p.place.turn);
  visit(morphology::kMoveField, p.place.move);
}

/// Scales, centres, turns and moves open cells together, beside the window, which goes on: the views show them in their
/// places. These are kept in the session, in one step; or files of their own are written, which lie there; or the
/// dialog is closed, and nothing has changed. Deletes itself.
class PlaceDialog : public QDialog
{
  Q_OBJECT

public:
  /// Rows of cells that are read. The dialog begins with their place; where they differ, with that of their files.
  PlaceDialog(CellListModel* model, const std::vector<int>& rows, QWidget* parent);

  const Placing& placing() const { return chosen; }
  /// Their places are these, and the dialog ends.
  void keep();
  /// Writes them into a folder, each beside what is there, and makes these the cells' files.
  void save(const QString& folder);

signals:
  void kept(int cells);
  void saved(const QStringList& paths);
  void failed(const QString& sentence);

protected:
  void done(int result) override;

private:
  struct Cell
  {
    std::uint64_t key; ///< in the list
    std::shared_ptr<const morphology::Morphology> unplaced;
    double scale; ///< µm per unit of its file, as it was
  };

  void makeButtons(QVBoxLayout* column);
  void takeEdit();
  void refreshPreview();
  void askWhereToSave();
  void follow(bool follows);

  CellListModel* model;
  std::vector<Cell> cells;
  Placing begun; ///< as it was when the dialog began
  Placing chosen;
  bool areAlike = true; ///< all cells had one place
  widgets::BackgroundWork saving;
  FieldForm* form = nullptr;
  QLabel* note = nullptr;
  QCheckBox* previewBox = nullptr;
  QPushButton* keepButton = nullptr;
  QPushButton* saveButton = nullptr;
};

} // namespace hinesight::app
