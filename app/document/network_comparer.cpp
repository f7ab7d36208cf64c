#include "app/document/network_comparer.hpp"

#include "app/plasticity/plasticity_controller.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/network_comparison_dialog.hpp"
#include "core/error.hpp"
#include "model/taken_names.hpp"
#include "study/circuit/network_comparison.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace hinesight::app {

namespace {

/// How dialogs call the network of the page Plasticity.
const std::string kGrownName = "grown";

} // namespace

NetworkComparer::NetworkComparer(const DocumentParts& ofWindow, ProjectNow projectNow, QObject* parent)
    : QObject(parent), parts(ofWindow), project(std::move(projectNow))
{
  connect(parts.connections, &ConnectionPanel::compareRequested, this, &NetworkComparer::compare);
}

void NetworkComparer::compare(const std::string& first, const std::string& second)
{
  std::vector<std::string> names;
  model::TakenNames taken;
  for (const model::Connection& connection : parts.connections->connections())
    names.push_back(taken.take(connection.name));
  grownAs = parts.growth->hasNetwork() ? taken.take(kGrownName) : std::string();
  if (!grownAs.empty())
    names.push_back(grownAs);
  if (shown)
    shown->close();
  auto* dialog = new NetworkComparisonDialog(names, first, second, parts.connections->window());
  shown = dialog;
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &NetworkComparisonDialog::wanted, this, [this, dialog] { compareIn(dialog); });
  connect(dialog, &NetworkComparisonDialog::exportWanted, this, [this, dialog](const QString& folder) {
    parts.jobs->submit(
        {kComparisonExport, folder},
        [made = dialog->comparisons(), to = folder.toStdString()](const JobContext&) {
          study::writeComparisons(made, to);
        },
        [this, folder] { emit told(tr("Wrote the comparison to %1.").arg(folder)); });
  });
  connect(dialog, &QDialog::finished, this, [this] { parts.jobs->cancel(kComparison); });
  dialog->show();
  if (first == second)
    dialog->showFailure(tr("Choose what %1 is compared with.").arg(QString::fromStdString(first)));
  else
    compareIn(dialog);
}

/// What it wants; the network of the page Plasticity as it is now.
void NetworkComparer::compareIn(NetworkComparisonDialog* inDialog)
{
  const study::ComparedSide first = inDialog->first(), second = inDialog->second();
  const auto isGrown = [this](const study::ComparedSide& side) {
    return !grownAs.empty() && side.file.empty() && side.connection == grownAs;
  };
  if (!isGrown(first) && !isGrown(second))
    return compareSides(inDialog, first, second);
  const QPointer<NetworkComparisonDialog> dialog = inDialog;
  parts.growth->borrowNetwork([this, dialog, isGrown, first, second](study::ComparedNetwork network) {
    if (!dialog || dialog->first() != first || dialog->second() != second)
      return;
    network.edges.name = grownAs;
    const study::ComparedSide grownOne{{}, {}, std::make_shared<const study::ComparedNetwork>(std::move(network))};
    compareSides(dialog, isGrown(first) ? grownOne : first, isGrown(second) ? grownOne : second);
  });
}

/// Made and compared on another thread.
void NetworkComparer::compareSides(NetworkComparisonDialog* inDialog, const study::ComparedSide& first,
                                   const study::ComparedSide& second)
{
  const auto nameOf = [](const study::ComparedSide& side) {
    const std::string& connection = side.network ? side.network->edges.name : side.connection;
    return QString::fromStdString(connection.empty() ? side.file : connection);
  };
  const QPointer<NetworkComparisonDialog> dialog = inDialog;
  parts.jobs->submit(
      {kComparison, tr("%1 and %2").arg(nameOf(first), nameOf(second))},
      [wanted = project(), first, second](const JobContext& context) {
        return study::compareConnections(wanted, first, second, {}, context.control());
      },
      [dialog](const std::vector<study::NetworkComparison>& made) {
        if (dialog)
          dialog->showComparisons(made);
      },
      {[dialog](const Error& error) {
         if (dialog)
           dialog->showFailure(QString::fromUtf8(error.what()));
       },
       [dialog] {
         if (dialog && dialog->isVisible())
           dialog->showFailure(tr("Cancelled; choose a network to compare again."));
       }});
}

} // namespace hinesight::app
