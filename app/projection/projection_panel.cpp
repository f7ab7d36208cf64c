#include "app/projection/projection_panel.hpp"

#include "app/forms/parameter_group.hpp"
#include "app/projection/population_texts.hpp"
#include "widgets/choice_box.hpp"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace hinesight::app {

namespace {

using projection::KernelKind;
using projection::ParameterInfo;
using projection::ProjectionParameters;

constexpr int kLabelWidth = 132; ///< that of the other rows, with their button that explains

/// What a slider spans; the field takes the whole range of the parameter.
struct SliderRange
{
  const char* name;
  double lowest;
  double highest;
  bool logarithmic;
};

constexpr std::array kSliders = {SliderRange{"sigma", 0.5, 50, true},
                                 SliderRange{"sigma-y", 0, 50, false},
                                 SliderRange{"sigma-z", 0, 50, false},
                                 SliderRange{"angle", -180, 180, false},
                                 SliderRange{"gain", -2, 2, false},
                                 SliderRange{"sigma-m", 1, 500, true},
                                 SliderRange{"e2", 0.1, 20, true},
                                 SliderRange{"sigma-0", 0.2, 20, true},
                                 SliderRange{"fshift", 0, 30, false},
                                 SliderRange{"field-size", 0, 500, false},
                                 SliderRange{"wavelength", 1, 50, true},
                                 SliderRange{"sine-gain", -2, 2, false},
                                 SliderRange{"direction", -180, 180, false},
                                 SliderRange{"region", 0, 50, false},
                                 SliderRange{"surround-sigma", 0.5, 50, true},
                                 SliderRange{"surround-gain", -2, 2, false},
                                 SliderRange{"decay", 0.5, 50, true},
                                 SliderRange{"expression-reach", 0, 100, false},
                                 SliderRange{"random-weight", -2, 2, false},
                                 SliderRange{"offset-phi", -50, 50, false},
                                 SliderRange{"offset-r", -50, 50, false},
                                 SliderRange{"offset-z", -50, 50, false},
                                 SliderRange{"cut", 0, 0.2, false},
                                 SliderRange{"box-cut", 0, 6, false},
                                 SliderRange{"delay", 0, 20, false},
                                 SliderRange{"velocity", 0, 10, false}};

const SliderRange& sliderOf(const char* name)
{
  const auto* found = std::find_if(kSliders.begin(), kSliders.end(),
                                   [name](const SliderRange& range) { return std::strcmp(range.name, name) == 0; });
  if (found == kSliders.end())
    qFatal("the parameter %s has no slider", name);
  return *found;
}

/// "sigma-m" as the id "sigmaM" and the label "Sigma m".
QString idOf(const char* name)
{
  QString id;
  for (const QString& word : QString::fromLatin1(name).split(QLatin1Char('-')))
    id += id.isEmpty() ? word : word.left(1).toUpper() + word.mid(1);
  return QStringLiteral("projection") + id.left(1).toUpper() + id.mid(1);
}

QString labelOf(const char* name)
{
  QString label = QString::fromLatin1(name).replace(QLatin1Char('-'), QLatin1Char(' '));
  return label.left(1).toUpper() + label.mid(1);
}

/// Calls take(index, info, field) for the parameter of that name.
template <typename Take>
void withParameter(ProjectionParameters& parameters, const char* name, const Take& take)
{
  std::size_t index = 0;
  projection::visitParameters(parameters, [&](const ParameterInfo& info, double& field) {
    if (std::strcmp(info.name, name) == 0)
      take(index, info, field);
    ++index;
  });
}

double numberAt(ProjectionParameters parameters, std::size_t wanted)
{
  double value = 0;
  std::size_t index = 0;
  projection::visitParameters(parameters, [&](const ParameterInfo&, double& field) {
    value = index == wanted ? field : value;
    ++index;
  });
  return value;
}

void setNumberAt(ProjectionParameters& parameters, std::size_t wanted, double value)
{
  std::size_t index = 0;
  projection::visitParameters(parameters, [&](const ParameterInfo&, double& field) {
    field = index == wanted ? value : field;
    ++index;
  });
}

NumberRange rangeOf(const ParameterInfo& info)
{
  constexpr double kAbove = 1e-9; ///< the least number above a bound that does not belong to the range
  const SliderRange& slider = sliderOf(info.name);
  const bool inUnits = std::strcmp(info.unit, "length") != 0 && std::strcmp(info.unit, "length/ms") != 0;
  const QString unit = std::strcmp(info.unit, "degrees") == 0 ? QStringLiteral("\u00b0")
                       : inUnits && *info.unit != '\0'        ? QLatin1Char(' ') + QString::fromLatin1(info.unit)
                                                              : QString();
  return {info.above ? info.least + kAbove : info.least,
          info.greatest,
          slider.lowest,
          slider.highest,
          0,
          slider.logarithmic,
          unit};
}

QString unitInWords(const ParameterInfo& info)
{
  if (std::strcmp(info.unit, "length") == 0)
    return ProjectionPanel::tr(", in the populations' unit of length");
  if (std::strcmp(info.unit, "length/ms") == 0)
    return ProjectionPanel::tr(", in the populations' unit of length per ms");
  return *info.unit == '\0' ? QString() : QStringLiteral(", ") + QString::fromLatin1(info.unit);
}

QString kernelTitle(KernelKind kind)
{
  const std::string_view name = projection::kernelName(kind);
  QString title = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
  title.replace(QLatin1Char('-'), QLatin1Char(' ')).replace(QLatin1String("gauss"), QLatin1String("Gauss"));
  return title.left(1).toUpper() + title.mid(1);
}

QString kernelHelp(KernelKind kind)
{
  switch (kind) {
  case KernelKind::Gaussian:
    return ProjectionPanel::tr("A bell, round or elliptic");
  case KernelKind::WideningGaussian:
    return ProjectionPanel::tr("A bell that widens with the y of the source (James 2021)");
  case KernelKind::Gabor:
    return ProjectionPanel::tr("A wave under a bell");
  case KernelKind::DifferenceOfGaussians:
    return ProjectionPanel::tr("A bell less a wider one: centre and surround");
  case KernelKind::Exponential:
    return ProjectionPanel::tr("Falls to 1/e over a distance");
  case KernelKind::OneToOne:
    return ProjectionPanel::tr("Each source to the destination of the same index");
  case KernelKind::AllToAll:
    return ProjectionPanel::tr("Every pair alike");
  case KernelKind::Expression:
    return ProjectionPanel::tr("A formula of your own");
  }
  return {};
}

/// Where a population that was at `place` is in `next`: the same one, else one of its name, else what is at its place.
int placeOf(const PopulationChoice& population, int place, const std::vector<PopulationChoice>& next)
{
  const auto find = [&](const auto& suits) {
    if (static_cast<std::size_t>(place) < next.size() && suits(next[static_cast<std::size_t>(place)]))
      return place; // of several that suit
    const auto found = std::find_if(next.begin(), next.end(), suits);
    return found == next.end() ? -1 : static_cast<int>(found - next.begin());
  };
  int found = find([&](const PopulationChoice& other) { return makeTheSame(other, population); });
  if (found < 0)
    found = find([&](const PopulationChoice& other) { return other.parameters.name == population.parameters.name; });
  return found < 0 ? place : found;
}

} // namespace

