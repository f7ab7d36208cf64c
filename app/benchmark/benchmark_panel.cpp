#include "app/benchmark/benchmark_panel.hpp"

#include "app/files/file_dialogs.hpp"
#include "app/forms/field_form.hpp"
#include "app/shell/bars/flow_layout.hpp"
#include "core/error.hpp"
#include "widgets/charts/benchmark_chart.hpp"
#include "widgets/choice_box.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/picture_file.hpp"
#include "widgets/theme.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMetaProperty>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kControlsWidth = 236;
constexpr int kMargin = 12; // beside controls
constexpr int kLeastPlotWidth = 280;
constexpr int kLeastOptions = 120; // of their height
constexpr int kProgressSteps = 1000;
constexpr double kPictureScale = 2; ///< pixels a point, so that pictures are sharp in print

QPushButton* makeButton(const QString& name, const QString& text, const QString& tip)
{
  auto* button = new QPushButton(text);
  button->setObjectName(name);
  button->setToolTip(tip);
  return button;
}

void paintOn(QPainter& painter, const widgets::BenchmarkChart& chart)
{
  painter.setFont(chart.font());
  chart.paint(painter, QRectF(QPointF(0, 0), QSizeF(chart.size())));
}

QImage pixelsOf(const widgets::BenchmarkChart& chart)
{
  QImage image(chart.size() * kPictureScale, QImage::Format_RGB32);
  image.setDevicePixelRatio(kPictureScale);
  QPainter painter(&image);
  paintOn(painter, chart);
  return image;
}

} // namespace

BenchmarkPanel::BenchmarkPanel(const QString& namePrefix, widgets::BenchmarkChart* shownChart, QWidget* parent)
    : QWidget(parent), options(new QVBoxLayout), footer(new QVBoxLayout), prefix(namePrefix), chart(shownChart)
{
  headerRow = makeHeader();
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(makeControls());
  chart->setMinimumWidth(kLeastPlotWidth);
  row->addWidget(chart, 1);
}

// ---- construction ----

QString BenchmarkPanel::named(const char* name) const
{
  return prefix + QLatin1String(name);
}

QWidget* BenchmarkPanel::makeHeader()
{
  constexpr int kBaselineLetters = 12;
  headline = new widgets::ElidedLabel;
  headline->setObjectName(named("Headline"));
  baseline = new widgets::ChoiceBox;
  baseline->setObjectName(named("Baseline"));
  baseline->setToolTip(tr("The line of the chart with which the chart of speedups compares the others"));
  baseline->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  baseline->setMinimumContentsLength(kBaselineLetters);
  baseline->setPlaceholderText(tr("no line yet"));
  plotButton =
      makeButton(named("SavePlot"), tr("Save plot…"), tr("Write the plot as a PNG or SVG picture or a PDF page"));
  tableButton = makeButton(named("SaveTable"), tr("Save table…"), tr("Write every row to a CSV or JSON file"));
  auto* header = new QWidget(this);
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(0, 4, 8, 4); // also where the controls take two lines
  row->setSpacing(8);
  row->addWidget(headline, 1);
  auto* controls = new QWidget;
  auto* flow = new FlowLayout(controls, 8);
  auto* over = new QLabel(tr("Speedup over"));
  over->setFixedHeight(baseline->sizeHint().height());
  flow->addWidget(over);
  for (QWidget* control :
       {static_cast<QWidget*>(baseline), static_cast<QWidget*>(plotButton), static_cast<QWidget*>(tableButton)})
    flow->addWidget(control);
  row->addWidget(controls, 0, Qt::AlignVCenter);

  connect(baseline, &QComboBox::currentTextChanged, chart, &widgets::BenchmarkChart::setBaseline);
  connect(baseline, &QComboBox::textActivated, this, [this](const QString& label) { wantedBaseline = label; });
  connect(plotButton, &QPushButton::clicked, this, &BenchmarkPanel::askWhereToSavePlot);
  connect(tableButton, &QPushButton::clicked, this, [this] {
    askForFile(named("TableDialog"), tr("Save table"), QStringLiteral("benchmark.csv"),
               {tr("CSV table (*.csv)"), tr("JSON (*.json)")}, [this](const QString& path) { saveTable(path); });
  });
  return header;
}

