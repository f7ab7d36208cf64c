#include "app/cells/place_dialog.hpp"

#include "app/cells/cell_list_model.hpp"
#include "app/files/file_dialogs.hpp"
#include "app/forms/field_form.hpp"
#include "app/forms/help_text.hpp"
#include "app/forms/return_key.hpp"
#include "app/forms/wrapped_label.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "morphology/repair.hpp"
#include "morphology/swc.hpp"
#include "morphology/unit_scale.hpp"

#include <QCheckBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <sstream>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kWidth = 440;
const QString kPlacedFolder = QStringLiteral("placedFolder"); ///< of the setting

/// The file of a placed cell, SWC in µm.
std::string placedText(const std::shared_ptr<const morphology::Morphology>& cell, const Placing& placing,
                       const RunControl& control)
{
  using morphology::Repair;
  morphology::RepairParameters how;
  how.place = placing.place;
  how.unit = cell->unitScale * placing.scale;
  std::vector<Repair> wanted{Repair::Place};
  if (placing.scale != 1)
    wanted.push_back(Repair::Scale);
  std::ostringstream stream;
  morphology::writeSwc(*morphology::repair(cell, wanted, how, control).morphology, stream);
  return stream.str();
}

/// "cell-placed.swc", or with a number where there is such a file.
std::filesystem::path freeName(const std::filesystem::path& folder, const std::string& cell)
{
  std::string name = cell;
  std::ranges::replace(name, '/', '_');
  std::filesystem::path path = folder / (name + "-placed.swc");
  for (int number = 2; std::filesystem::exists(path); ++number)
    path = folder / (name + "-placed-" + std::to_string(number) + ".swc");
  return path;
}

} // namespace

PlaceDialog::PlaceDialog(CellListModel* list, const std::vector<int>& rows, QWidget* parent)
    : QDialog(parent), model(list)
{
  setObjectName(QStringLiteral("placeDialog"));
  describe(this, {tr("Place"),
                  tr("Scales, centres, turns and moves the chosen cells together. The views show them so until the "
                     "dialog is closed."),
                  QStringLiteral("Cells")});
  setAttribute(Qt::WA_DeleteOnClose);
  setMinimumWidth(kWidth);
  std::vector<morphology::CellPlace> places;
  for (const int row : rows)
    if (const OpenCell& cell = model->cells()[static_cast<std::size_t>(row)]; cell.morphology && !cell.own) {
      cells.push_back({cell.key, cell.unplaced, cell.source.scale});
      places.push_back(cell.source.place);
    }
  areAlike = std::ranges::adjacent_find(places, std::ranges::not_equal_to()) == places.end();
  if (areAlike && !places.empty())
    chosen.place = places.front();
  begun = chosen;
  setWindowTitle(cells.size() == 1 ? tr("Place %1").arg(list->cells()[static_cast<std::size_t>(rows.front())].name)
                                   : tr("Place %1 cells").arg(cells.size()));
  auto* column = new QVBoxLayout(this);
  form = new FieldForm(column, this, [this] { return fieldsOf(chosen); }, {.prefix = QStringLiteral("place-")});
  connect(form, &FieldForm::edited, this, [this](bool settled) {
    if (settled)
      takeEdit();
  });
  form->refresh();
  previewBox = new QCheckBox(tr("Show the placed cells in the views"), this);
  previewBox->setObjectName(QStringLiteral("placePreview"));
  previewBox->setToolTip(tr("In place of the cells as they are, until the dialog is closed"));
  previewBox->setChecked(true);
  connect(previewBox, &QCheckBox::toggled, this, &PlaceDialog::refreshPreview);
  note = wrappedLabel(QStringLiteral("placeNote"), this);
  note->setText((areAlike ? QString() : tr("The cells have several places; this one takes the place of all. ")) +
                tr("Place keeps it in the session, and their files stay as they are. Files that are saved have it in "
                   "their coordinates, and are the cells' files from then on. Undo brings back what was."));
  column->addWidget(previewBox);
  column->addWidget(note);
  column->addStretch(1);
  makeButtons(column);
  follow(true);
}

