#include "app/cells/place_dialog.hpp"

#include "app/cells/cell_list_model.hpp"
#include "app/files/file_dialogs.hpp"
#include "app/forms/field_form.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "morphology/repair.hpp"
#include "morphology/swc.hpp"

#include <QCheckBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kWidth = 440;

/// The file of a placed cell; null where it stays as it is.
std::shared_ptr<const std::string> placedText(const std::shared_ptr<const morphology::Morphology>& cell,
                                              const Placing& placing, const RunControl& control)
{
  using morphology::Repair;
  morphology::RepairParameters how;
  how.isCentred = placing.isCentred;
  how.turn = placing.turn;
  how.move = placing.move;
  how.unit = cell->unitScale * placing.scale;
  std::vector<Repair> wanted{Repair::Place};
  if (placing.scale != 1)
    wanted.push_back(Repair::Scale);
  const morphology::RepairedCell placed = morphology::repair(cell, wanted, how, control);
  if (placed.changes.empty())
    return nullptr;
  std::ostringstream stream;
  morphology::writeSwc(*placed.morphology, stream);
  return std::make_shared<const std::string>(stream.str());
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
  setAttribute(Qt::WA_DeleteOnClose);
  setMinimumWidth(kWidth);
  for (const int row : rows)
    if (const OpenCell& cell = model->cells()[static_cast<std::size_t>(row)]; cell.morphology && !cell.own)
      cells.push_back({cell.key, cell.morphology});
  setWindowTitle(cells.size() == 1 ? tr("Place %1").arg(QString::fromStdString(cells.front().original->name))
                                   : tr("Place %1 cells").arg(cells.size()));
  auto* column = new QVBoxLayout(this);
  form = new FieldForm(column, this, [this] { return fieldsOf(chosen); }, {.prefix = QStringLiteral("place-")});
  connect(form, &FieldForm::edited, this, [this](bool settled) {
    if (settled)
      compute();
  });
  form->refresh();
  previewBox = new QCheckBox(tr("Show the placed cells in the views"), this);
  previewBox->setObjectName(QStringLiteral("placePreview"));
  previewBox->setToolTip(tr("In place of the cells as they are, until the dialog is closed"));
  previewBox->setChecked(true);
  connect(previewBox, &QCheckBox::toggled, this, &PlaceDialog::refreshPreview);
  note = new QLabel(this);
  note->setObjectName(QStringLiteral("placeNote"));
  note->setWordWrap(true);
  note->setText(tr("Saved as files of their own in µm, which are the cells' files from then on; undo brings the others "
                   "back."));
  saveButton = new QPushButton(tr("Save placed in…"), this);
  saveButton->setObjectName(QStringLiteral("savePlaced"));
  saveButton->setToolTip(tr("Choose the folder for the files of the placed cells, SWC in µm"));
  saveButton->setEnabled(false);
  auto* close = new QPushButton(tr("Close"), this);
  close->setObjectName(QStringLiteral("closePlace"));
  close->setToolTip(tr("Leave the cells where they were"));
  close->setAutoDefault(false);
  connect(saveButton, &QPushButton::clicked, this, &PlaceDialog::askWhereToSave);
  connect(close, &QPushButton::clicked, this, &QDialog::reject);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(saveButton);
  buttons->addWidget(close);
  column->addWidget(previewBox);
  column->addWidget(note);
  column->addStretch(1);
  column->addLayout(buttons);
  follow(true);
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

void PlaceDialog::compute()
{
  saveButton->setEnabled(false);
  computing.restart([this, all = cells, how = chosen](const RunControl& control) -> widgets::BackgroundWork::Deliver {
    std::vector<Cell> placed = all;
    try {
      for (Cell& cell : placed)
        cell.text = placedText(cell.original, how, control);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::Cancelled)
        throw;
      return [this, sentence = QString::fromUtf8(error.what())] { note->setText(sentence); };
    }
    return [this, placed] {
      cells = placed;
      saveButton->setEnabled(std::ranges::any_of(cells, [](const Cell& cell) { return cell.text != nullptr; }));
      refreshPreview();
    };
  });
}

void PlaceDialog::refreshPreview()
{
  std::vector<CellListModel::Preview> previews;
  for (const Cell& cell : cells)
    if (const int row = model->rowOfKey(cell.key); row >= 0)
      previews.push_back({row, previewBox->isChecked() ? cell.text : nullptr});
  follow(false);
  model->preview(previews);
  follow(true);
}

void PlaceDialog::askWhereToSave()
{
  auto* dialog = new QFileDialog(this, tr("Folder for the placed cells"), folderToBegin(QStringLiteral("openFolder")));
  dialog->setObjectName(QStringLiteral("savePlacedDialog"));
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, &PlaceDialog::save);
  dialog->open();
}

void PlaceDialog::save(const QString& folder)
{
  saveButton->setEnabled(false);
  using Written = std::pair<std::uint64_t, std::string>; // the key of a cell, and its file
  saving.start([this, all = cells, path = std::filesystem::path(folder.toStdString())](
                   const RunControl&) -> widgets::BackgroundWork::Deliver {
    std::vector<Written> written;
    try {
      for (const Cell& cell : all)
        if (cell.text) {
          const std::filesystem::path file = freeName(path, cell.original->name);
          writeFileAtomically(file, [&](std::ostream& stream) { stream << *cell.text; });
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
      model->setFiles(files);
      emit saved(paths);
      accept();
    };
  });
}

void PlaceDialog::done(int result)
{
  follow(false);
  computing.restart();
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
