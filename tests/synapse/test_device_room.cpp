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
  const auto together = [](std::size_t neurons, std::size_t elements, std::size_t seeking) {
    return deviceBytesOfFormation(neurons, elements, seeking).together;
  };
  QVERIFY(together(2, 1, 1) > together(1, 1, 1));
  QVERIFY(together(1, 2, 2) > together(1, 1, 2));
  QVERIFY(together(1, 1, 2) > together(1, 1, 1));
  QVERIFY(deviceBytesOfModel(2, 1) > deviceBytesOfModel(1, 1));
  QVERIFY(deviceBytesOfModel(1, 2) > deviceBytesOfModel(1, 1));
  QVERIFY(deviceBytesOfModel(100, 100, 2) > deviceBytesOfModel(100, 100));
  QVERIFY(deviceBytesOfModel(100, 100, 4) < deviceBytesOfModel(100, 100, 2));
  QVERIFY(deviceBytesOfModel(100, 100, 2, false) < deviceBytesOfModel(100, 100, 2));
  // Where neurons and elements are as many times more, so are the bytes: what would fit is told by their ratio.
  const DeviceBytes many = deviceBytesOfFormation(500, 3'500, 4'000), one = deviceBytesOfFormation(1, 7, 8);
  QCOMPARE(many.together, 500 * one.together);
  QCOMPARE(many.inTurn, 500 * one.inTurn);
  QVERIFY(many.inTurn < many.together);
}

HINESIGHT_TEST(TestDeviceRoom)

#include "test_device_room.moc"
