#include "app/cells/parameter_panel.hpp"

#include "app/cells/solver_texts.hpp"
#include "widgets/theme.hpp"

#include <QFrame>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>
#include <cstdint>
#include <string_view>
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

/// Whole numbers of which the lowest means something else, which `word` says.
NumberRange wholeNumbersOr(const QString& word, double lowest, double highest, double sliderHighest,
                           const QString& unit = {})
{
  NumberRange range = wholeNumbers(lowest, highest, sliderHighest, unit);
  range.lowestWord = word;
  return range;
}

NumberRange magnitudes(double lowest, double highest, double sliderLowest, double sliderHighest, const QString& unit)
{
  return {lowest, highest, sliderLowest, sliderHighest, 0, true, unit};
}

/// The solvers in the order of the engine's table, which is that of SolverKind.
std::vector<ChoiceRow::Choice> solverChoices()
{
  std::vector<ChoiceRow::Choice> choices;
  for (const hines::SolverTraits& traits : hines::allSolvers()) {
    const SolverText text = textOf(traits);
    choices.push_back({text.title, QStringLiteral("%1 (%2)").arg(text.summary, whereItRuns(traits))});
  }
  return choices;
}

QString solverDetail()
{
  QStringList sentences;
  for (const hines::SolverTraits& traits : hines::allSolvers()) {
    const SolverText text = textOf(traits);
    sentences << QStringLiteral("%1: %2 (%3).").arg(text.title, text.summary, whereItRuns(traits));
  }
  return sentences.join(QLatin1Char('\n'));
}

/// Names of the engine as choices: "block-interleaved" as "Block-interleaved".
QString inTitleCase(std::string_view name)
{
  QString title = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
  return title.replace(0, 1, title.left(1).toUpper());
}

bool uses(const PipelineParameters& parameters, SolverKind solver)
{
  return parameters.solve.solver == solver;
}

