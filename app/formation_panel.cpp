#include "app/formation_panel.hpp"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

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
  auto* body = new QWidget;
  form.layout()->setContentsMargins(0, 0, 0, 0);
  form.layout()->setSpacing(0);
  body->setLayout(form.layout());
  auto* scroll = new QScrollArea(this);
  scroll->setObjectName(QStringLiteral("formationScroll"));
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(body);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(scroll);
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
  networkName = addFileRow(
      "formationNetwork", "formationClearNetwork", tr("Form anew"),
      tr("Form the synapses of these neurons instead of reading them from this file; positions in \u00b5m"),
      [](const Values& values) { return !values.request.source.network.empty(); }, &FormationPanel::clearNetwork);
  fileName = addFileRow(
      "formationFile", "formationClearFile", tr("At random"),
      tr("Place neurons at random instead of reading them from this file; spacing in \u00b5m"),
      [](const Values& values) { return !values.request.source.path.empty(); }, &FormationPanel::clearFile);
  const auto isFormed = [](const Values& values) { return values.request.source.network.empty(); };
  const auto showFormed = [&](QWidget* row) { form.showWhen(row, isFormed); };
  const auto isRandom = [](const Values& values) { return values.request.source.path.empty(); };
  const auto showRandom = [&](QWidget* row) { form.showWhen(row, isRandom); };
  showRandom(form.addNumber(
      text("Neurons", tr("Neurons"), tr("How many neurons, 1 to 10,000,000."),
           tr("One in each of so many cells of a cube, at a random point of it (RELeARN).")),
      {1, 1e7, 100, 1e6, 1, true, {}}, [](Values & values) -> auto& { return values.request.source.neurons; }));
  showRandom(form.addNumber(
      text("Spacing", tr("Spacing"), tr("Edge of each neuron's cell, \u00b5m."),
           tr("Together with sigma it says how many neurons a synapse may choose from. RELeARN's "
              "papers have 26 \u00b5m.")),
      {0.01, 1e6, 1, 1000, 0, true, QStringLiteral(" \u00b5m")},
      [](Values & values) -> auto& { return values.request.source.spacing; }));
  showRandom(form.addNumber(
      text("Excitatory", tr("Excitatory"), tr("Share of excitatory neurons, 0 to 1."),
           tr("An excitatory axon seeks excitatory dendrites, an inhibitory one inhibitory ones.")),
      {0, 1, 0, 1, 0, false, {}}, [](Values & values) -> auto& { return values.request.source.excitatory; }));
  showFormed(form.addNumber(
      text("Axons", tr("Axons"), tr("Vacant axonal elements of each neuron."),
           tr("Each of them searches for a partner of its own.")),
      {0, 1000, 0, 20, 1, false, {}}, [](Values & values) -> auto& { return values.request.formation.axons; }));
  showFormed(form.addNumber(
      text("Dendrites", tr("Dendrites"), tr("Vacant dendritic elements of each neuron, of each sign."),
           tr("Where more axons choose a neuron than it has elements, chance decides which are refused.")),
      {0, 1000, 0, 20, 1, false, {}}, [](Values & values) -> auto& { return values.request.formation.dendrites; }));
}

QLabel* FormationPanel::addFileRow(const char* name, const char* buttonName, const QString& button, const QString& help,
                                   bool (*isShown)(const Values&), void (FormationPanel::*clear)())
{
  auto* fileRow = new QWidget;
  auto* row = new QHBoxLayout(fileRow);
  row->setContentsMargins(0, 2, 0, 2);
  auto* label = new QLabel;
  label->setObjectName(QLatin1String(name));
  auto* clearButton = new QPushButton(button);
  clearButton->setObjectName(QLatin1String(buttonName));
  clearButton->setToolTip(help);
  row->addWidget(label, 1);
  row->addWidget(clearButton);
  connect(clearButton, &QPushButton::clicked, this, clear);
  form.group()->addRow(fileRow);
  form.showWhen(fileRow, isShown);
  return label;
}

void FormationPanel::showFile()
{
  const NeuronSource& source = form.values().request.source;
  const QString path = QString::fromStdString(source.path);
  const QString network = QString::fromStdString(source.network);
  fileName->setText(tr("Neurons: %1").arg(QFileInfo(path).fileName()));
  fileName->setToolTip(tr("Neurons and their positions in \u00b5m are read from %1").arg(path));
  networkName->setText(tr("Synapses: %1").arg(QFileInfo(network).fileName()));
  networkName->setToolTip(tr("The synapses are read from %1, none is formed; lengths in \u00b5m").arg(network));
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
  form.addGroup(QStringLiteral("formationCompute"), tr("Compute"), tr("Where synapses are formed"));
  backend = form.addChoice(
      text("Backend", tr("Backend"), tr("Where synapses are formed."), tr("Both give the same network.")),
      {{tr("CPU"), tr("The processor of this machine")}, {tr("CUDA"), tr("The CUDA device")}},
      [](Values & values) -> auto& { return values.request.formation.backend; });
  backend->setUnavailable(static_cast<int>(Backend::Cuda), tr("Looking for a CUDA device..."));
  form.showWhen(form.addNumber(
                    text("Threads", tr("Threads"), tr("Of the processor; 0: all of them."), {}),
                    {0, 256, 0, 32, 1, false, {}},
                    [](Values & values) -> auto& { return values.request.formation.threads; }),
                [](const Values& values) { return values.request.formation.backend == Backend::Cpu; });
}

FormationRequest FormationPanel::request() const
{
  FormationRequest request = form.values().request;
  request.formation.search = form.values().search.search();
  request.source.seed = request.formation.search.seed;
  return request;
}

void FormationPanel::setRequest(const FormationRequest& request)
{
  Values values = form.values();
  values.request = request;
  values.search.setSearch(request.formation.search);
  form.setValues(values);
  showFile();
  told = this->request();
}

void FormationPanel::setDevices(const DeviceReport& report)
{
  backend->setUnavailable(static_cast<int>(Backend::Cuda), QString::fromStdString(report.whyNoCuda));
}

void FormationPanel::setFile(const QString& path)
{
  FormationRequest edit = request();
  edit.source.path = path.toStdString();
  edit.source.network.clear(); // it was of other neurons
  setRequest(edit);
  emit edited(true);
}

void FormationPanel::clearFile()
{
  setFile({});
}

void FormationPanel::setNetwork(const QString& path)
{
  FormationRequest edit = request();
  edit.source.network = path.toStdString();
  if (std::string neurons = neuronsBeside(edit.source.network); !neurons.empty())
    edit.source.path = std::move(neurons);
  setRequest(edit);
  emit edited(true);
}

void FormationPanel::clearNetwork()
{
  FormationRequest edit = request();
  edit.source.network.clear();
  setRequest(edit);
  emit edited(true);
}

void FormationPanel::resetAll()
{
  if (request() == FormationRequest{})
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