QWidget* BenchmarkPanel::makeControls()
{
  runButton = makeButton(named("Run"), tr("Run"), tr("Measure what is chosen"));
  runButton->setProperty("primary", true);
  cancelButton = makeButton(named("Cancel"), tr("Cancel"), tr("Stop measuring; what was measured stays (Esc)"));
  progress = new QProgressBar;
  progress->setObjectName(named("Progress"));
  progress->setToolTip(tr("Share of the measurements that is done"));
  progress->setRange(0, kProgressSteps);
  progress->setTextVisible(false);
  stage = new QLabel;
  stage->setObjectName(named("Stage"));
  hint = new QLabel;
  hint->setObjectName(named("Hint"));
  for (QLabel* label : {stage, hint})
    label->setWordWrap(true);

  auto* fields = new QWidget;
  fields->setLayout(options);
  options->setContentsMargins(kMargin, 10, kMargin, 6);
  options->setSpacing(6);
  auto* scroll = new QScrollArea; // so that the buttons below are seen in a low window
  scroll->setObjectName(named("Options"));
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored); // else the page is as high as all options
  scroll->setMinimumHeight(kLeastOptions);
  scroll->setWidget(fields);
  auto* run = new QVBoxLayout;
  run->setContentsMargins(kMargin, 4, kMargin, kMargin);
  run->setSpacing(6);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(runButton, 1);
  buttons->addWidget(cancelButton, 1);
  run->addLayout(buttons);
  run->addWidget(hint);
  run->addWidget(progress);
  run->addWidget(stage);
  run->addLayout(footer);
  auto* controls = new QWidget(this);
  controls->setFixedWidth(kControlsWidth);
  auto* column = new QVBoxLayout(controls);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(scroll, 1);
  column->addLayout(run);

  connect(runButton, &QPushButton::clicked, this, &BenchmarkPanel::run);
  connect(cancelButton, &QPushButton::clicked, this, &BenchmarkPanel::cancelRequested);
  return controls;
}

void BenchmarkPanel::addSetting(QWidget* field, bool hides)
{
  settings.push_back({field, hides, {}});
  const QMetaObject& own = staticMetaObject;
  connect(field, field->metaObject()->userProperty().notifySignal(), this,
          own.method(own.indexOfSignal("settingsChanged()")));
}

void BenchmarkPanel::addOption(const QString& text, QWidget* widget)
{
  auto* label = new QLabel(text);
  label->setBuddy(widget);
  options->addWidget(label);
  options->addWidget(widget);
}

void BenchmarkPanel::addOption(const BoundField& field, QWidget* widget)
{
  widget->setToolTip(tipOf(field));
  addOption(widgets::inText(field.about.label), widget);
}

void BenchmarkPanel::showNumber(QSpinBox* spin, const BoundField& field)
{
  const NumberRange range = numberRangeOf(field);
  spin->setRange(static_cast<int>(range.lowest), static_cast<int>(range.highest));
  spin->setSpecialValueText(range.lowestWord);
  spin->setValue(static_cast<int>(field.number()));
}

QString BenchmarkPanel::tipOf(const BoundField& field)
{
  const ParameterText text = parameterTextOf(field, {});
  return text.detail.isEmpty() ? text.help : text.help + QLatin1Char(' ') + text.detail;
}

void BenchmarkPanel::addOptionPair(const QString& left, QWidget* leftWidget, const QString& right, QWidget* rightWidget)
{
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(options->spacing());
  int column = 0;
  for (const auto& [text, widget] : {std::pair(left, leftWidget), std::pair(right, rightWidget)}) {
    auto* label = new QLabel(text);
    label->setBuddy(widget);
    grid->addWidget(label, 0, column);
    grid->addWidget(widget, 1, column);
    grid->setColumnStretch(column++, 1);
  }
  options->addLayout(grid);
}

// ---- state ----

void BenchmarkPanel::showHeadline(const QString& text)
{
  headline->setText(text);
}

void BenchmarkPanel::refreshBaselines()
{
  const QStringList labels = chart->labels();
  if (labels.isEmpty()) {
    const QSignalBlocker blocker(baseline);
    baseline->clear();
    return;
  }
  for (const QString& label : labels)
    if (baseline->findText(label) < 0)
      baseline->addItem(label);
  const int wanted = baseline->findText(wantedBaseline);
  baseline->setCurrentIndex(std::max(0, wanted));
}

