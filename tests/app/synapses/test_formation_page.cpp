#include "app/synapses/formation_fixture.hpp"

#include "app/app_fixture.hpp"
#include "app/field_rows.hpp"
#include "app/held_job.hpp"
#include "app/synapses/formation_controller.hpp"
#include "test_main.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/legend_overlay.hpp"
#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/synapse/synapse_charts.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSlider>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <set>
#include <string>

using namespace hinesight;
using namespace hinesight::app;

namespace {

/// Pixels of a picture that have nearly a colour.
int pixelsOf(const QImage& picture, const QColor& color)
{
  const auto isNear = [](int a, int b) { return std::abs(a - b) < 24; };
  int found = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const QRgb pixel = picture.pixel(x, y);
      found += isNear(qRed(pixel), color.red()) && isNear(qGreen(pixel), color.green()) &&
               isNear(qBlue(pixel), color.blue());
    }
  return found;
}

} // namespace

/// Drives the page of synapses in the real main window with mouse and keyboard.
class TestFormationPage : public QObject, FormationFixture
{
  Q_OBJECT

private slots:
  void init() { showNeurons(); }
  void cleanup() { window.reset(); }

  void formsSynapsesWhenItIsShown();
  void showsEverythingBesideTheTimingCard();
  void selectsTheNeuronThatIsClicked();
  void drawsAcceptedNodesAndTheDescent();
  void followsThetaWhileItsSliderIsDragged();
  void drawsTheLevelsOfItsSlider();
  void cutsNeuronsAway();
  void hidesATypeByItsLegend();
  void dimsTheOtherTypeByItsLegend();
  void listsTheTypesThatThereAre();
  void drawsBundles();
  void comparesLengthsWithTheKernel();
  void formsAnewWhenSigmaChanges();
  void everyParameterHasARow();
  void showsTheNumbersOfTheKernel();
  void formsWhatWasAskedForWhileAnotherJobRan();
  void showsItsHeadlineInASmallWindow();
  void cancelsByEscape();
  void marksFieldsThatThePictureDoesNotHave();
  void placesTheNeuronsOfACancelledRunAnew();

private:
  void clickLegend(std::size_t entry, Qt::KeyboardModifiers keys = {});
  int pixelsOfType(bool isInhibitory);
};

void TestFormationPage::formsSynapsesWhenItIsShown()
{
  QCOMPARE(formation().population->size(), std::size_t{kNeurons});
  // 0.8 excitatory and 0.2 inhibitory axons for each dendrite of their kind: 1 - e^-0.8 and 1 - e^-0.2 of them get one.
  const double share = static_cast<double>(formation().network.synapses.size()) / kNeurons;
  QVERIFY2(std::abs(share - (2 - std::exp(-0.8) - std::exp(-0.2))) < 0.04, std::to_string(share).c_str());
  QCOMPARE(page().view().timingCard()->runs(), 1);
  QVERIFY(page().view().timingCard()->timings().of("search") > 0);
  QVERIFY(find<QLabel>("formationHeadline")->text().contains(QStringLiteral("2,000 neurons")));
  const QImage picture = page().view().grabPicture();
  QVERIFY(pixelsOf(picture, widgets::OctreeScene::typeColor(false)) > 200);
}

void TestFormationPage::showsEverythingBesideTheTimingCard()
{
  const QSize before = window->size();
  for (const QSize size : {QSize(1280, 720), before}) {
    window->resize(size);
    QTRY_COMPARE(window->size(), size);
    QCoreApplication::processEvents();
    const widgets::OctreeView& view = page().view();
    const QRect card = view.timingCard()->geometry();
    QVERIFY(!card.intersects(view.legend().geometry()));
    QVERIFY(!card.intersects(view.findChild<widgets::ScaleOverlay*>()->geometry()));
    QVERIFY(view.canvas()->rect().contains(card));
  }
}