void PlaceDialog::makeButtons(QVBoxLayout* column)
{
  keepButton = new QPushButton(tr("Place"), this);
  keepButton->setObjectName(QStringLiteral("keepPlaced"));
  keepButton->setToolTip(tr("Keep the places in the session, in one step; no file is written (Ctrl+Return)"));
  keepButton->setAutoDefault(false);
  keepReturnInFields(this, keepButton);
  saveButton = new QPushButton(tr("Save placed in…"), this);
  saveButton->setObjectName(QStringLiteral("savePlaced"));
  saveButton->setToolTip(tr("Choose the folder for the files of the placed cells, SWC in µm"));
  saveButton->setAutoDefault(false);
  auto* close = new QPushButton(tr("Close"), this);
  close->setObjectName(QStringLiteral("closePlace"));
  close->setToolTip(tr("Leave the cells where they were"));
  close->setAutoDefault(false);
  connect(keepButton, &QPushButton::clicked, this, &PlaceDialog::keep);
  connect(saveButton, &QPushButton::clicked, this, &PlaceDialog::askWhereToSave);
  connect(close, &QPushButton::clicked, this, &QDialog::reject);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(keepButton);
  buttons->addWidget(saveButton);
  buttons->addWidget(close);
  column->addLayout(buttons);
  takeEdit();
}

/// Closes with the cells; its own changes are none of that.
void PlaceDialog::follow(bool follows)
{
  disconnect(model, &CellListModel::contentChanged, this, nullptr);
  if (follows)
    connect(model, &CellListModel::contentChanged, this, [this] {
      if (std::ranges::any_of(cells, [this](const Cell& cell) { return model->rowOfKey(cell.key) < 0; }))
        reject();
    });
}

void PlaceDialog::takeEdit()
{
  const Range& scales = morphology::kUnitScaleRange;
  const bool canBeScaled = std::ranges::all_of(cells, [&](const Cell& cell) {
    const double scale = cell.scale * chosen.scale;
    return scale >= scales.least && scale <= scales.greatest;
  });
  if (!canBeScaled)
    emit failed(
        tr("The scale is too %1 beside the unit of the file.").arg(chosen.scale > 1 ? tr("large") : tr("small")));
  keepButton->setEnabled(canBeScaled && (chosen != begun || !areAlike));
  saveButton->setEnabled(canBeScaled && chosen != Placing());
  refreshPreview();
}

void PlaceDialog::refreshPreview()
{
  const bool isShown = previewBox->isChecked() && keepButton->isEnabled();
  std::vector<CellListModel::Placed> places;
  std::vector<CellListModel::Preview> own;
  for (const Cell& cell : cells)
    if (const int row = model->rowOfKey(cell.key); row >= 0) {
      places.push_back({row, cell.scale * chosen.scale, chosen.place});
      own.push_back({row, nullptr});
    }
  follow(false);
  if (isShown)
    model->previewPlaces(places);
  else
    model->preview(own);
  follow(true);
}

void PlaceDialog::keep()
{
  follow(false);
  std::vector<CellListModel::Placed> places;
  for (const Cell& cell : cells)
    if (const int row = model->rowOfKey(cell.key); row >= 0)
      places.push_back({row, cell.scale * chosen.scale, chosen.place});
  model->setPlaces(places);
  emit kept(static_cast<int>(places.size()));
  accept();
}

void PlaceDialog::askWhereToSave()
{
  auto* dialog = new QFileDialog(this, tr("Folder for the placed cells"), folderToSave(kPlacedFolder));
  dialog->setObjectName(QStringLiteral("savePlacedDialog"));
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
    rememberSaved(kPlacedFolder, folder);
    save(folder);
  });
  dialog->open();
}

void PlaceDialog::save(const QString& folder)
{
  saveButton->setEnabled(false);
  using Written = std::pair<std::uint64_t, std::string>; // the key of a cell, and its file
  saving.start([this, all = cells, how = chosen, path = std::filesystem::path(folder.toStdString())](
                   const RunControl& control) -> widgets::BackgroundWork::Deliver {
    std::vector<Written> written;
    try {
      for (const Cell& cell : all) {
        const std::string text = placedText(cell.unplaced, how, control);
        const std::filesystem::path file = freeName(path, cell.unplaced->name);
        writeFileAtomically(file, [&](std::ostream& stream) { stream << text; });
        written.emplace_back(cell.key, file.string());
      }
    } catch (const Error& error) {
      return [this, sentence = QString::fromUtf8(error.what())] {
        saveButton->setEnabled(true);
        emit failed(sentence);
      };
    }
    return [this, written] {
      follow(false);
      std::vector<std::pair<int, std::string>> files;
      QStringList paths;
      for (const auto& [key, file] : written)
        if (const int row = model->rowOfKey(key); row >= 0) {
          files.emplace_back(row, file);
          paths << QString::fromStdString(file);
        }
      model->setPlacedFiles(files);
      emit saved(paths);
      accept();
    };
  });
}

void PlaceDialog::done(int result)
{
  follow(false);
  if (result != Accepted) {
    std::vector<CellListModel::Preview> own;
    for (const Cell& cell : cells)
      if (const int row = model->rowOfKey(cell.key); row >= 0)
        own.push_back({row, nullptr});
    model->preview(own);
  }
  QDialog::done(result);
}

} // namespace hinesight::app
