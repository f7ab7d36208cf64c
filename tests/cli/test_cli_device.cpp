#include "cli/program.hpp"
#include "core/device.hpp"
#include "test_main.hpp"

#include <QTest>

using hinesight::DeviceInfo;
using hinesight::tests::ProgramRun;
using hinesight::tests::runProgram;

class TestCliDevice : public QObject
{
  Q_OBJECT

private slots:
  void saysHowManyGpusThereAre()
  {
    const std::size_t count = hinesight::cudaDevices().size();
    const QString text = count == 0   ? QStringLiteral("no GPU that can be used")
                         : count == 1 ? QStringLiteral("1 GPU: ")
                                      : QStringLiteral("%1 GPUs: 0, 1").arg(count);
    for (const char* number : {"99", "-1", "second", "1.0", "99999999999"}) {
      const ProgramRun run = runProgram({"--device", number, "devices"});
      QVERIFY2(run.status == 2, run.text());
      QVERIFY2(QString::fromUtf8(run.err).contains(text), run.text());
    }
  }

  void putsThatGpuFirst()
  {
    const std::vector<DeviceInfo> devices = hinesight::cudaDevices();
    if (devices.size() < 2)
      QSKIP("there are not two GPUs");
    const ProgramRun run = runProgram({"--device", "1", "devices", "--json"});
    QVERIFY2(run.status == 0, run.text());
    QCOMPARE(run.json()["cuda"][0]["index"].toInt(), 1);
  }
};

HINESIGHT_TEST(TestCliDevice)
#include "test_cli_device.moc"