void TestFormationPage::selectsTheNeuronThatIsClicked()
{
  clickNeuron(clickable);
  QCOMPARE(page().selection(), std::optional(clickable));
  QVERIFY(find<QLabel>("neuronText")->text().contains(QStringLiteral("Neuron")));
  QTest::mouseClick(find<QPushButton>("formationDeselect"), Qt::LeftButton);
  QVERIFY(!page().selection() && !scene().search());
}

void TestFormationPage::drawsAcceptedNodesAndTheDescent()
{
  const QImage before = page().view().grabPicture();
  clickNeuron(clickable);
  const auto& search = scene().search();
  QVERIFY(search && search->seeker == clickable);
  // The accepted nodes hold every neuron but the seeker at most once, and their probabilities add up to 1.
  const synapse::Octree& tree = *formation().tree;
  std::set<std::uint32_t> covered;
  double total = 0;
  std::size_t neurons = 0;
  for (const synapse::AcceptedNode& each : search->accepted) {
    total += each.probability;
    for (std::uint32_t place = tree.leafBegin[each.node]; place < tree.leafEnd(each.node); ++place, ++neurons)
      covered.insert(tree.order[place]);
  }
  QVERIFY(std::abs(total - 1) < 1e-9);
  QCOMPARE(covered.size(), neurons);
  QVERIFY(!covered.contains(clickable));
  QVERIFY(!search->descent.empty() && tree.isLeaf(search->descent.back()));
  QVERIFY(scene().highestProbability() > 0);
  QCOMPARE(page().view().legend().legend().high, scene().highestProbability());
  const QImage after = page().view().grabPicture();
  const QColor brightest = widgets::mapColor(widgets::ColorMap::Viridis, 1);
  QVERIFY(pixelsOf(after, brightest) > pixelsOf(before, brightest) + 20);
  QVERIFY(pixelsOf(after, widgets::theme().selection) > 10);
}

void TestFormationPage::followsThetaWhileItsSliderIsDragged()
{
  clickNeuron(clickable);
  const std::size_t before = scene().search()->accepted.size();
  auto* slider = find<QSlider>("formationThetaSlider");
  slider->setSliderDown(true);
  slider->setValue(slider->minimum()); // the smallest theta of the slider weighs more nodes
  page().settle();
  const std::size_t fine = scene().search()->accepted.size();
  QVERIFY2(fine > before, qPrintable(QStringLiteral("%1, before %2").arg(fine).arg(before)));
  slider->setValue(slider->maximum());
  page().settle();
  QVERIFY(scene().search()->accepted.size() < before);
  slider->setSliderDown(false);
  waitForSynapses();
  QCOMPARE(formation().parameters.search.theta, 0.5);
  QTRY_COMPARE(page().selection(), std::optional(clickable));
}

void TestFormationPage::drawsTheLevelsOfItsSlider()
{
  type("formationDepthSpin", "4");
  type("formationLevelsSpin", "2");
  const auto& levels = scene().drawnLevels();
  QCOMPARE(levels.size(), std::size_t{2});
  QCOMPARE(levels[0].level, 3);
  QCOMPARE(levels[1].level, 4);
  const auto nodes = std::count(formation().tree->level.begin(), formation().tree->level.end(), 4);
  QCOMPARE(levels[1].nodes, static_cast<std::size_t>(nodes));
  QVERIFY(levels[1].drawn > 0 && levels[1].drawn <= levels[1].nodes);
  QCOMPARE(page().view().timingCard()->runs(), 1); // nothing was formed anew
}

void TestFormationPage::cutsNeuronsAway()
{
  const auto shown = [&] { return pixelsOf(page().view().grabPicture(), widgets::OctreeScene::typeColor(false)); };
  type("formationLevelsSpin", "0");
  const int before = shown();
  find<QComboBox>("formationClipCombo")->setCurrentIndex(static_cast<int>(widgets::CutAxis::Z));
  type("formationClipAtSpin", "0.25");
  QVERIFY(shown() < before);
  for (std::uint32_t neuron = 0; neuron < kNeurons; ++neuron)
    if (scene().isCutAway(scene().worldOfNeuron(neuron)))
      QVERIFY(page().view().neuronAt(page().view().pixelOf(neuron)) != neuron);
}