ProjectionPanel::ProjectionPanel(QWidget* parent) : QWidget(parent)
{
  setObjectName(QStringLiteral("projectionPanel"));
  groups = new QVBoxLayout;
  scrollInPanel(groups, this, QStringLiteral("projectionScroll"));
  addPopulations();
  addKernel();
  addRule();
  addPlacement();
  addBackend();
  groups->addStretch(1);
  refresh();
}

ParameterGroup* ProjectionPanel::addGroup(const QString& id, const QString& title, const QString& help)
{
  group = new ParameterGroup(id, title, help, this);
  groups->addWidget(group);
  return group;
}

void ProjectionPanel::addPopulations()
{
  addGroup(QStringLiteral("projectionPopulations"), tr("Populations"), tr("Whose neurons are joined"));
  populationRows = new QWidget;
  auto* form = new QFormLayout(populationRows);
  form->setContentsMargins(0, 2, 0, 2);
  source = new widgets::ChoiceBox;
  source->setObjectName(QStringLiteral("projectionSource"));
  source->setToolTip(tr("The population that the connections come from; its layer is the upper one"));
  destination = new widgets::ChoiceBox;
  destination->setObjectName(QStringLiteral("projectionDestination"));
  destination->setToolTip(tr("The population that the connections go to"));
  for (const auto& [text, combo] : {std::pair(tr("From"), source), std::pair(tr("To"), destination)}) {
    auto* label = new QLabel(text);
    label->setFixedWidth(kLabelWidth);
    label->setBuddy(combo);
    form->addRow(label, combo);
  }
  for (widgets::ChoiceBox* combo : {source, destination}) {
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(combo, &QComboBox::activated, this, [this] {
      sourceIndex = source->currentIndex();
      destinationIndex = destination->currentIndex();
      takeEdit(nullptr);
    });
  }
  group->addRow(populationRows);
}

