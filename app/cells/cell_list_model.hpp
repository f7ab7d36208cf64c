#pragma once

#include "app/cells/open_cell.hpp"
#include "app/cells/open_cells.hpp"
#include "app/cells/removed_cells.hpp"
#include "study/cells/cell_study.hpp"

#include <QAbstractTableModel>
#include <QIcon>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::model {
class TakenNames;
}

namespace hinesight::app {

/// The open cells in their order, the one list that the data panel shows and the pipeline reads, with their figures in
/// columns. Their names differ. A column has the role SortRole: what it is sorted by.
class CellListModel : public QAbstractTableModel
{
  Q_OBJECT

public:
  enum Column
  {
    NameColumn,
    LengthColumn, ///< total, µm
    SamplesColumn,
    BranchesColumn,
    TagsColumn,
    TypesColumn,    ///< shares of the length by type
    ProblemsColumn, ///< what is wrong, in a sentence
    FileColumn,
    kColumns
  };

  /// Of a cell whatever the column, but for SortRole.
  enum Role
  {
    SummaryRole = Qt::UserRole, ///< counts in words
    WarningsRole,               ///< number of warnings of the file
    ProblemRole,                ///< in a word or two: why the cell is not seen though its eye is open, or that its file
                                ///< is another one now; empty: none
    SortRole,                   ///< a number or a text
  };

  explicit CellListModel(QObject* parent = nullptr);

  // Rows are given by value: who is told of a change may be who holds them.

  /// Appends one cell a path, in one change. A path that is open already is read again in its old place, in its unit.
  void add(const std::vector<std::string>& paths);
  /// These in place of all that are open, in one change. What is open already stays as it was read, and what was
  /// removed is there again as it was, as long as it is kept (RemovedCells). Paths differ.
  void setCells(std::vector<CellChoice> choices);
  /// As setCells takes them.
  std::vector<CellChoice> choices() const;
  /// What was removed is read again when it comes back.
  void forgetRemoved() { removed.clear(); }
  void remove(int row) { removeCells({row}); }
  /// In one change; rows that are none are passed over.
  void removeCells(std::vector<int> rows);
  void removeAll();
  void setVisible(int row, bool visible);
  /// In one change.
  void setCellsVisible(std::vector<int> rows, bool visible);
  /// These are drawn and no others; in one change.
  void showOnly(const std::vector<int>& rows);
  /// Each has the tags of its row; in one change.
  void setTags(const std::vector<std::pair<int, std::vector<std::string>>>& tags);
  /// µm per unit of their files; in one change.
  void setScale(std::vector<int> rows, double scale);
  /// How cells are read and where they lie.
  struct Placed
  {
    int row;
    double scale; ///< µm per unit of the file
    morphology::CellPlace place;
  };
  /// In one change.
  void setPlaces(const std::vector<Placed>& places);
  /// The same for now: until endPreview, which does not read the files again.
  void previewPlaces(const std::vector<Placed>& places);
  /// Shows the text of another SWC file, in µm, at the cell's place in place of its own. Returns its new id.
  std::uint64_t preview(int row, std::shared_ptr<const std::string> text);
  /// The cell's own file again. Returns its id.
  std::uint64_t endPreview(int row);
  struct Preview
  {
    int row;
    std::shared_ptr<const std::string> text; ///< null: the cell's own file
  };
  /// Both for several cells, in one change.
  void preview(const std::vector<Preview>& previews);
  /// Its file is another one from now on, in µm; its place stays.
  void setFile(int row, const std::string& path);
  /// The same of several, which lie where these files say; in one change.
  void setPlacedFiles(const std::vector<std::pair<int, std::string>>& files);
  /// Where a warning suggests that scale.
  std::vector<int> rowsSuggesting(double scale) const;
  /// Takes over what was read. A cell that could not be read stays, marked, until it is closed or opened again; the
  /// errors that are new are returned.
  /// `canBeDrawn`: per reading.
  std::vector<Error> takeReadings(const std::vector<study::CellReading>& readings, const std::vector<bool>& canBeDrawn);
  /// What modificationTime says of the files of these cells, by their keys: who was read before is outdated.
  void takeFileTimes(const std::vector<std::pair<std::uint64_t, std::string>>& times);
  /// Takes over the compartment counts.
  void takeResult(const study::CellResult& result);

  const std::vector<OpenCell>& cells() const { return openCells.all(); }
  std::vector<study::CellSource> sources() const;
  /// Row of a cell, -1 where there is none.
  int rowOf(std::uint64_t id) const { return openCells.rowOf(id); }
  /// The same by its key.
  int rowOfKey(std::uint64_t key) const { return openCells.rowOfKey(key); }

  /// The columns of these rows as CSV, lengths in µm.
  QString table(const std::vector<int>& rows) const;

  QModelIndex index(int row, int column = NameColumn, const QModelIndex& parent = {}) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

  // Drag and drop within the list changes the order of the batch.
  Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
  bool moveRows(const QModelIndex& from, int first, int count, const QModelIndex& to, int before) override;
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                    const QModelIndex& parent) override;

signals:
  void changeBegins();   ///< before views of the list are told that cells came, went or are seen otherwise
  void contentChanged(); ///< cells came, went, changed their order or their scale: the batch is another one
  void tagsChanged();
  void visibilityChanged(); ///< an eye was toggled: only the drawing changes
  /// A cell is that of another file from now on.
  void fileReplaced(const std::string& before, const std::string& now);
  /// Its file was closed, or is read again.
  void errorGone(const hinesight::Error& error);

private:
  OpenCell newCell(const std::string& path);
  model::TakenNames namesWithout(const std::vector<int>& rows) const;
  void setNames(const std::vector<CellChoice>& choices);
  bool place(const std::vector<int>& rows, int before);
  void takePlaces(const std::vector<Placed>& places, bool isPreview);
  void tellChange(const std::vector<int>& rows, const QList<int>& roles);

  OpenCells openCells;
  RemovedCells removed;
  std::uint64_t lastId = 0;
};

} // namespace hinesight::app