void BenchmarkPanel::refreshState()
{
  const QString wanting = missing();
  hint->setText(running ? QString() : busy ? tr("Measuring waits until the running job has ended.") : wanting);
  hint->setVisible(!hint->text().isEmpty());
  runButton->setEnabled(!running && !busy && wanting.isEmpty());
  cancelButton->setEnabled(running);
  progress->setVisible(running);
  stage->setVisible(running);
  plotButton->setEnabled(!chart->labels().isEmpty());
  tableButton->setEnabled(!chart->points().empty());
  baseline->setEnabled(baseline->count() > 0);
}

void BenchmarkPanel::setBusy(bool isBusy)
{
  busy = isBusy;
  refreshState();
}

bool BenchmarkPanel::canRun() const
{
  return runButton->isEnabled();
}

QVariant BenchmarkPanel::Setting::shown() const
{
  return field->metaObject()->userProperty().read(field);
}

void BenchmarkPanel::Setting::show(const QVariant& value) const
{
  field->metaObject()->userProperty().write(field, value);
}

bool BenchmarkPanel::isOfOtherSettings() const
{
  const auto differs = [](const Setting& setting) {
    return setting.shown() != setting.measured && !(setting.hides && !setting.shown().toBool());
  };
  return !running && !chart->points().empty() && std::ranges::any_of(settings, differs);
}

void BenchmarkPanel::restoreSettings()
{
  for (const Setting& setting : settings)
    setting.show(setting.measured);
}

std::function<void()> BenchmarkPanel::restorer()
{
  std::vector<QVariant> shown;
  for (const Setting& setting : settings)
    shown.push_back(setting.shown());
  return [this, shown = std::move(shown)] {
    for (std::size_t i = 0; i < settings.size(); ++i)
      settings[i].show(shown[i]);
  };
}

void BenchmarkPanel::run()
{
  if (!canRun())
    return;
  try {
    requestRun();
    for (Setting& setting : settings)
      setting.measured = setting.shown();
    emit settingsChanged();
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
}

void BenchmarkPanel::takeStarted()
{
  running = true;
  takeProgress({}, 0);
  refreshState();
}

void BenchmarkPanel::takeProgress(const QString& name, double fraction)
{
  progress->setValue(static_cast<int>(fraction * kProgressSteps));
  stage->setText(name);
}

void BenchmarkPanel::takeEnd()
{
  running = false;
  refreshState();
}

std::vector<std::int64_t> BenchmarkPanel::numbersOf(const QString& text, const BoundField& field,
                                                    const std::string& what, const std::string& example)
{
  const Range& range = field.about.range;
  std::vector<std::int64_t> numbers;
  static const QRegularExpression kBlanks(QStringLiteral("[\\s;,]+"));
  for (const QString& word : text.split(kBlanks, Qt::SkipEmptyParts)) {
    bool isNumber = false;
    const qlonglong number = word.toLongLong(&isNumber);
    if (!isNumber || static_cast<double>(number) < range.least || static_cast<double>(number) > range.greatest)
      throw Error(ErrorCode::BadParameter,
                  "'" + word.toStdString() + "' is no " + what + "; give whole numbers, " + rangeText(field) + ".");
    numbers.push_back(number);
  }
  if (numbers.empty())
    throw Error(ErrorCode::BadParameter, "There is no " + what + "; give some, such as " + example + ".");
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

// ---- files ----

void BenchmarkPanel::askWhereToSavePlot()
{
  if (plotButton->isEnabled())
    askForFile(named("PlotDialog"), tr("Save plot"), QStringLiteral("benchmark.png"),
               {tr("PNG picture (*.png)"), tr("SVG picture (*.svg)"), tr("PDF page (*.pdf)")},
               [this](const QString& path) { savePlot(path); });
}

void BenchmarkPanel::savePlot(const QString& path) const
{
  const auto paint = [this](QPainter& painter) { paintOn(painter, *chart); };
  widgets::writePicture({[this] { return pixelsOf(*chart); }, paint, chart->size(), chart->logicalDpiX()}, path);
}

void BenchmarkPanel::askForFile(const QString& name, const QString& title, const QString& proposal,
                                const QStringList& filters, const std::function<void(const QString&)>& save)
{
  askWhereToSave(this, {name, title, QStringLiteral("exportFolder"), filters, proposal},
                 [this, save](const QString& path) {
                   try {
                     save(path);
                     emit saved(path);
                   } catch (const Error& error) {
                     emit failed(QString::fromUtf8(error.what()));
                   }
                 });
}

} // namespace hinesight::app