void ProjectionPanel::addKernel()
{
  addGroup(QStringLiteral("projectionKernel"), tr("Kernel"), tr("The weight of a pair, by where its neurons are"));
  std::vector<ChoiceRow::Choice> kernels;
  for (const KernelKind kind : projection::allKernels())
    kernels.push_back({kernelTitle(kind), kernelHelp(kind)});
  kernel = addChoice({QStringLiteral("projectionKernel"), tr("Kernel"), tr("What the weight is a function of."),
                      tr("The displacement from the source, moved by the offset, to the destination.")},
                     kernels, static_cast<double>(current.kernel),
                     [this](double value) { current.kernel = static_cast<KernelKind>(static_cast<int>(value)); });
  expressionRow = new QWidget;
  auto* form = new QFormLayout(expressionRow);
  form->setContentsMargins(0, 2, 0, 2);
  expression = new QLineEdit;
  expression->setObjectName(QStringLiteral("projectionExpression"));
  expression->setPlaceholderText(QStringLiteral("exp(-r / 5)"));
  expression->setToolTip(
      tr("A formula in dx, dy, dz, r and the coordinates of source and destination; Enter takes it"));
  form->addRow(tr("Formula"), expression);
  connect(expression, &QLineEdit::editingFinished, this, [this] {
    if (expression->text().toStdString() == current.expression)
      return;
    current.expression = expression->text().toStdString();
    takeEdit(nullptr);
  });
  group->addRow(expressionRow);
  conditions.push_back({expressionRow, [](const auto& p) { return p.kernel == KernelKind::Expression; }});
  addNumbers({"sigma", "sigma-y", "sigma-z", "angle", "gain", "sigma-m", "e2", "sigma-0", "fshift", "field-size",
              "wavelength", "sine-gain", "direction", "region", "surround-sigma", "surround-gain", "decay",
              "expression-reach"});
}