/// The nearest number of threads that a coarse block may have: a power of two below a warp, else whole warps.
std::int32_t coarseBlockNear(double value)
{
  constexpr double kWarp = 32;
  if (value >= kWarp)
    return static_cast<std::int32_t>(std::round(value / kWarp) * kWarp);
  return static_cast<std::int32_t>(std::exp2(std::round(std::log2(value))));
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

QVBoxLayout* scrollInPanel(QVBoxLayout* groups, QWidget* panel, const QString& name)
{
  groups->setContentsMargins(0, 0, 0, 0);
  groups->setSpacing(0);
  auto* body = new QWidget;
  body->setLayout(groups);
  auto* scroll = new QScrollArea(panel);
  scroll->setObjectName(name);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(body);
  auto* column = new QVBoxLayout(panel);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(scroll, 1);
  return column;
}

ParameterPanel::ParameterPanel(QWidget* parent) : QWidget(parent)
{
  setObjectName(QStringLiteral("parameterPanel"));
  groups = new QVBoxLayout;
  QVBoxLayout* column = scrollInPanel(groups, this, QStringLiteral("parameterScroll"));
  planSummary = new QLabel(this);
  planSummary->setObjectName(QStringLiteral("planSummary"));
  planSummary->setProperty("summary", true);
  planSummary->setTextFormat(Qt::RichText);
  planSummary->setTextInteractionFlags(Qt::TextSelectableByMouse);
  planSummary->setMargin(8);
  planSummary->setWordWrap(true);
  planSummary->setToolTip(
      tr("Figures of the plan: as read (the file's own tree), balanced but uncut, and as planned with these "
         "parameters."));

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
  showPlan(nullptr, nullptr);
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
  bindings.push_back({row, std::move(read), std::move(write), std::move(relevant), {}});
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
  addNumber(
      {QStringLiteral("distinctTrees"), tr("Distinct trees"), tr("Trees of different shape, 1 to 256."),
       tr("Each is drawn with a number of its own. Together with the copies they make the batch.")},
      wholeNumbers(1, 256, 64), [](auto& p) -> auto& { return p.batch.distinctTrees; });
  addNumber(
      {QStringLiteral("treeLevels"), tr("Levels"), tr("Levels of branches, 1 to 30."),
       tr("Level 0 is the branch at the soma.")},
      wholeNumbers(1, 30, 20), [](auto& p) -> auto& { return p.batch.randomTree.levels; });
  addNumber(
      {QStringLiteral("branchingProbability"), tr("Branching"), tr("Probability that a branch splits in two."),
       tr("At 0 every tree is one chain; at 1 the number of branches doubles from level to level.")},
      {0, 1, 0, 1, 0, false, {}}, [](auto& p) -> auto& { return p.batch.randomTree.branchingProbability; });
  addNumber(
      {QStringLiteral("treeCompartments"), tr("Per branch"), tr("Compartments of a branch of the first level."),
       tr("Deeper branches have fewer, by the decay.")},
      wholeNumbers(1, 10'000, 256), [](auto& p) -> auto& { return p.batch.randomTree.compartmentsPerBranch; });
  addNumber(
      {QStringLiteral("treeBranchLength"), tr("Branch length"), tr("Length of a branch of the first level, µm."),
       tr("It decides the couplings, not the shape of the tree.")},
      magnitudes(1e-3, 1e6, 1, 1000, tr(" µm")), [](auto& p) -> auto& { return p.batch.randomTree.branchLength; });
  addNumber(
      {QStringLiteral("lengthDecay"), tr("Decay"), tr("Factor of length from one level to the next, up to 1."),
       tr("Branch lengths fall with the distance from the soma, as in real dendrites (Huber 2018, section 7).")},
      {1e-3, 1, 0.1, 1, 0, false, {}}, [](auto& p) -> auto& { return p.batch.randomTree.lengthDecay; });
  addNumber(
      {QStringLiteral("seed"), tr("Seed"), tr("Number of the random sequence."),
       tr("The same seed gives the same trees on every machine.")},
      wholeNumbers(0, 1e9, 100), [](auto& p) -> auto& { return p.batch.randomTree.seed; });
  hideUnless(firstOfTrees, [](const auto& p) { return p.batch.source == BatchSource::RandomTrees; });
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
  addGroup(QStringLiteral("solve"), tr("Solve"), tr("What solves the batch, and where"));
  solver = addChoice(
      {QStringLiteral("solver"), tr("Solver"), tr("What solves the batch."), solverDetail()}, solverChoices(),
      [](auto& p) -> auto& { return p.solve.solver; });
  backend = addChoice(
      {QStringLiteral("backend"), tr("Backend"), tr("Where the solver runs."),
       tr("Where the chosen solver does not run there, the %1 solver is chosen.")
           .arg(textOf(hines::traitsOf(SolverKind::Resident)).title.toLower())},
      {{tr("CPU"), tr("The processor of this machine")}, {tr("CUDA"), tr("The CUDA device")}},
      [](auto& p) -> auto& { return p.solve.backend; });
  precision = addChoice(
      {QStringLiteral("precision"), tr("Precision"), tr("Of the numbers that are read, worked with and written."),
       tr("Single moves half the bytes. Solvers eliminate sums of rows instead of diagonals, which loses no digits to "
          "cancellation: what is left is the rounding of single precision itself.")},
      {{tr("Double"), tr("64 bits: 16 digits")}, {tr("Single"), tr("32 bits: 7 digits")}},
      [](auto& p) -> auto& { return p.solve.precision; });
  whyNoCuda = tr("Looking for a CUDA device...");
  addCoarse();
  addEdd();
  addNumber(
      {QStringLiteral("repeat"), tr("Repetitions"), tr("Solves in a row; the fastest is timed."),
       tr("A single solve of a small batch is over in microseconds and its time is noisy.")},
      wholeNumbers(1, 1'000'000, 1000, {}, true), [](auto& p) -> auto& { return p.solve.repeat; });
  addNumber(
      {QStringLiteral("threads"), tr("CPU threads"), tr("Threads of the solvers that use several; 0 is all."),
       tr("More threads than the machine has only get into each other's way.")},
      wholeNumbersOr(tr("all"), 0, 1024, 64), [](auto& p) -> auto& { return p.solve.threads; },
      [](const auto& p) { return hines::traitsOf(p.solve.solver).usesThreads && p.solve.backend == Backend::Cpu; });
}

void ParameterPanel::addCoarse()
{
  const std::size_t first = bindings.size();
  std::vector<ChoiceRow::Choice> layouts;
  const QString layoutHelp[] = {tr("System after system"),
                                tr("The first rows of all systems, then their second rows, ..."),
                                tr("The same within each group of as many systems as a block has threads"),
                                tr("As block-interleaved, the right-hand side kept in shared memory"),
                                tr("As full-interleaved, the three numbers of a row side by side")};
  for (const hines::CoarseLayout layout : hines::allCoarseLayouts())
    layouts.push_back({inTitleCase(hines::layoutName(layout)), layoutHelp[static_cast<int>(layout)]});
  addChoice(
      {QStringLiteral("coarseLayout"), tr("Layout"), tr("How the systems of the batch lie in memory."),
       tr("Interleaved, the 32 lanes of a warp read numbers that lie side by side (Martinez 2018, sections 3.1 and "
          "3.2).")},
      layouts, [](auto& p) -> auto& { return p.solve.coarse.layout; });
  addChoice(
      {QStringLiteral("coarsePadding"), tr("Padding"), tr("What is done with rows that smaller systems lack."),
       tr("Interleaving gives every system of a group as many rows as the largest has. Computing them spares the "
          "lanes a question, at the price of the work (Martinez 2018, section 3.3).")},
      {{tr("Not computed"), tr("Every lane ends with its own system")},
       {tr("Computed"), tr("Every lane runs as long as the largest system of its group")}},
      [](auto& p) -> auto& { return p.solve.coarse.padding; });
  auto* blockSize = new NumberRow({QStringLiteral("coarseBlockSize"), tr("Threads a block"),
                                   tr("Threads of a block: 1, 2, 4, 8, 16 or a multiple of 32 to 1,024."),
                                   tr("And systems that are interleaved in a group, where groups are.")},
                                  {1, 1024, 1, 1024, 1, true, tr(" lanes")}, defaults().solve.coarse.blockSize, this);
  bind(
      blockSize, [](const auto& p) { return static_cast<double>(p.solve.coarse.blockSize); },
      [](auto& p, double value) { p.solve.coarse.blockSize = coarseBlockNear(value); }, {});
  addNumber(
      {QStringLiteral("coarseDevices"), tr("Devices"), tr("GPUs of this machine that share the cells; 0 is all."),
       tr("Cells do not wait for one another: every GPU takes a part of them. On the CPU it says nothing.")},
      wholeNumbersOr(tr("all"), 0, 64, 8), [](auto& p) -> auto& { return p.solve.coarse.devices; });
  hideUnless(first, [](const auto& p) { return uses(p, SolverKind::Coarse); });
}

void ParameterPanel::addEdd()
{
  const std::size_t first = bindings.size();
  addChoice(
      {QStringLiteral("eddMethod"), tr("Method"), tr("Which compartments are junctions."),
       tr("Junctions cut the cell into chains that do not wait for one another. More of them mean shorter chains and a "
          "larger system of junctions (Vooturi 2019, sections III-D and IV-C).")},
      {{tr("Fine"), tr("Bifurcations and every K-th compartment (R-FINE-TPT)")},
       {tr("Minimal"), tr("Bifurcations only, a lane a chain (MIN-TPT)")},
       {tr("Minimal, one solve"),
        tr("Bifurcations only, all chains by one tridiagonal solve; on CUDA NVIDIA's cuSPARSE does it (MIN-TRSV)")}},
      [](auto& p) -> auto& { return p.solve.edd.method; });
  addNumber(
      {QStringLiteral("eddChainLength"), tr("K"),
       tr("Compartments from junction to junction; 0 is automatic: 6, or 16 for 512 cells or more. Needs: Method, "
          "fine."),
       tr("Short chains are more lanes and more junctions, and so more recursions (Vooturi 2019, figures 7 and 12).")},
      wholeNumbersOr(tr("automatic"), 0, 1'000'000, 256, tr(" comp.")),
      [](auto& p) -> auto& { return p.solve.edd.chainLength; },
      [](const auto& p) { return p.solve.edd.method == hines::EddMethod::Fine; });
  addNumber(
      {QStringLiteral("eddDepth"), tr("Depth"),
       tr("Recursions before the serial sweep; -1 is as many as it takes to come below Serial rows."),
       tr("The junctions are a smaller system of the same kind, which is decomposed again (Vooturi 2019, figure 8).")},
      wholeNumbersOr(tr("as needed"), -1, 64, 10), [](auto& p) -> auto& { return p.solve.edd.depth; });
  addNumber(
      {QStringLiteral("eddThreshold"), tr("Serial rows"), tr("Rows left to the serial sweep; 0 is as fitted."),
       tr("Below it another recursion takes longer than a sweep; the device is measured once (Vooturi 2019, "
          "figure 11). Counts where the depth is as needed.")},
      wholeNumbersOr(tr("as fitted"), 0, 1'000'000, 10'000, tr(" rows")),
      [](auto& p) -> auto& { return p.solve.edd.threshold; }, [](const auto& p) { return p.solve.edd.depth < 0; });
  addNumber(
      {QStringLiteral("eddRightHandSides"), tr("Right-hand sides"), tr("Solved with one factorization, 1 to 64."),
       tr("The factors are made once for all of them (Vooturi 2019, figure 10).")},
      wholeNumbers(1, 64, 64), [](auto& p) -> auto& { return p.solve.edd.rightHandSides; });
  addNumber(
      {QStringLiteral("eddRefinements"), tr("Refinements"),
       tr("Corrections by the residual, 0 to 3. Needs: Method, minimal, one solve."),
       tr("Tridiagonal solvers eliminate diagonals, in which the small numbers of finely cut cells are rounded away. "
          "One correction makes up for it; the paper has none.")},
      wholeNumbers(0, 3, 3), [](auto& p) -> auto& { return p.solve.edd.refinements; },
      [](const auto& p) { return p.solve.edd.method == hines::EddMethod::MinTrsv; });
  addSwitch(
      {QStringLiteral("eddKeepFactors"), tr("Keep factors"), tr("Factorize once, before the solves."),
       tr("The matrix of a linear neuron stays the same from step to step.")},
      [](auto& p) -> auto& { return p.solve.edd.keepFactors; });
  hideUnless(first, [](const auto& p) { return uses(p, SolverKind::Edd); });
}

void ParameterPanel::hideUnless(std::size_t firstBinding, const Condition& shown)
{
  for (std::size_t k = firstBinding; k < bindings.size(); ++k)
    bindings[k].shown = shown;
}

void ParameterPanel::takeEdit(const Binding& binding, double value)
{
  const PipelineParameters before = current;
  binding.write(current, value);
  reconcile(before.solve);
  refresh();
  if (current != before)
    emit edited();
}

void ParameterPanel::reconcile(const hines::SolveParameters& before)
{
  hines::SolveParameters& solve = current.solve;
  if (!hines::runsOn(solve.solver, solve.backend)) {
    if (solve.solver != before.solver)
      solve.backend = solve.backend == Backend::Cuda ? Backend::Cpu : Backend::Cuda;
    else
      solve.solver = SolverKind::Resident;
  }
  if (solve.precision != before.precision)
    wantedPrecision = solve.precision;
  solve.precision = hines::traitsOf(solve.solver).inSingle ? wantedPrecision : hines::Precision::Double;
}

/// Greys what cannot be chosen on this machine, and the precision that the solver does not know.
void ParameterPanel::refreshAvailability()
{
  const auto solvers = hines::allSolvers();
  for (std::size_t k = 0; k < solvers.size(); ++k)
    solver->setUnavailable(static_cast<int>(k), solvers[k].onCpu ? QString() : whyNoCuda);
  backend->setUnavailable(static_cast<int>(Backend::Cuda), whyNoCuda);
  const bool inSingle = hines::traitsOf(current.solve.solver).inSingle;
  precision->setUnavailable(static_cast<int>(hines::Precision::Single),
                            inSingle ? QString() : tr("This solver works in double precision only."));
}

void ParameterPanel::refresh()
{
  for (const Binding& binding : bindings) {
    const bool relevant = !binding.relevant || binding.relevant(current);
    binding.row->setEnabled(relevant);
    binding.row->setVisible(!binding.shown || binding.shown(current));
    const double shown = binding.read(current);
    if (binding.row->value() != shown)
      binding.row->setValue(shown);
  }
  refreshAvailability();
}

void ParameterPanel::setParameters(const PipelineParameters& parameters)
{
  current = parameters;
  wantedPrecision = current.solve.precision;
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
  whyNoCuda = QString::fromStdString(report.whyNoCuda);
  refreshAvailability();
}

void ParameterPanel::showPlan(const hines::SolvePlan* plan, const hines::Solution* solution)
{
  planSummary->setVisible(plan);
  if (!plan) {
    planSummary->clear();
    return;
  }
  const QLocale locale(QLocale::English);
  QString rows;
  const auto addRow = [&](const QString& name, const QString& asRead, const QString& uncut, const QString& planned) {
    rows += QStringLiteral("<tr><td>%1</td><td align=right>&nbsp;%2</td><td align=right>&nbsp;%3</td>"
                           "<td align=right>&nbsp;<b>%4</b></td></tr>")
                .arg(name, asRead, uncut, planned);
  };
  const auto row = [&](const QString& name, const auto& show) {
    addRow(name, show(plan->figuresAsRead), show(plan->figuresUncut), show(plan->figures));
  };
  const auto whole = [&](auto value) { return locale.toString(static_cast<qlonglong>(value)); };
  const auto percent = [](double fraction) { return widgets::formatNumber(fraction * 100) + QStringLiteral(" %"); };
  using Figures = hines::PlanFigures;
  addRow(tr("<b>Plan</b>"), tr("as read"), tr("uncut"), tr("planned"));
  row(tr("Levels"), [&](const Figures& f) { return whole(f.levels); });
  row(tr("Barriers"), [&](const Figures& f) { return whole(f.barriers); });
  row(tr("Steps"), [&](const Figures& f) { return whole(f.criticalPath); });
  row(tr("Lanes busy"), [&](const Figures& f) { return percent(f.occupancy); });
  row(tr("Padding"), [&](const Figures& f) { return QString::fromStdString(formatBytes(f.paddingBytes)); });
  row(tr("Blocks"), [&](const Figures& f) { return whole(f.blocks); });
  QString whoseElse;
  if (solution && !hines::traitsOf(solution->parameters.solver).executesPlan) {
    const QString name = textOf(hines::traitsOf(solution->parameters.solver)).title;
    const QString sentence =
        solution->charts
            ? tr("Fine and multicore follow this plan. What %1 does: views Packing and Splitting.").arg(name)
            : tr("Fine and multicore follow this plan. What %1 does is not known.").arg(name);
    whoseElse = QStringLiteral("<p style='margin-top:4px'>%1</p>").arg(sentence);
  }
  planSummary->setText(QStringLiteral("<table width='100%' cellspacing=0 cellpadding=1>") + rows +
                       QStringLiteral("</table>") + whoseElse);
}

} // namespace hinesight::app
