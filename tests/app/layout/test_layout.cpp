#include "app/app_fixture.hpp"
#include "layout_fixture.hpp"
#include "test_main.hpp"

#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// Whether a person can read everything of every page in windows as large as screens are.
class TestLayout : public QObject, private LayoutFixture
{
  Q_OBJECT

private slots:
  void init() { showWithSamples(); }
  void cleanup() { close(); }

  /// CMake runs it at other ratios of pixels as well: the ratio is read once, when an application starts.
  void cutsNothingAndLaysNothingOverAnother() { expectNoFaultsIn(screensAt(window->devicePixelRatioF())); }
};

HINESIGHT_TEST_RUN(runWindowTest<TestLayout>)
#include "test_layout.moc"