void ProjectionPanel::addRule()
{
  addGroup(QStringLiteral("projectionRule"), tr("Rows"), tr("Which pairs have a row in the table"));
  addNumbers({"cut", "box-cut"});
  rule = addChoice({QStringLiteral("projectionRule"), tr("Value is"), tr("What the kernel's value means."),
                    tr("As a probability it decides by a random number of the pair, the same on every machine.")},
                   {{tr("The weight"), tr("A pair has a row where |value| is above the cut")},
                    {tr("A probability"), tr("Of a connection with the random weight")}},
                   static_cast<double>(current.rule), [this](double value) {
                     current.rule = static_cast<projection::ConnectionRule>(static_cast<int>(value));
                   });
  const auto isRandom = [](const auto& p) { return p.rule == projection::ConnectionRule::Random; };
  addNumbers({"random-weight"});
  conditions.push_back({numbers.back().row, isRandom});
  seed = new NumberRow({QStringLiteral("projectionSeed"), tr("Seed"), tr("Number of the random sequence."),
                        tr("The same seed gives the same rows on every machine.")},
                       {0, 1e9, 0, 100, 1, false, {}}, static_cast<double>(current.seed), this);
  connect(seed, &ParameterRow::valueChanged, this, [this](double value) {
    current.seed = static_cast<std::uint64_t>(value);
    takeEdit(seed);
  });
  connect(seed, &NumberRow::released, this, [this] { emit edited(true); });
  group->addRow(seed);
  conditions.push_back({seed, isRandom});
  selfConnections = addSwitch({QStringLiteral("projectionSelf"), tr("Self"),
                               tr("Rows for a neuron and itself, of a population that projects to itself."),
                               tr("Two populations have none: neurons of equal index are different ones.")},
                              current.selfConnections, [this](double value) { current.selfConnections = value != 0; });
  conditions.push_back({selfConnections, [this](const auto&) { return joinsOnePopulation(); }});
}

void ProjectionPanel::addPlacement()
{
  addGroup(QStringLiteral("projectionPlacement"), tr("Placement and delay"), tr("Where the kernel lies, and how late"));
  addNumbers({"offset-phi", "offset-r", "offset-z"});
  wrap = addSwitch({QStringLiteral("projectionWrap"), tr("Torus"), tr("Opposite edges of the destination meet."),
                    tr("Of all images of a displacement the shortest counts.")},
                   current.wrap, [this](double value) { current.wrap = value != 0; });
  addNumbers({"delay", "velocity"});
}

void ProjectionPanel::addBackend()
{
  addGroup(QStringLiteral("projectionCompute"), tr("Compute"), tr("Where the table is made"));
  backend = addChoice({QStringLiteral("projectionBackend"), tr("Backend"), tr("Where the table is made."),
                       tr("Both give the same rows; weights agree to the last but one bit.")},
                      {{tr("CPU"), tr("The processor of this machine")}, {tr("CUDA"), tr("The CUDA device")}},
                      static_cast<double>(compute.backend),
                      [this](double value) { compute.backend = static_cast<Backend>(static_cast<int>(value)); });
  backend->setUnavailable(static_cast<int>(Backend::Cuda), tr("Looking for a CUDA device..."));
}

void ProjectionPanel::addNumbers(const std::vector<const char*>& names)
{
  for (const char* name : names) {
    withParameter(current, name, [&](std::size_t index, const ParameterInfo& info, double& field) {
      const ParameterText text{idOf(name), labelOf(name),
                               QString::fromLatin1(info.help) + unitInWords(info) + QLatin1Char('.'),
                               tr("From %1 to %2.").arg(info.least).arg(info.greatest)};
      auto* row = new NumberRow(text, rangeOf(info), field, this);
      connect(row, &ParameterRow::valueChanged, this, [this, row, index](double value) {
        setNumberAt(current, index, value);
        takeEdit(row);
      });
      connect(row, &NumberRow::released, this, [this] { emit edited(true); });
      group->addRow(row);
      numbers.push_back({row, index});
      if (info.kernels != projection::kEveryKernel)
        conditions.push_back({row, [kernels = info.kernels](const auto& p) {
                                return (kernels & projection::kernelBit(p.kernel)) != 0;
                              }});
    });
  }
}

