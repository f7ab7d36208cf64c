#pragma once

#include "app/projection/projection_page.hpp"
#include "app/selection/neuron_selection.hpp"
#include "app/session_fixture.hpp"
#include "core/files.hpp"
#include "widgets/projection/projection_view.hpp"

#include <QListWidget>
#include <QTabWidget>
#include <QtTest>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace hinesight::app {

/// The real main window with a circuit, whose neurons and connections are chosen.
class NeuronsFixture : public SessionFixture
{
protected:
  using Neurons = std::vector<CircuitNeuron>;
  using Numbers = std::vector<std::uint32_t>;

  void openSession(const char* name, const char* text, std::size_t populations)
  {
    writeFileAtomically(path(name).toStdString(), [&](std::ostream& stream) { stream << text; });
    open({path(name)});
    QTRY_COMPARE_WITH_TIMEOUT(window->project().populations.size(), populations, kPatience);
    QVERIFY(waitForJobs());
  }
  void chooseConnection(int row)
  {
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    auto* list = find<QListWidget>("connectionList");
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(row)).center());
    QVERIFY(waitForJobs());
  }
  void showProjection(int row)
  {
    chooseConnection(row);
    window->showView(ViewKind::Projection);
    const std::string source = window->project().connections[static_cast<std::size_t>(row)].source;
    QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive() && layers().table() &&
                                 layers().table()->projection.source->name() == source,
                             kPatience);
  }

  NeuronSelection& selected() const { return *window->findChild<NeuronSelection*>(); }
  const Neurons& picked() const { return selected().neurons(); }
  widgets::ProjectionView& layers() const { return window->projections().view(); }
};

} // namespace hinesight::app