void TestFormationPage::clickLegend(std::size_t entry, Qt::KeyboardModifiers keys)
{
  auto* legend = page().view().findChild<widgets::LegendOverlay*>();
  QTest::mouseClick(legend, Qt::LeftButton, keys, legend->rectOfEntry(entry).center());
}

/// Of neurons of a type, not of what lies over the canvas.
int TestFormationPage::pixelsOfType(bool isInhibitory)
{
  QImage picture = page().view().grabPicture();
  QPainter painter(&picture);
  for (const QWidget* other :
       {static_cast<const QWidget*>(page().view().timingCard()), static_cast<const QWidget*>(&page().view().legend())})
    painter.fillRect(other->geometry(), Qt::black);
  painter.end();
  return pixelsOf(picture, widgets::OctreeScene::typeColor(isInhibitory));
}

void TestFormationPage::hidesATypeByItsLegend()
{
  type("formationLevelsSpin", "0");
  const int excitatory = pixelsOfType(false);
  const int inhibitory = pixelsOfType(true);
  QVERIFY2(excitatory > 200 && inhibitory > 50, qPrintable(QStringLiteral("%1, %2").arg(excitatory).arg(inhibitory)));
  clickLegend(0, Qt::ControlModifier);
  QVERIFY(page().view().legend().whichAreHidden() == (std::vector<bool>{true, false}));
  QVERIFY(pixelsOfType(false) < excitatory / 20);
  QVERIFY(pixelsOfType(true) > inhibitory / 2);
  QCOMPARE(page().view().partLegend().entries.size(), std::size_t{1}); // as a figure has it
  // What is hidden cannot be clicked.
  const auto isInhibitory = [&](std::uint32_t neuron) { return formation().population->isInhibitory[neuron] != 0; };
  std::size_t found = 0;
  for (std::uint32_t neuron = 0; neuron < kNeurons; ++neuron)
    if (const auto under = page().view().neuronAt(page().view().pixelOf(neuron))) {
      QVERIFY(isInhibitory(*under));
      ++found;
    }
  QVERIFY(found > 0);
  // New synapses leave it hidden; in other colours nothing is.
  click("formationForm");
  waitForSynapses();
  QVERIFY(pixelsOfType(false) < excitatory / 20);
  find<QComboBox>("formationNeuronLookCombo")->setCurrentIndex(static_cast<int>(widgets::NeuronLook::Vacancy));
  QCOMPARE(page().view().neuronAt(page().view().pixelOf(clickable)), std::optional(clickable));
  find<QComboBox>("formationNeuronLookCombo")->setCurrentIndex(static_cast<int>(widgets::NeuronLook::Type));
  QVERIFY(pixelsOfType(false) < excitatory / 20);
  clickLegend(0); // any click shows it
  QVERIFY(page().view().legend().whichAreHidden() == (std::vector<bool>{false, false}));
  QVERIFY(pixelsOfType(false) > excitatory / 2);
}

void TestFormationPage::dimsTheOtherTypeByItsLegend()
{
  type("formationLevelsSpin", "0");
  const int excitatory = pixelsOfType(false);
  const int inhibitory = pixelsOfType(true);
  clickLegend(1);
  QVERIFY(pixelsOfType(false) < excitatory / 20);
  QVERIFY(pixelsOfType(true) > inhibitory / 2);
  QVERIFY(!page().selection());
  clickLegend(1);
  QVERIFY(pixelsOfType(false) > excitatory / 2);
  clickLegend(0);
  QVERIFY(pixelsOfType(true) < inhibitory / 20);
  // Escape ends that too.
  auto* canvas = find<QWidget>("octreeCanvas");
  canvas->setFocus();
  QTest::keyClick(canvas, Qt::Key_Escape);
  QVERIFY(pixelsOfType(true) > inhibitory / 2);
}

