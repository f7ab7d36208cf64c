#include "app/synapses/formation_panel.hpp"

#include "app/forms/machine_rows.hpp"
#include "app/forms/parameter_group.hpp"
#include "app/forms/source_row.hpp"

#include <QFileInfo>
#include <QVBoxLayout>

#include <iterator>
#include <utility>

namespace hinesight::app {

FormationPanel::FormationPanel(QWidget* parent) : QWidget(parent)
{
  setObjectName(QStringLiteral("formationPanel"));
  auto* groups = new QVBoxLayout;
  scrollInPanel(groups, this, QStringLiteral("formationScroll"));
  // The views need the tree: the window keeps it always.
  form = new FieldForm(groups, this, [this] { return fields(); },
                       {.prefix = QStringLiteral("formation"), .without = {"keep-tree"}});
  connect(form, &FieldForm::edited, this, &FormationPanel::takeEdit);
  showMachine(*form, nullptr);
  addSources();
  groups->addStretch(1);
  refresh();
  told = request();
}

/// Rows of neurons at random are there where none are read, those of elements where synapses are formed.
std::vector<BoundField> FormationPanel::fields()
{
  std::vector<BoundField> all;
  const auto add = [&](std::vector<BoundField> fields) {
    all.insert(all.end(), std::make_move_iterator(fields.begin()), std::make_move_iterator(fields.end()));
  };
  add(fieldsOf(current.source.placement));
  for (BoundField& field : all)
    field.about = field.about.onlyWhen(current.source.path.empty() && !current.source.given);
  add(fieldsOf(current.formation));
  for (const char* elements : {"axons", "dendrites"}) {
    Field& about = findField(all, elements)->about;
    about = about.onlyWhen(current.source.network.empty());
  }
  add(fieldsOf(drawn));
  return all;
}

void FormationPanel::addSources()
{
  neurons =
      new SourceRow(QStringLiteral("formationFile"), QStringLiteral("formationClearFile"), tr("At random"),
                    tr("Place neurons at random instead of reading them from this file; spacing in \u00b5m"), this);
  connect(neurons, &SourceRow::cleared, this, &FormationPanel::clearFile);
  network = new SourceRow(QStringLiteral("formationNetwork"), QStringLiteral("formationClearNetwork"), tr("Form new"),
                          tr("Form the synapses of these neurons instead of reading them from this file; positions in "
                             "\u00b5m"),
                          this);
  connect(network, &SourceRow::cleared, this, &FormationPanel::clearNetwork);
  for (SourceRow* row : {neurons, network})
    form->group("Neurons")->addFirstRow(row);
}

void FormationPanel::refresh()
{
  form->refresh();
  const QString path = QString::fromStdString(current.source.path);
  const QString synapses = QString::fromStdString(current.source.network);
  const QString populations = QString::fromStdString(study::populationsInWords(current.source));
  neurons->setVisible(!path.isEmpty() || current.source.given);
  if (current.source.given)
    neurons->say(
        tr("Neurons: %1").arg(populations), {},
        tr("Synapses are formed between these populations of the circuit; positions in \u00b5m: %1").arg(populations));
  else
    neurons->say(tr("Neurons: %1").arg(QFileInfo(path).fileName()), {},
                 tr("Neurons and their positions in \u00b5m are read from %1").arg(path));
  network->setVisible(!synapses.isEmpty());
  network->say(tr("Synapses: %1").arg(QFileInfo(synapses).fileName()),
               path.isEmpty() ? tr("The file does not say where its neurons are: they are placed at random. Import "
                                   "their positions, then the file again.")
                              : QString(),
               tr("The synapses are read from %1, none are formed; lengths in \u00b5m").arg(synapses));
}

study::FormationRequest FormationPanel::request() const
{
  study::FormationRequest request = current;
  request.source.seed = request.formation.search.seed;
  return request;
}

void FormationPanel::setRequest(const study::FormationRequest& request)
{
  current = request;
  refresh();
  told = this->request();
}

void FormationPanel::setDevices(const DeviceReport& report)
{
  showMachine(*form, &report);
}

void FormationPanel::setFile(const QString& path)
{
  study::FormationRequest edit = request();
  edit.source.path = path.toStdString();
  edit.source.network.clear(); // it was of other neurons
  edit.source.populations.clear();
  edit.source.given = nullptr;
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
  edit.source.populations.clear();
  edit.source.given = nullptr;
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
  refresh();
  if (std::exchange(shownLook, drawn) != drawn)
    emit lookChanged();
  if (request() == told)
    return;
  if (settled)
    told = request();
  emit edited(settled);
}

} // namespace hinesight::app