ChoiceRow* ProjectionPanel::addChoice(const ParameterText& text, const std::vector<ChoiceRow::Choice>& choices,
                                      double defaultValue, const std::function<void(double)>& write)
{
  auto* row = new ChoiceRow(text, choices, defaultValue, this);
  connect(row, &ParameterRow::valueChanged, this, [this, write](double value) {
    write(value);
    takeEdit(nullptr);
  });
  group->addRow(row);
  return row;
}

SwitchRow* ProjectionPanel::addSwitch(const ParameterText& text, bool defaultValue,
                                      const std::function<void(double)>& write)
{
  auto* row = new SwitchRow(text, defaultValue ? 1 : 0, this);
  connect(row, &ParameterRow::valueChanged, this, [this, write](double value) {
    write(value);
    takeEdit(nullptr);
  });
  group->addRow(row);
  return row;
}

void ProjectionPanel::takeEdit(const NumberRow* dragged)
{
  refresh();
  emit edited(!dragged || !dragged->isDragged());
}

void ProjectionPanel::refresh()
{
  for (const Number& number : numbers)
    if (const double value = numberAt(current, number.index); number.row->value() != value)
      number.row->setValue(value);
  kernel->setValue(static_cast<double>(current.kernel));
  rule->setValue(static_cast<double>(current.rule));
  seed->setValue(static_cast<double>(current.seed));
  wrap->setValue(current.wrap ? 1 : 0);
  selfConnections->setValue(current.selfConnections ? 1 : 0);
  backend->setValue(static_cast<double>(compute.backend));
  const QString text = QString::fromStdString(current.expression);
  if (!expression->hasFocus() && expression->text() != text)
    expression->setText(text);
  for (const Shown& shown : conditions)
    shown.row->setVisible(shown.when(current));
}

ProjectionRequest ProjectionPanel::request() const
{
  ProjectionRequest request;
  request.source = populations[static_cast<std::size_t>(sourceIndex)];
  request.destination = populations[static_cast<std::size_t>(destinationIndex)];
  request.parameters = current;
  request.compute = compute;
  return request;
}

void ProjectionPanel::setParameters(const ProjectionParameters& parameters)
{
  current = parameters;
  refresh();
}

void ProjectionPanel::setPopulations(std::vector<PopulationChoice> shown)
{
  const auto placeNow = [&](int place) {
    const auto before = static_cast<std::size_t>(place);
    return before < populations.size() ? placeOf(populations[before], place, shown) : place;
  };
  const int sourcePlace = placeNow(sourceIndex);
  const int destinationPlace = placeNow(destinationIndex);
  populations = std::move(shown);
  std::vector<widgets::ChoiceBox::Entry> entries;
  for (const PopulationChoice& population : populations)
    entries.push_back({QString::fromStdString(population.parameters.name),
                       describePopulation(population) + QLatin1Char('\n') + describePlacing(population)});
  for (widgets::ChoiceBox* combo : {source, destination})
    combo->setEntries(entries);
  choosePopulations(sourcePlace, destinationPlace);
}

void ProjectionPanel::choosePopulations(int sourcePlace, int destinationPlace)
{
  const int last = static_cast<int>(populations.size()) - 1;
  sourceIndex = std::clamp(sourcePlace, 0, last);
  destinationIndex = std::clamp(destinationPlace, 0, last);
  source->setCurrentIndex(sourceIndex);
  destination->setCurrentIndex(destinationIndex);
  refresh();
}

/// Only then are there self-connections (projection::leavesSelfOut).
bool ProjectionPanel::joinsOnePopulation() const
{
  return !populations.empty() && makeTheSame(populations[static_cast<std::size_t>(sourceIndex)],
                                             populations[static_cast<std::size_t>(destinationIndex)]);
}

void ProjectionPanel::setDevices(const DeviceReport& report)
{
  backend->setUnavailable(static_cast<int>(Backend::Cuda), QString::fromStdString(report.whyNoCuda));
}

void ProjectionPanel::resetAll()
{
  if (current == ProjectionParameters())
    return;
  setParameters({});
  emit edited(true);
}

} // namespace hinesight::app