void TestFormationPage::listsTheTypesThatThereAre()
{
  const auto& entries = page().view().legend().legend().entries;
  QCOMPARE(entries.size(), std::size_t{2});
  study::FormationRequest request = panel().request();
  request.source.placement.excitatory = 1;
  panel().setRequest(request);
  click("formationForm");
  waitForSynapses();
  QCOMPARE(entries.size(), std::size_t{1});
  QCOMPARE(entries[0].label, QStringLiteral("excitatory"));
}

void TestFormationPage::drawsBundles()
{
  find<QComboBox>("formationSynapseLookCombo")->setCurrentIndex(static_cast<int>(widgets::SynapseLook::Bundles));
  type("formationBundleLevelSpin", "1");
  page().settle();
  const auto& bundles = page().view().overlay().bundles();
  QCOMPARE(bundles.size(), std::size_t{64}); // 8 cells to 8 cells
  std::uint64_t synapses = 0;
  for (const widgets::SynapseBundle& bundle : bundles)
    synapses += bundle.count;
  QCOMPARE(synapses, static_cast<std::uint64_t>(page().outcome().distances.synapses));
}

void TestFormationPage::comparesLengthsWithTheKernel()
{
  const widgets::DistanceFigure& figure = page().distances().figure();
  QVERIFY(figure.hasExpectation());
  const double expected = std::accumulate(figure.expected.begin(), figure.expected.end(), 0.0);
  QVERIFY(std::abs(expected - static_cast<double>(figure.synapses)) < 1e-6 * expected);
  // The sum of squares is a chi-square but for the dependence of bins: three times its mean is not chance.
  double chiSquare = 0;
  std::size_t bins = 0;
  for (std::size_t bin = 0; bin < figure.expected.size(); ++bin) {
    if (figure.expected[bin] < 5)
      continue;
    chiSquare += std::pow((static_cast<double>(figure.counts[bin]) - figure.expected[bin]) / figure.deviation[bin], 2);
    ++bins;
  }
  QVERIFY(bins > 10);
  QVERIFY2(chiSquare < 3.0 * static_cast<double>(bins), std::to_string(chiSquare).c_str());
}

void TestFormationPage::formsAnewWhenSigmaChanges()
{
  const double before = formation().meanDistance;
  type("formationSigmaSpin", "60");
  waitForSynapses();
  QCOMPARE(formation().parameters.search.kernel.sigma, 60.0);
  QVERIFY(formation().meanDistance < before);
  QCOMPARE(page().view().timingCard()->runs(), 2);
}

/// What is declared in the engine and of the picture is shown, and nothing is written by hand.
void TestFormationPage::everyParameterHasARow()
{
  const QString prefix = QStringLiteral("formation");
  study::FormationRequest request;
  widgets::OctreeLook look;
  const QStringList kept = {QStringLiteral("keep-tree")}; // always: the views need it
  QCOMPARE(fieldsWithoutRow(panel(), fieldsOf(request.source.placement), prefix), QStringList());
  QCOMPARE(fieldsWithoutRow(panel(), fieldsOf(request.formation), prefix), kept);
  QCOMPARE(fieldsWithoutRow(panel(), fieldsOf(look), prefix), QStringList());
}

void TestFormationPage::showsTheNumbersOfTheKernel()
{
  const auto isShown = [this](const char* row) { return find<QWidget>(row)->isVisibleTo(&panel()); };
  QVERIFY(isShown("formationSigmaRow") && !isShown("formationCutoffRow") && !isShown("formationGammaKRow"));
  find<QComboBox>("formationKernelCombo")->setCurrentIndex(static_cast<int>(synapse::AttractionKind::Linear));
  QVERIFY(isShown("formationCutoffRow") && !isShown("formationSigmaRow"));
  QCOMPARE(find<QDoubleSpinBox>("formationCutoffSpin")->text(), QStringLiteral("none"));
  QVERIFY(std::isinf(panel().request().formation.search.kernel.cutoff));
  type("formationCutoffSpin", "200");
  QCOMPARE(panel().request().formation.search.kernel.cutoff, 200.0);
  waitForSynapses();
  QCOMPARE(formation().parameters.search.kernel.cutoff, 200.0);
}

