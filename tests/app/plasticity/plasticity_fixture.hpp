#pragma once

#include "app/plasticity/plasticity_controller.hpp"
#include "app/plasticity/plasticity_page.hpp"
#include "app/plasticity/plasticity_panel.hpp"
#include "app/synapses/formation_page.hpp"
#include "app/synapses/formation_panel.hpp"
#include "app/window_fixture.hpp"

#include <QFileDialog>
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cstdint>

namespace hinesight::app {

/// The real main window with a small network on its page of plasticity.
class PlasticityFixture : public WindowFixture
{
protected:
  static constexpr std::uint32_t kPeriod = 20;

  void begin()
  {
    QSettings().clear();
    window = std::make_unique<MainWindow>();
    study::GrowthRequest request = panel().request();
    request.source.placement.neurons = 500;
    request.model.updatePeriod = kPeriod;
    // Elements from the start, so that the first update forms synapses.
    for (auto* pool : {&request.model.axon, &request.model.excitatoryDendrite, &request.model.inhibitoryDendrite}) {
      pool->initialLeast = 2;
      pool->initialMost = 3;
    }
    panel().setRequest(request);
    page().setRequest(request);
    window->showView(ViewKind::Plasticity);
    QVERIFY(showWindow({1400, 900}));
  }

  PlasticityPage& page() const { return window->plasticity(); }
  PlasticityPanel& panel() const { return *find<PlasticityPanel>("plasticityPanel"); }
  void stepOnce()
  {
    click("plasticityStep");
    QVERIFY(QTest::qWaitFor([this] { return !page().isRunning(); }, kPatience));
  }
  QWidget* question() const { return find<QWidget>("mismatchBar"); }
  QString asked() const { return find<QLabel>("mismatchText")->text(); }
  QString headline() const { return find<QLabel>("plasticityHeadline")->text(); }
  bool hasNeurons(const char* count) const { return headline().contains(QStringLiteral(" %1 neurons").arg(count)); }
  /// A network of so many neurons on the page of synapses, with that sigma.
  void formSynapses(std::uint32_t neurons, double sigma)
  {
    study::FormationRequest request;
    request.source.placement.neurons = neurons;
    request.formation.search.kernel.sigma = sigma;
    find<FormationPanel>("formationPanel")->setRequest(request);
    window->showView(ViewKind::Synapses);
    QVERIFY(QTest::qWaitFor([this] { return window->synapses().outcome().formation != nullptr; }, kPatience));
  }

  /// Answers the dialog of the export button.
  void exportAs(const QString& filter, const QString& path)
  {
    click("plasticityExport");
    auto* dialog = find<QFileDialog>("exportPlasticityDialog");
    const QStringList filters = dialog->nameFilters();
    const auto chosen =
        std::find_if(filters.begin(), filters.end(), [&](const QString& each) { return each.startsWith(filter); });
    QVERIFY(chosen != filters.end());
    dialog->selectNameFilter(*chosen);
    const QSignalSpy saved(window->findChild<PlasticityController*>(), &PlasticityController::saved);
    emit dialog->fileSelected(path);
    delete dialog;
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kPatience);
    QVERIFY(QFileInfo(path).size() > 0);
  }
  void openCheckpoint(const QString& path)
  {
    click("plasticityOpen");
    auto* dialog = find<QFileDialog>("openCheckpointDialog");
    const bool endsARun = page().hasUnsavedSteps();
    emit dialog->filesSelected({path});
    delete dialog;
    if (endsARun) {
      QTRY_VERIFY(question()->isVisible());
      click("mismatchAgree");
    }
    QVERIFY(QTest::qWaitFor([this] { return !page().isRunning(); }, kPatience));
  }

  QTemporaryDir output;
};

} // namespace hinesight::app
