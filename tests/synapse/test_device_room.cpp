#include "synapse/device_room.hpp"

#include "test_main.hpp"

#include <QTest>

using namespace hinesight::synapse::detail;

class TestDeviceRoom : public QObject
{
  Q_OBJECT

private slots:
  void growsWithNeuronsElementsAndPairs();
};

void TestDeviceRoom::growsWithNeuronsElementsAndPairs()
{
  QVERIFY(deviceBytesOfFormation(2, 1, 1) > deviceBytesOfFormation(1, 1, 1));
  QVERIFY(deviceBytesOfFormation(1, 2, 2) > deviceBytesOfFormation(1, 1, 2));
  QVERIFY(deviceBytesOfFormation(1, 1, 2) > deviceBytesOfFormation(1, 1, 1));
  QVERIFY(deviceBytesOfModel(2, 1) > deviceBytesOfModel(1, 1));
  QVERIFY(deviceBytesOfModel(1, 2) > deviceBytesOfModel(1, 1));
  // Where neurons and elements are as many times more, so are the bytes: what would fit is told by their ratio.
  QCOMPARE(deviceBytesOfFormation(500, 3'500, 4'000), 500 * deviceBytesOfFormation(1, 7, 8));
}

HINESIGHT_TEST(TestDeviceRoom)

#include "test_device_room.moc"
