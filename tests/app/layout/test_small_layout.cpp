#include "app/app_fixture.hpp"
#include "layout_fixture.hpp"
#include "test_main.hpp"

#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// Whether a person can read everything of every page in windows that are as small as on screens of many pixels.
class TestSmallLayout : public QObject, private LayoutFixture
{
  Q_OBJECT

private slots:
  void init() { showWithSamples(); }
  void cleanup() { close(); }

  void cutsNothingAndLaysNothingOverAnother() { expectNoFaultsIn(screensAt(1.5) + screensAt(2)); }
};

HINESIGHT_TEST_RUN(runWindowTest<TestSmallLayout>)
#include "test_small_layout.moc"
