#pragma once

#include "app/synapses/formation_page.hpp"
#include "app/synapses/formation_panel.hpp"
#include "app/window_fixture.hpp"

#include <QLabel>
#include <QSettings>
#include <QtTest>

#include <cstdint>

namespace hinesight::app {

/// The page of synapses in the real main window, with neurons at random.
class FormationFixture : public WindowFixture
{
protected:
  static constexpr std::uint32_t kNeurons = 2000;

  /// In a new window.
  void showNeurons()
  {
    QSettings().clear();
    QVERIFY(showWindow());
    QTRY_VERIFY_WITH_TIMEOUT(!find<QLabel>("deviceLabel")->text().isEmpty(), kPatience);
    study::FormationRequest request;
    request.source.placement.neurons = kNeurons;
    request.source.placement.excitatory = 0.8;
    panel().setRequest(request);
    window->showView(ViewKind::Synapses);
    waitForSynapses();
    clickable = neuronInView();
  }

  FormationPage& page() const { return window->synapses(); }
  FormationPanel& panel() const { return *find<FormationPanel>("formationPanel"); }
  const synapse::Formation& formation() const { return *page().outcome().formation; }
  const widgets::OctreeScene& scene() const { return page().view().scene(); }
  void waitForSynapses()
  {
    QVERIFY(QTest::qWaitFor([this] { return !window->isOpening() && !window->jobs().isActive(); }, kPatience));
    QVERIFY(page().outcome().formation != nullptr);
    page().settle();
  }
  /// One that a click on its pixel finds and whose search finds a target.
  std::uint32_t neuronInView() const
  {
    for (std::uint32_t neuron = 0; neuron < kNeurons; ++neuron)
      if (page().view().neuronAt(page().view().pixelOf(neuron)) == neuron)
        return neuron;
    qFatal("no neuron is in front");
  }
  void clickNeuron(std::uint32_t neuron)
  {
    QTest::mouseClick(find<QWidget>("octreeCanvas"), Qt::LeftButton, {}, page().view().pixelOf(neuron).toPoint());
    page().settle();
  }

  std::uint32_t clickable = 0;
};

} // namespace hinesight::app