void TestFormationPage::formsWhatWasAskedForWhileAnotherJobRan()
{
  HeldJob job(HeldJob::Until::Released);
  job.submitTo(window->jobs(), {.name = "another"});
  QVERIFY(job.waitUntilHeld());
  find<QDoubleSpinBox>("formationSigmaSpin")->setValue(60);
  window->showView(ViewKind::Plasticity); // makes nothing by itself
  QVERIFY(formation().parameters.search.kernel.sigma != 60.0);
  job.release();
  QVERIFY(QTest::qWaitFor([this] { return !window->jobs().isActive(); }, kPatience));
  QVERIFY(job.wentOn());
  QCOMPARE(formation().parameters.search.kernel.sigma, 60.0);
}

void TestFormationPage::showsItsHeadlineInASmallWindow()
{
  window->resize(1280, 800);
  auto* headline = find<widgets::ElidedLabel>("formationHeadline");
  QTRY_COMPARE(headline->shownText(), headline->text());
}

void TestFormationPage::cancelsByEscape()
{
  const auto before = page().outcome().formation;
  page().settle(); // what the page computes beside the runner
  type("formationNeuronsSpin", "300000");
  QVERIFY(window->jobs().isActive(kSynapses));
  QTest::keyClick(window.get(), Qt::Key_Escape);
  QVERIFY(!window->jobs().isActive()); // before any other event
  QTRY_VERIFY_WITH_TIMEOUT(window->jobs().isIdle(), kPatience);
  QCOMPARE(page().outcome().formation, before);
}

void TestFormationPage::marksFieldsThatThePictureDoesNotHave()
{
  auto* mark = find<QWidget>("mismatchBar");
  type("formationSigmaSpin", "60");
  type("formationNeuronsSpin", "300000");
  QVERIFY(window->jobs().isActive(kSynapses));
  QTest::keyClick(window.get(), Qt::Key_Escape);
  QTRY_VERIFY(mark->isVisible());
  QTest::mouseClick(find<QPushButton>("mismatchDecline"), Qt::LeftButton);
  QCOMPARE(find<QDoubleSpinBox>("formationNeuronsSpin")->value(), static_cast<double>(kNeurons));
  QCOMPARE(find<QDoubleSpinBox>("formationSigmaSpin")->value(), formation().parameters.search.kernel.sigma);
  QTRY_VERIFY(!mark->isVisible());
  // Refused: the mark stands until the picture is that of the fields, here by its own button.
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("neurons.csv"));
  std::ofstream(path.toStdString()) << "not,a,population\n";
  panel().setFile(path);
  waitForSynapses();
  QTRY_VERIFY(mark->isVisible());
  std::ofstream(path.toStdString()) << "# hinesight neurons\nx,y,z,type,area\n0,0,0,ex,a\n9,0,0,ex,a\n";
  QTest::mouseClick(find<QPushButton>("mismatchAgree"), Qt::LeftButton);
  waitForSynapses();
  QCOMPARE(formation().population->size(), std::size_t{2});
  QTRY_VERIFY(!mark->isVisible());
}

/// Neurons are kept when forming their synapses is cancelled: what is drawn must be of them, not of those before.
void TestFormationPage::placesTheNeuronsOfACancelledRunAnew()
{
  study::FormationStudy formationStudy;
  FormationPictures pictures;
  study::FormationRequest request;
  request.source.placement.neurons = 500;
  pictures.of(formationStudy.run(request, {}), false, {});
  request.source.placement.neurons = 1000;
  RunControl cancelling;
  const RunControl control([&](std::string_view stage, double) {
    if (stage == "search")
      cancelling.cancel();
  });
  cancelling = control;
  QVERIFY_EXCEPTION_THROWN(formationStudy.run(request, control), Error);
  const FormationOutcome outcome = pictures.of(formationStudy.run(request, {}), false, {});
  QCOMPARE(outcome.formation->population->size(), std::size_t{1000});
  QCOMPARE(outcome.content.cloud->points.size(), std::size_t{3000});
}

HINESIGHT_TEST_RUN(runWindowTest<TestFormationPage>)

#include "test_formation_page.moc"
