#include "app/parameter_panel.hpp"

#include "widgets/theme.hpp"

#include <QFrame>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <type_traits>
#include <utility>

namespace hinesight::app {

namespace {

using cable::DiscretizationPolicy;
using hines::BalanceMeasure;
using hines::PackStrategy;
using hines::SolverKind;
using hines::SplitStrategy;

const PipelineParameters& defaults()
{
  static const PipelineParameters parameters;
  return parameters;
}

NumberRange wholeNumbers(double lowest, double highest, double sliderHighest, const QString& unit = {},
                         bool logarithmic = false)
{
  return {lowest, highest, lowest, sliderHighest, 1, logarithmic, unit};
}

NumberRange magnitudes(double lowest, double highest, double sliderLowest, double sliderHighest, const QString& unit)
{
  return {lowest, highest, sliderLowest, sliderHighest, 0, true, unit};
}

bool runsOnCuda(SolverKind solver)
{
  return hines::traitsOf(solver).onCuda;
}

} // namespace

ParameterGroup::ParameterGroup(const QString& id, const QString& title, const QString& help, QWidget* parent)
    : QWidget(parent)
{
  header = new QToolButton(this);
  header->setObjectName(id + QStringLiteral("Group"));
  header->setText(title);
  header->setToolTip(help);
  header->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  header->setAutoRaise(true);
  header->setCheckable(true);
  header->setFocusPolicy(Qt::TabFocus);
  header->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  header->setProperty("groupHeader", true);
  body = new QWidget(this);
  rows = new QVBoxLayout(body);
  rows->setContentsMargins(12, 0, 8, 6);
  rows->setSpacing(2);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(header);
  column->addWidget(body);
  connect(header, &QToolButton::toggled, this, [this](bool open) {
    header->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    body->setVisible(open);
  });
  header->setChecked(true);
}

void ParameterGroup::addRow(QWidget* row)
{
  rows->addWidget(row);
}

void ParameterGroup::setFolded(bool folded)
{
  header->setChecked(!folded);
}

ParameterPanel::ParameterPanel(QWidget* parent) : QWidget(parent)
{
  setObjectName(QStringLiteral("parameterPanel"));
  auto* content = new QWidget;
  groups = new QVBoxLayout(content);
  groups->setContentsMargins(0, 0, 0, 0);
  groups->setSpacing(0);

  auto* scroll = new QScrollArea(this);
  scroll->setObjectName(QStringLiteral("parameterScroll"));
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(content);

  planSummary = new QLabel(this);
  planSummary->setObjectName(QStringLiteral("planSummary"));
  planSummary->setProperty("summary", true);
  planSummary->setTextFormat(Qt::RichText);
  planSummary->setTextInteractionFlags(Qt::TextSelectableByMouse);
  planSummary->setMargin(8);
  planSummary->setToolTip(
      tr("Figures of the plan: as read (the file's own tree), and as planned with these parameters."));

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(scroll, 1);
  column->addWidget(planSummary);

  addCompartments();
  addBiophysics();
  addBatch();
  addRandomTrees();
  addBalance();
  addSplit();
  addPack();
  addSolve();
  groups->addStretch(1);
  refresh();
  showPlan(nullptr);
}

ParameterGroup* ParameterPanel::addGroup(const QString& id, const QString& title, const QString& help)
{
  group = new ParameterGroup(id, title, help, this);
  groups->addWidget(group);
  return group;
}

void ParameterPanel::bind(ParameterRow* row, Read read, Write write, Condition relevant)
{
  group->addRow(row);
  bindings.push_back({row, std::move(read), std::move(write), std::move(relevant), false});
  const std::size_t number = bindings.size() - 1;
  connect(row, &ParameterRow::valueChanged, this, [this, number](double value) { takeEdit(bindings[number], value); });
}

template <typename Member>
NumberRow* ParameterPanel::addNumber(const ParameterText& text, const NumberRange& range, Member member,
                                     Condition relevant)
{
  using Value = std::remove_cvref_t<decltype(member(current))>;
  auto* row = new NumberRow(text, range, static_cast<double>(member(defaults())), this);
  bind(
      row, [member](const PipelineParameters& p) { return static_cast<double>(member(p)); },
      [member](PipelineParameters& p, double value) { member(p) = static_cast<Value>(value); }, std::move(relevant));
  return row;
}

template <typename Member>
ChoiceRow* ParameterPanel::addChoice(const ParameterText& text, const std::vector<ChoiceRow::Choice>& choices,
                                     Member member, Condition relevant)
{
  using Value = std::remove_cvref_t<decltype(member(current))>;
  auto* row = new ChoiceRow(text, choices, static_cast<double>(member(defaults())), this);
  bind(
      row, [member](const PipelineParameters& p) { return static_cast<double>(member(p)); },
      [member](PipelineParameters& p, double value) { member(p) = static_cast<Value>(static_cast<int>(value)); },
      std::move(relevant));
  return row;
}

template <typename Member>
SwitchRow* ParameterPanel::addSwitch(const ParameterText& text, Member member, Condition relevant)
{
  auto* row = new SwitchRow(text, member(defaults()) ? 1 : 0, this);
  bind(
      row, [member](const PipelineParameters& p) { return member(p) ? 1.0 : 0.0; },
      [member](PipelineParameters& p, double value) { member(p) = value != 0; }, std::move(relevant));
  return row;
}

void ParameterPanel::addCompartments()
{
  addGroup(QStringLiteral("compartments"), tr("Compartments"), tr("How a cell is cut into compartments"));
  addChoice(
      {QStringLiteral("policy"), tr("Cut by"), tr("How a branch is cut into compartments."),
       tr("One per sample makes a compartment of every line of the file, as the tables of Vooturi 2019 count them. A "
          "fixed "
          "number or a greatest length make compartments alike. The d-lambda rule keeps each of them short against the "
          "length that a 100 Hz signal travels (Hines and Carnevale 2001).")},
      {{tr("Sample"), tr("One compartment for every sample of the file")},
       {tr("Fixed number"), tr("The same number in every branch")},
       {tr("Greatest length"), tr("As few as keep every compartment below a length")},
       {tr("d-lambda"), tr("As few as keep every compartment below a fraction of the AC length constant")}},
      [](auto& p) -> auto& { return p.discretization.policy; });
  addNumber(
      {QStringLiteral("compartmentsPerBranch"), tr("Per branch"), tr("Compartments in every branch, 1 to 100,000."),
       tr("Every branch gets this many, long or short. Simple, and the batch of equal branches that many papers "
          "measure.")},
      wholeNumbers(1, 100'000, 64), [](auto& p) -> auto& { return p.discretization.compartmentsPerBranch; },
      [](const auto& p) { return p.discretization.policy == DiscretizationPolicy::FixedNumber; });
  addNumber(
      {QStringLiteral("maximumLength"), tr("Greatest length"), tr("No compartment is longer than this, in µm."),
       tr("A branch is cut into as few equal pieces as stay below this length. Smaller is more exact and more work.")},
      magnitudes(1e-3, 1e9, 1, 1000, tr(" µm")), [](auto& p) -> auto& { return p.discretization.maximumLength; },
      [](const auto& p) { return p.discretization.policy == DiscretizationPolicy::MaximumLength; });
  addNumber(
      {QStringLiteral("dLambda"), tr("d-lambda"),
       tr("Greatest length as a fraction of the AC length constant at 100 Hz."),
       tr("0.1 is the rule of thumb of NEURON: the error from cutting the cable stays below a few percent for signals "
          "up "
          "to 100 Hz (Hines and Carnevale 2001).")},
      magnitudes(1e-4, 10, 0.01, 1, {}), [](auto& p) -> auto& { return p.discretization.dLambda; },
      [](const auto& p) { return p.discretization.policy == DiscretizationPolicy::DLambda; });
  addNumber(
      {QStringLiteral("resolution"), tr("Resolution"), tr("Every compartment is cut in this many, 1 to 1,000."),
       tr("A factor on the work that keeps the shape of the tree: P in Vooturi 2019, section IV-D3.")},
      wholeNumbers(1, 1000, 100, {}, true), [](auto& p) -> auto& { return p.discretization.resolution; });
}

void ParameterPanel::addBiophysics()
{
  addGroup(QStringLiteral("biophysics"), tr("Membrane and time step"), tr("The numbers in the equations"))
      ->setFolded(true);
  const QString matrix = tr("It enters the matrix: changing it makes another system of the same shape.");
  addNumber(
      {QStringLiteral("membraneCapacitance"), tr("Capacitance"), tr("Membrane capacitance, µF/cm²."), matrix},
      magnitudes(1e-6, 1e3, 0.1, 10, tr(" µF/cm²")),
      [](auto& p) -> auto& { return p.discretization.membraneCapacitance; });
  addNumber(
      {QStringLiteral("axialResistivity"), tr("Axial resistivity"), tr("Resistivity of the cytoplasm, Ω cm."), matrix},
      magnitudes(1e-3, 1e6, 10, 1000, tr(" Ω cm")), [](auto& p) -> auto& { return p.discretization.axialResistivity; });
  addNumber(
      {QStringLiteral("leakConductance"), tr("Leak conductance"), tr("Leak conductance of the membrane, S/cm²."),
       matrix},
      {0, 1e3, 1e-6, 1e-2, 0, true, tr(" S/cm²")}, [](auto& p) -> auto& { return p.discretization.leakConductance; });
  addNumber(
      {QStringLiteral("leakReversal"), tr("Leak reversal"), tr("Resting potential of the leak, mV."),
       tr("It enters the right-hand side only.")},
      {-1000, 1000, -100, 0, 0, false, tr(" mV")}, [](auto& p) -> auto& { return p.discretization.leakReversal; });
  addNumber(
      {QStringLiteral("timeStep"), tr("Time step"), tr("Step of the backward Euler method, ms."),
       tr("One solve advances the voltages by this much. A longer step makes the matrix less dominated by its "
          "diagonal.")},
      magnitudes(1e-9, 1e6, 1e-3, 10, tr(" ms")), [](auto& p) -> auto& { return p.discretization.timeStep; });
  addNumber(
      {QStringLiteral("somaCurrent"), tr("Soma current"), tr("Current injected into the root compartment, nA."),
       tr("It enters the right-hand side only: without it nothing would happen in a cell at rest.")},
      {-1e6, 1e6, -1, 1, 0, false, tr(" nA")}, [](auto& p) -> auto& { return p.discretization.somaCurrent; });
}

void ParameterPanel::addBatch()
{
  addGroup(QStringLiteral("batch"), tr("Batch"), tr("How many systems are solved at once"));
  addChoice(
      {QStringLiteral("batchSource"), tr("Cells"), tr("What is solved: the open cells, or random trees."),
       tr("Random trees are drawn level by level in the manner of Huber 2018, section 7. They show how a solver "
          "behaves "
          "on trees of a given shape; they have no morphology.")},
      {{tr("Open cells"), tr("The cells of the Data panel")}, {tr("Random trees"), tr("Synthetic trees, from a seed")}},
      [](auto& p) -> auto& { return p.batch.source; });
  addNumber(
      {QStringLiteral("copies"), tr("Copies"), tr("Copies of every cell, 1 to 1,000,000."),
       tr("Every copy has a right-hand side of its own, so no two have the same solution. A GPU needs hundreds of "
          "cells "
          "before it is busy.")},
      wholeNumbers(1, 1'000'000, 100'000, {}, true), [](auto& p) -> auto& { return p.batch.copies; });
}

void ParameterPanel::addRandomTrees()
{
  const std::size_t firstOfTrees = bindings.size();
  const auto random = [](const PipelineParameters& p) { return p.batch.source == BatchSource::RandomTrees; };
  addNumber(
      {QStringLiteral("distinctTrees"), tr("Distinct trees"), tr("Trees of different shape, 1 to 256."),
       tr("Each is drawn with a number of its own. Together with the copies they make the batch.")},
      wholeNumbers(1, 256, 64), [](auto& p) -> auto& { return p.batch.distinctTrees; }, random);
  addNumber(
      {QStringLiteral("treeLevels"), tr("Levels"), tr("Levels of branches, 1 to 30."),
       tr("Level 0 is the branch at the soma.")},
      wholeNumbers(1, 30, 20), [](auto& p) -> auto& { return p.batch.randomTree.levels; }, random);
  addNumber(
      {QStringLiteral("branchingProbability"), tr("Branching"), tr("Probability that a branch splits in two."),
       tr("At 0 every tree is one chain; at 1 the number of branches doubles from level to level.")},
      {0, 1, 0, 1, 0, false, {}}, [](auto& p) -> auto& { return p.batch.randomTree.branchingProbability; }, random);
  addNumber(
      {QStringLiteral("treeCompartments"), tr("Per branch"), tr("Compartments of a branch of the first level."),
       tr("Deeper branches have fewer, by the decay.")},
      wholeNumbers(1, 10'000, 256), [](auto& p) -> auto& { return p.batch.randomTree.compartmentsPerBranch; }, random);
  addNumber(
      {QStringLiteral("treeBranchLength"), tr("Branch length"), tr("Length of a branch of the first level, µm."),
       tr("It decides the couplings, not the shape of the tree.")},
      magnitudes(1e-3, 1e6, 1, 1000, tr(" µm")), [](auto& p) -> auto& { return p.batch.randomTree.branchLength; },
      random);
  addNumber(
      {QStringLiteral("lengthDecay"), tr("Decay"), tr("Factor of length from one level to the next, up to 1."),
       tr("Branch lengths fall with the distance from the soma, as in real dendrites (Huber 2018, section 7).")},
      {1e-3, 1, 0.1, 1, 0, false, {}}, [](auto& p) -> auto& { return p.batch.randomTree.lengthDecay; }, random);
  addNumber(
      {QStringLiteral("seed"), tr("Seed"), tr("Number of the random sequence."),
       tr("The same seed gives the same trees on every machine.")},
      wholeNumbers(0, 1e9, 100), [](auto& p) -> auto& { return p.batch.randomTree.seed; }, random);
  for (std::size_t i = firstOfTrees; i < bindings.size(); ++i)
    bindings[i].hides = true;
}

void ParameterPanel::addBalance()
{
  addGroup(QStringLiteral("balance"), tr("Balance"), tr("Where the root of the dependency tree is"));
  addChoice(
      {QStringLiteral("balance"), tr("Root at"), tr("Moves the root so that the tree gets less deep."),
       tr("The equations do not care which compartment is the root, but the levels do: with the root in the centre of "
          "the "
          "tree fewer steps wait for one another (Huber 2018, section 6).")},
      {{tr("Soma"), tr("Keep the root of the file")},
       {tr("Fewest levels"), tr("The centre of the tree, counted in branches")},
       {tr("Shortest path"), tr("The centre of the tree, counted in compartments")}},
      [](auto& p) -> auto& { return p.plan.balance; });
}

void ParameterPanel::addSplit()
{
  addGroup(QStringLiteral("split"), tr("Split"), tr("Which branches are cut in two"));
  addChoice(
      {QStringLiteral("split"), tr("Cut"), tr("Cuts long branches so that a level has branches of like length."),
       tr("A level lasts as long as its longest branch. Cutting it moves its lower part one level down: the level gets "
          "shorter, but another barrier may come (Huber 2018, sections 6 and 8).")},
      {{tr("Nothing"), tr("Branches stay whole")},
       {tr("Level average"), tr("Branches longer than the average of their level over the batch")},
       {tr("Fixed length"), tr("Branches longer than a given number of compartments")},
       {tr("Block average"), tr("Branches longer than the average of their level in their block")}},
      [](auto& p) -> auto& { return p.plan.split; });
  addNumber(
      {QStringLiteral("splitLength"), tr("Threshold"),
       tr("Longer branches are cut, in compartments. Needs: Cut, fixed "
          "length."),
       tr("Small: short levels, many barriers. Large: few barriers, idle lanes. The Splitting view shows both sides; "
          "drag "
          "its threshold line.")},
      {1, 1'000'000, 1, 1000, 1, true, tr(" comp.")}, [](auto& p) -> auto& { return p.plan.splitLength; },
      [](const auto& p) { return p.plan.split == SplitStrategy::FixedLength; });
}

void ParameterPanel::addPack()
{
  addGroup(QStringLiteral("pack"), tr("Pack"), tr("How cells share blocks of threads"));
  addChoice(
      {QStringLiteral("pack"), tr("Fill"), tr("In what order cells go into blocks."),
       tr("A cell fits where every level has a free lane for each of its branches. Greedy takes cells as they come "
          "(Huber 2018, section 4); first-fit takes the largest first and tries every open block; "
          "level-shift lets subtrees begin levels later where their level is full (section 8).")},
      {{tr("Greedy"), tr("Next cell into the current block, or a new one")},
       {tr("First-fit"), tr("Largest first, each into the first block where it fits")},
       {tr("Level-shift"), tr("As greedy, subtrees begin later where their level has no lane left")}},
      [](auto& p) -> auto& { return p.plan.pack; });
  addNumber(
      {QStringLiteral("blockSize"), tr("Block size"), tr("Threads of a block, 32 to 1,024 in steps of 32."),
       tr("A wide block holds more cells and idles on narrow levels; a narrow one needs several passes for a wide "
          "level.")},
      {32, 1024, 32, 1024, 32, false, tr(" lanes")}, [](auto& p) -> auto& { return p.plan.blockSize; });
  addSwitch(
      {QStringLiteral("sortByLength"), tr("Sort by length"), tr("Branches of a level side by side by length."),
       tr("The 32 lanes of a warp wait for their longest branch; sorted, they have branches of like length (Huber "
          "2018, figure 4.1).")},
      [](auto& p) -> auto& { return p.plan.sortByLength; });
}

void ParameterPanel::addSolve()
{
  addGroup(QStringLiteral("solve"), tr("Solve"), tr("What executes the plan, and where"));
  addChoice(
      {QStringLiteral("solver"), tr("Solver"), tr("What executes the plan."),
       tr("Serial is one sweep on one core, the reference that all others are checked against. Multicore runs the "
          "blocks of the plan over the cores. Fine uses one thread a branch: on CUDA, or lane by lane on one core. "
          "Resident reads every cell once and keeps it on chip; it makes a plan of its own, the views show that of "
          "fine. Interleaved solves cells of one shape side by side in the processor's vectors, 4 to 32 at a time, and "
          "the others several at a time.")},
      {{tr("Serial"), tr("One sweep, one core: the reference (Hines 1984)")},
       {tr("Multicore"), tr("Blocks in parallel over the cores")},
       {tr("Fine"), tr("One thread a branch: CUDA, or lane by lane on one core (Huber 2018)")},
       {tr("Resident"), tr("Every cell read once, kept on chip, written once: CUDA, or over the cores")},
       {tr("Coarse"), tr("One lane a system, in one of five layouts: CUDA, or over the cores (Martinez 2018)")},
       {tr("Interleaved"), tr("Cells of one shape side by side in the vector registers of the cores")}},
      [](auto& p) -> auto& { return p.solve.solver; });
  backend = addChoice(
      {QStringLiteral("backend"), tr("Backend"), tr("Where the solver runs."),
       tr("Serial, multicore and interleaved run on the CPU only: choosing CUDA for them chooses the fine solver.")},
      {{tr("CPU"), tr("The processor of this machine")}, {tr("CUDA"), tr("The CUDA device")}},
      [](auto& p) -> auto& { return p.solve.backend; });
  backend->setUnavailable(1, tr("Looking for a CUDA device..."));
  addNumber(
      {QStringLiteral("repeat"), tr("Repetitions"), tr("Solves in a row; the fastest is timed."),
       tr("A single solve of a small batch is over in microseconds and its time is noisy.")},
      wholeNumbers(1, 1'000'000, 1000, {}, true), [](auto& p) -> auto& { return p.solve.repeat; });
  addNumber(
      {QStringLiteral("threads"), tr("CPU threads"), tr("Threads of the solvers that use several; 0: all."),
       tr("More threads than the machine has only get into each other's way.")},
      wholeNumbers(0, 1024, 64), [](auto& p) -> auto& { return p.solve.threads; },
      [](const auto& p) { return hines::traitsOf(p.solve.solver).usesThreads && p.solve.backend == Backend::Cpu; });
}

void ParameterPanel::takeEdit(const Binding& binding, double value)
{
  const PipelineParameters before = current;
  binding.write(current, value);
  // Of the two, the one that was not touched gives way.
  if (current.solve.backend == Backend::Cuda && !runsOnCuda(current.solve.solver)) {
    if (before.solve.backend == Backend::Cuda)
      current.solve.backend = Backend::Cpu;
    else
      current.solve.solver = SolverKind::Fine;
  }
  refresh();
  if (current != before)
    emit edited();
}

void ParameterPanel::refresh()
{
  for (const Binding& binding : bindings) {
    const bool relevant = !binding.relevant || binding.relevant(current);
    binding.row->setEnabled(relevant);
    binding.row->setVisible(relevant || !binding.hides);
    const double shown = binding.read(current);
    if (binding.row->value() != shown)
      binding.row->setValue(shown);
  }
}

void ParameterPanel::setParameters(const PipelineParameters& parameters)
{
  current = parameters;
  refresh();
}

void ParameterPanel::resetAll()
{
  const bool changes = current != defaults();
  setParameters(defaults());
  if (changes)
    emit edited();
}

void ParameterPanel::setDevices(const DeviceReport& report)
{
  backend->setUnavailable(1, QString::fromStdString(report.whyNoCuda));
}

void ParameterPanel::showPlan(const hines::SolvePlan* plan)
{
  planSummary->setVisible(plan);
  if (!plan) {
    planSummary->clear();
    return;
  }
  const QLocale locale(QLocale::English);
  const auto& before = plan->figuresAsRead;
  const auto& after = plan->figures;
  QString rows;
  const auto row = [&](const QString& name, const QString& asRead, const QString& planned) {
    rows += QStringLiteral(
                "<tr><td>%1</td><td align=right>&nbsp;&nbsp;%2</td><td align=right>&nbsp;&nbsp;<b>%3</b></td></tr>")
                .arg(name, asRead, planned);
  };
  const auto whole = [&](auto value) { return locale.toString(static_cast<qlonglong>(value)); };
  const auto percent = [](double fraction) { return widgets::formatNumber(fraction * 100) + QStringLiteral(" %"); };
  row(tr("<b>Plan</b>"), tr("as read"), tr("planned"));
  row(tr("Levels"), whole(before.levels), whole(after.levels));
  row(tr("Barriers"), whole(before.barriers), whole(after.barriers));
  row(tr("Critical path, steps"), whole(before.criticalPath), whole(after.criticalPath));
  row(tr("Lanes busy"), percent(before.occupancy), percent(after.occupancy));
  row(tr("Padding"), QString::fromStdString(formatBytes(before.paddingBytes)),
      QString::fromStdString(formatBytes(after.paddingBytes)));
  row(tr("Blocks"), whole(before.blocks), whole(after.blocks));
  planSummary->setText(QStringLiteral("<table width='100%' cellspacing=0 cellpadding=1>") + rows +
                       QStringLiteral("</table>"));
}

} // namespace hinesight::app
