#include "app/projection/network_comparison_dialog.hpp"

#include "app/files/file_dialogs.hpp"
#include "app/forms/help_text.hpp"
#include "app/projection/circuit_list.hpp"
#include "widgets/charts/bin_chart.hpp"
#include "widgets/theme.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>

#include <array>
#include <cmath>

namespace hinesight::app {

namespace {

constexpr int kFileRole = Qt::UserRole; ///< of an entry: the file that it is
constexpr int kRowRoom = 6;             ///< pixels: so that all rows are seen at once

QString counted(std::uint64_t number)
{
  return widgets::formatNumber(static_cast<double>(number));
}

/// "–" where there is none.
QString numberText(double number)
{
  return std::isfinite(number) ? widgets::formatNumber(number) : QStringLiteral("\u2013");
}

QString degreeText(const study::DegreeFigures& degrees)
{
  return NetworkComparisonDialog::tr("%1 (%2), %3 to %4")
      .arg(numberText(degrees.mean), numberText(degrees.deviation), counted(degrees.least), counted(degrees.most));
}

std::vector<double> shares(const std::vector<std::uint64_t>& some, const std::vector<std::uint64_t>& all)
{
  std::vector<double> values;
  for (std::size_t k = 0; k < some.size(); ++k)
    values.push_back(all[k] > 0 ? static_cast<double>(some[k]) / static_cast<double>(all[k]) : 0);
  return values;
}

QString nameOf(const study::NetworkFigures& network)
{
  const QString name = QString::fromStdString(network.name);
  return name.contains(QLatin1Char('/')) ? QFileInfo(name).fileName() : name;
}

} // namespace

NetworkComparisonDialog::NetworkComparisonDialog(const std::vector<std::string>& connections,
                                                 const std::string& firstName, const std::string& secondName,
                                                 QWidget* parent)
    : QDialog(parent), populations(new QComboBox), populationsLabel(new QLabel(tr("between"))), sentence(new QLabel),
      table(new QTableWidget),
      byDistance(new widgets::BinChart(tr("By distance"), tr("connected share of pairs"), tr("distance, µm"), this)),
      outDegrees(new widgets::BinChart(tr("Out-degree"), tr("neurons"), tr("targets of a source"), this)),
      inDegrees(new widgets::BinChart(tr("In-degree"), tr("neurons"), tr("sources of a target"), this))
{
  setObjectName(QStringLiteral("networkComparisonDialog"));
  setWindowTitle(tr("Two networks side by side"));
  describe(this, {windowTitle(),
                  tr("Compares two connections, or one with the network of a file, by distance, degree and overlap."),
                  QStringLiteral("The circuit")});
  sides[0] = makeSide("comparedFirst", tr("The network at the left: a connection of the circuit, or a file"));
  sides[1] = makeSide("comparedSecond", tr("The network at the right: a connection of the circuit, or a file"));
  for (const std::string& name : connections)
    for (QComboBox* side : sides)
      side->addItem(QString::fromStdString(name));
  sides[0]->setCurrentText(QString::fromStdString(firstName));
  sides[1]->setCurrentText(QString::fromStdString(secondName));
  QPushButton* fileButton =
      makeCircuitButton("compareFile", tr("File\u2026"),
                        tr("Compare with the weight table or network of a file, such as one that was grown"));
  fileButton->setAutoDefault(false); // Enter does not ask for a file
  connect(fileButton, &QPushButton::clicked, this, &NetworkComparisonDialog::addFile);
  populations->setObjectName(QStringLiteral("comparedPopulations"));
  populations->setToolTip(tr("Both networks join these populations; choose which pair of them is shown"));
  auto* choices = new QHBoxLayout;
  choices->addWidget(sides[0], 1);
  choices->addWidget(new QLabel(tr("and")));
  choices->addWidget(sides[1], 1);
  choices->addWidget(fileButton);
  choices->addWidget(populationsLabel);
  choices->addWidget(populations, 1);

  sentence->setObjectName(QStringLiteral("comparisonSentence"));
  sentence->setWordWrap(true);
  sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
  table->setObjectName(QStringLiteral("comparisonTable"));
  table->setToolTip(tr("Several synapses of one pair of neurons are one connection with the sum of their weights"));
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setTabKeyNavigation(false);
  table->setShowGrid(false);
  table->setAlternatingRowColors(true);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowRoom);
  byDistance->setObjectName(QStringLiteral("comparisonByDistance"));
  outDegrees->setObjectName(QStringLiteral("comparisonOutDegrees"));
  inDegrees->setObjectName(QStringLiteral("comparisonInDegrees"));
  auto* charts = new QHBoxLayout;
  charts->setSpacing(1);
  for (widgets::BinChart* chart : {byDistance, outDegrees, inDegrees})
    charts->addWidget(chart, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  exportButton = makeCircuitButton("exportComparison", tr("Export\u2026"),
                                   tr("Write figures, degrees and distances to a folder, as CSV and JSON"));
  exportButton->setAutoDefault(false);
  buttons->addButton(exportButton, QDialogButtonBox::ActionRole);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->addLayout(choices);
  column->addWidget(sentence);
  column->addWidget(table, 5);
  column->addLayout(charts, 3);
  column->addWidget(buttons);

  for (QComboBox* side : sides)
    connect(side, &QComboBox::currentIndexChanged, this, &NetworkComparisonDialog::choose);
  connect(populations, &QComboBox::currentIndexChanged, this, &NetworkComparisonDialog::refresh);
  connect(exportButton, &QPushButton::clicked, this, [this] {
    askWhichNewFolder(this,
                      {QStringLiteral("exportComparisonDialog"),
                       tr("Folder for the tables"),
                       QStringLiteral("exportFolder"),
                       {},
                       QStringLiteral("comparison")},
                      [this](const QString& folder) { emit exportWanted(folder); });
  });
  const int letter = fontMetrics().averageCharWidth();
  resize(125 * letter, 38 * fontMetrics().height());
  showProgress();
}

QComboBox* NetworkComparisonDialog::makeSide(const char* name, const QString& help)
{
  auto* side = new QComboBox;
  side->setObjectName(QLatin1String(name));
  side->setToolTip(help);
  side->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  side->setMinimumContentsLength(12);
  return side;
}

study::ComparedSide NetworkComparisonDialog::sideOf(const QComboBox& side)
{
  const std::string file = side.currentData(kFileRole).toString().toStdString();
  return {file.empty() ? side.currentText().toStdString() : std::string(), file};
}

void NetworkComparisonDialog::choose()
{
  if (first() == second())
    return showFailure(tr("Choose two that differ."));
  showProgress();
  emit wanted();
}

void NetworkComparisonDialog::addFile()
{
  askWhatToOpen(this,
                {QStringLiteral("compareFileDialog"),
                 tr("Weight table or network"),
                 QStringLiteral("compareFolder"),
                 {tr("Tables and networks (*.h5 *.csv *.npy *.spineml *.xml *.txt)"), tr("All files (*)")},
                 {}},
                [this](const QStringList& paths) { takeFile(paths.front()); });
}

/// At the right, where it can be chosen again.
void NetworkComparisonDialog::takeFile(const QString& path)
{
  int place = sides[1]->findData(path, kFileRole);
  if (place < 0) {
    for (QComboBox* side : sides) {
      side->addItem(QFileInfo(path).fileName(), path);
      side->setItemData(side->count() - 1, path, Qt::ToolTipRole);
    }
    place = sides[1]->count() - 1;
  }
  sides[1]->setCurrentIndex(place);
}

void NetworkComparisonDialog::showProgress()
{
  showFailure(tr("The networks are being made and compared."));
}

void NetworkComparisonDialog::showFailure(const QString& words)
{
  showComparisons({});
  sentence->setText(words);
}

void NetworkComparisonDialog::showComparisons(const std::vector<study::NetworkComparison>& comparisons)
{
  all = comparisons;
  {
    const QSignalBlocker quiet(populations);
    populations->clear();
    for (const study::NetworkComparison& each : all)
      populations->addItem(
          tr("%1 \u2192 %2").arg(QString::fromStdString(each.source), QString::fromStdString(each.target)));
  }
  populations->setVisible(all.size() > 1);
  populationsLabel->setVisible(all.size() > 1);
  exportButton->setEnabled(!all.empty());
  refresh();
}

void NetworkComparisonDialog::refresh()
{
  const int chosen = populations->currentIndex();
  table->setRowCount(0);
  if (chosen < 0) {
    for (widgets::BinChart* chart : {byDistance, outDegrees, inDegrees})
      chart->setHistograms({}, 1);
    return;
  }
  const study::NetworkComparison& comparison = all[static_cast<std::size_t>(chosen)];
  QString words = tr("%1 sources in %2, %3 targets in %4.")
                      .arg(counted(comparison.sources), QString::fromStdString(comparison.source),
                           counted(comparison.targets), QString::fromStdString(comparison.target));
  for (const std::string& warning : comparison.warnings)
    words += QLatin1Char(' ') + QString::fromStdString(warning);
  sentence->setText(words);
  fillTable(comparison);
  fillCharts(comparison);
}

void NetworkComparisonDialog::fillTable(const study::NetworkComparison& c)
{
  const auto& [a, b] = c.networks;
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    if (whole == 0)
      return QStringLiteral("\u2013");
    const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    return tr("%1 (%2 %)").arg(counted(part), numberText(percent));
  };
  // A table has weights; nobody knows how many synapses they stand for.
  const auto synapses = [](const study::NetworkFigures& network) {
    return network.synapses > 0 ? counted(network.synapses) : QStringLiteral("\u2013");
  };
  const std::vector<std::array<QString, 3>> rows = {
      {tr("Synapses"), synapses(a), synapses(b)},
      {tr("Rows"), counted(a.rows), counted(b.rows)},
      {tr("Connected pairs"), counted(a.connections), counted(b.connections)},
      {tr("Of them in both"), share(c.inBoth, a.connections), share(c.inBoth, b.connections)},
      {tr("Of them in this one only"), share(c.inOneOnly[0], a.connections), share(c.inOneOnly[1], b.connections)},
      {tr("Overlap (Jaccard index)"), numberText(c.jaccard), {}},
      {tr("Out-degree: mean (deviation), range"), degreeText(a.out), degreeText(b.out)},
      {tr("In-degree: mean (deviation), range"), degreeText(a.in), degreeText(b.in)},
      {tr("Connection probability"), numberText(a.probability), numberText(b.probability)},
      {tr("Total weight"), numberText(a.totalWeight), numberText(b.totalWeight)},
      {tr("Correlation of the weights in both"), numberText(c.weightCorrelation), {}}};
  table->clear();
  table->setColumnCount(3);
  table->setHorizontalHeaderLabels({tr("What"), nameOf(a), nameOf(b)});
  table->setRowCount(static_cast<int>(rows.size()));
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t k = 0; k < 3; ++k) {
      auto* item = new QTableWidgetItem(rows[row][k]);
      item->setToolTip(rows[row][k]);
      table->setItem(static_cast<int>(row), static_cast<int>(k), item);
    }
  table->resizeColumnsToContents();
  table->horizontalHeader()->setStretchLastSection(true);
}

void NetworkComparisonDialog::fillCharts(const study::NetworkComparison& c)
{
  using Histogram = widgets::BinChart::Histogram;
  const auto& [a, b] = c.networks;
  if (c.pairsByDistance.empty())
    byDistance->setHistograms({}, 1, tr("positions are not known"));
  else
    byDistance->setHistograms({Histogram{nameOf(a), shares(a.byDistance, c.pairsByDistance)},
                               Histogram{nameOf(b), shares(b.byDistance, c.pairsByDistance)}},
                              c.distanceWidth);
  const auto neurons = [](const std::vector<std::uint64_t>& counts) {
    return std::vector<double>(counts.begin(), counts.end());
  };
  outDegrees->setHistograms({{nameOf(a), neurons(a.out.neurons)}, {nameOf(b), neurons(b.out.neurons)}},
                            static_cast<double>(c.outWidth));
  inDegrees->setHistograms({{nameOf(a), neurons(a.in.neurons)}, {nameOf(b), neurons(b.in.neurons)}},
                           static_cast<double>(c.inWidth));
}

} // namespace hinesight::app
