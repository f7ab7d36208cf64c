#include "app/shell/exports.hpp"

#include "app/cells/data_panel.hpp"
#include "app/cells/run_table_model.hpp"
#include "app/document/document.hpp"
#include "app/files/file_dialogs.hpp"
#include "app/shell/bars/messages.hpp"
#include "core/error.hpp"
#include "core/files.hpp"

#include <QWidget>

#include <ostream>

namespace hinesight::app {

namespace {

const QString kFolder = QStringLiteral("exportFolder"); ///< of dialogs

} // namespace

Exports::Exports(const Parts& ofWindow, QWidget* parent) : QObject(parent), parts(ofWindow), window(parent) {}

void Exports::askForTimings()
{
  askWhereToSave(window,
                 {QStringLiteral("exportDialog"),
                  tr("Export timings"),
                  kFolder,
                  {tr("CSV table (*.csv)"), tr("JSON (*.json)")},
                  QStringLiteral("timings.csv")},
                 [this](const QString& path) {
                   save(path, [&] {
                     const auto runs = parts.runs->runs();
                     io::writeTimings({runs.begin(), runs.end()}, path.toStdString());
                   });
                 });
}

void Exports::askForCells()
{
  askWhereToSave(window,
                 {QStringLiteral("exportCellsDialog"),
                  tr("Export the table of cells"),
                  kFolder,
                  {tr("CSV table (*.csv)")},
                  QStringLiteral("cells.csv")},
                 [this](const QString& path) {
                   save(path, [&] {
                     writeFileAtomically(path.toStdString(), [text = parts.list->table().toStdString()](
                                                                 std::ostream& stream) { stream << text; });
                   });
                 });
}

void Exports::askForCircuit()
{
  askWhichNewFolder(window,
                    {QStringLiteral("exportCircuitDialog"),
                     tr("Export the circuit as SONATA into a folder, which is made where it is not there"),
                     kFolder,
                     {},
                     QStringLiteral("circuit")},
                    [this](const QString& folder) { parts.document->exportCircuit(folder); });
}

/// Says how it went.
void Exports::save(const QString& path, const std::function<void()>& write)
{
  try {
    write();
    parts.messages->tellExported(path);
  } catch (const Error& error) {
    parts.messages->showError(QString::fromUtf8(error.what()));
  }
}

} // namespace hinesight::app
