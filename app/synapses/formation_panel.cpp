#include "app/synapses/formation_panel.hpp"

#include "app/forms/panel_rows.hpp"
#include "app/forms/source_row.hpp"

#include <QFileInfo>

#include <utility>

namespace hinesight::app {

namespace {

/// Ids of all rows begin with "formation".
ParameterText text(const char* id, const QString& label, const QString& help, const QString& detail)
{
  return {QStringLiteral("formation") + QLatin1String(id), label, help, detail};
}

} // namespace

FormationPanel::FormationPanel(QWidget* parent)
    : QWidget(parent), form(new QVBoxLayout, this, [this](bool settled) { takeEdit(settled); })
{
  setObjectName(QStringLiteral("formationPanel"));
  scrollInPanel(form.layout(), this, QStringLiteral("formationScroll"));
  addNeurons();
  addSearchRows(
      form, QStringLiteral("formation"), [](Values & values) -> auto& { return values.search; });
  addLook();
  addCompute();
  form.layout()->addStretch(1);
  form.refresh();
  told = request();
}

void FormationPanel::addNeurons()
{
  form.addGroup(QStringLiteral("formationNeurons"), tr("Neurons"), tr("Who can form synapses, with which elements"));
  network = addSource(QStringLiteral("formationNetwork"), QStringLiteral("formationClearNetwork"), tr("Form anew"),
                      tr("Form the synapses of these neurons instead of reading them from this file; positions in "
                         "\u00b5m"),
                      [](const Values& values) { return !values.request.source.network.empty(); });
  connect(network, &SourceRow::cleared, this, &FormationPanel::clearNetwork);
  neurons = addSource(QStringLiteral("formationFile"), QStringLiteral("formationClearFile"), tr("At random"),
                      tr("Place neurons at random instead of reading them from this file; spacing in \u00b5m"),
                      [](const Values& values) { return !values.request.source.path.empty(); });
  connect(neurons, &SourceRow::cleared, this, &FormationPanel::clearFile);
  constexpr double kMostOfSlider = 1e6; // neurons
  addPlacementRows(
      form, QStringLiteral("formation"), kMostOfSlider, [](Values & values) -> auto& { return values.request.source; },
      [](const Values& values) { return values.request.source.path.empty(); });
  const auto showFormed = [&](QWidget* row) {
    form.showWhen(row, [](const Values& values) { return values.request.source.network.empty(); });
  };
  showFormed(form.addNumber(
      text("Axons", tr("Axons"), tr("Vacant axonal elements of each neuron."),
           tr("Each of them searches for a partner of its own.")),
      {1, 1000, 1, 20, 1, false, {}}, [](Values & values) -> auto& { return values.request.formation.axons; }));
  showFormed(form.addNumber(
      text("Dendrites", tr("Dendrites"), tr("Vacant dendritic elements of each neuron, of each sign."),
           tr("Where more axons choose a neuron than it has elements, chance decides which are refused.")),
      {1, 1000, 1, 20, 1, false, {}}, [](Values & values) -> auto& { return values.request.formation.dendrites; }));
}

SourceRow* FormationPanel::addSource(const QString& name, const QString& buttonName, const QString& button,
                                     const QString& help, bool (*isShown)(const Values&))
{
  auto* row = new SourceRow(name, buttonName, button, help, this);
  form.group()->addRow(row);
  form.showWhen(row, isShown);
  return row;
}

void FormationPanel::showSource()
{
  const study::NeuronSource& source = form.values().request.source;
  const QString path = QString::fromStdString(source.path);
  const QString synapses = QString::fromStdString(source.network);
  neurons->say(tr("Neurons: %1").arg(QFileInfo(path).fileName()), {},
               tr("Neurons and their positions in \u00b5m are read from %1").arg(path));
  network->say(tr("Synapses: %1").arg(QFileInfo(synapses).fileName()),
               path.isEmpty() ? tr("The file does not say where its neurons are: they are placed at random. Import "
                                   "their positions, then the file again.")
                              : QString(),
               tr("The synapses are read from %1, none is formed; lengths in \u00b5m").arg(synapses));
}

void FormationPanel::addLook()
{
  form.addGroup(QStringLiteral("formationLook"), tr("Picture"), tr("What of it is drawn; nothing is formed anew"));
  form.addNumber(
      text("Depth", tr("Depth"), tr("Level of the smallest boxes drawn, 0 to 21."),
           tr("A cell of level l has the edge of the whole box over 2^l.")),
      {0, synapse::kDeepestLevel, 0, 12, 1, false, {}}, [](Values & values) -> auto& { return values.look.deepest; });
  form.addNumber(
      text("Levels", tr("Levels"), tr("How many levels of boxes are drawn, from that one upward."),
           tr("Boxes are the stronger the more vacant elements they hold.")),
      {0, synapse::kDeepestLevel + 1, 0, 6, 1, false, {}}, [](Values & values) -> auto& { return values.look.levels; });
  form.addChoice(
      text("NeuronLook", tr("Neurons"), tr("What neurons are coloured by."), {}),
      {{tr("By type"), tr("Excitatory or inhibitory")},
       {tr("By vacancy"), tr("How many of the elements that were sought no synapse took")},
       {tr("Hidden"), tr("Boxes only")}},
      [](Values & values) -> auto& { return values.look.neurons; });
  form.addChoice(
      text("Cut", tr("Cut plane"), tr("Cuts away what lies beyond a plane across an axis."), {}),
      {{tr("None"), tr("Everything is drawn")},
       {tr("Across x"), tr("What lies beyond in x is left out")},
       {tr("Across y"), tr("What lies beyond in y is left out")},
       {tr("Across z"), tr("What lies beyond in z is left out")}},
      [](Values & values) -> auto& { return values.look.cut; });
  form.showWhen(form.addNumber(
                    text("CutAt", tr("Cut at"), tr("Where the plane is, as a share of the box, 0 to 1."), {}),
                    {0, 1, 0, 1, 0, false, {}}, [](Values & values) -> auto& { return values.look.cutShare; }),
                [](const Values& values) { return values.look.cut != widgets::CutAxis::None; });
  form.addChoice(
      text("SynapseLook", tr("Synapses"), tr("Which synapses are drawn."), {}),
      {{tr("None"), tr("No synapses")},
       {tr("Of selection"), tr("Arcs to and from the selected neuron")},
       {tr("Bundles"), tr("All, joined by cells of the octree; width and colour by their number")}},
      [](Values & values) -> auto& { return values.look.synapses; });
  form.showWhen(form.addNumber(
                    text("BundleLevel", tr("Bundle level"), tr("Level of the cells that bundles join, 1 to 5."), {}),
                    {1, 5, 1, 5, 1, false, {}}, [](Values & values) -> auto& { return values.look.bundleLevel; }),
                [](const Values& values) { return values.look.synapses == widgets::SynapseLook::Bundles; });
}

void FormationPanel::addCompute()
{
  backend = addComputeRows(
      form, QStringLiteral("formation"), tr("Where synapses are formed"),
      [](auto& values) -> auto& { return values.request.formation; });
}

study::FormationRequest FormationPanel::request() const
{
  study::FormationRequest request = form.values().request;
  request.formation.search = form.values().search.search();
  request.source.seed = request.formation.search.seed;
  return request;
}

void FormationPanel::setRequest(const study::FormationRequest& request)
{
  Values values = form.values();
  values.request = request;
  values.search.setSearch(request.formation.search);
  form.setValues(values);
  showSource();
  told = this->request();
}

void FormationPanel::setDevices(const DeviceReport& report)
{
  backend->setUnavailable(static_cast<int>(Backend::Cuda), QString::fromStdString(report.whyNoCuda));
}

void FormationPanel::setFile(const QString& path)
{
  study::FormationRequest edit = request();
  edit.source.path = path.toStdString();
  edit.source.network.clear(); // it was of other neurons
  setRequest(edit);
  emit edited(true);
}

void FormationPanel::clearFile()
{
  setFile({});
}

void FormationPanel::setNetwork(const NetworkFile& file)
{
  study::FormationRequest edit = request();
  edit.source.network = file.path.toStdString();
  if (!file.neurons.isEmpty())
    edit.source.path = file.neurons.toStdString();
  setRequest(edit);
  emit edited(true);
}

void FormationPanel::clearNetwork()
{
  study::FormationRequest edit = request();
  edit.source.network.clear();
  setRequest(edit);
  emit edited(true);
}

void FormationPanel::resetAll()
{
  if (request() == study::FormationRequest{})
    return;
  setRequest({});
  emit edited(true);
}

void FormationPanel::takeEdit(bool settled)
{
  if (std::exchange(shownLook, look()) != look())
    emit lookChanged();
  if (request() == told)
    return;
  if (settled)
    told = request();
  emit edited(settled);
}

} // namespace hinesight::app
