#include "core/files.hpp"
#include "io/runs/plasticity_log.hpp"
#include "study/growth/growth_study.hpp"
#include "study/growth_fixture.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <string>

using namespace hinesight;
using namespace hinesight::study;
using hinesight::tests::growing;

namespace {

constexpr std::size_t kNeurons = 200;

std::string rowsOf(const GrowthStretch& stretch)
{
  std::string rows;
  for (const synapse::StepRecord& record : stretch.records)
    rows += io::recordRow(record);
  return rows;
}

} // namespace

class TestGrowthStudy : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::string path(const char* name) const { return folder.filePath(name).toStdString(); }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  void isTheSameInStretchesOfAnyLength()
  {
    GrowthStudy whole, parts;
    whole.begin(growing(kNeurons), {});
    GrowthStretch done;
    whole.advance(90, done, {}, 15);
    QCOMPARE(done.step, 90U);
    QCOMPARE(done.records.size(), std::size_t{6});
    parts.begin(growing(kNeurons), {});
    std::string rows;
    for (const std::uint32_t steps : {7U, 1U, 40U, 42U}) {
      GrowthStretch part;
      parts.advance(steps, part, {}, 15);
      rows += rowsOf(part);
    }
    QCOMPARE(rows, rowsOf(done));
    synapse::writeCheckpoint(*whole.model(), path("whole"));
    synapse::writeCheckpoint(*parts.model(), path("parts"));
    QVERIFY(readFile(path("whole")) == readFile(path("parts")));
  }

  void beginsWithTheNetworkOfItsNeurons()
  {
    std::ofstream(path("places.csv")) << "x,y,z\n0,0,0\n30,0,0\n60,0,0\n";
    std::ofstream(path("network.csv")) << "# neurons: 3\nsource,target,weight,plastic\n0,1,2,1\n1,2,0.25,0\n";
    GrowthRequest request;
    request.source.path = path("places.csv");
    request.source.network = path("network.csv");
    GrowthStudy study;
    study.begin(request, {});
    QCOMPARE(study.model()->population().size(), std::size_t{3});
    QCOMPARE(study.model()->network().synapses.size(), std::size_t{1});
    QCOMPARE(study.model()->staticNetwork().synapses.size(), std::size_t{1});
    exportNetwork(*study.model(), path("again.csv"), {});
    QVERIFY(readFile(path("again.csv")).ends_with("source,target,weight,plastic\n0,1,2,1\n1,2,0.25,0\n"));
  }

  void otherFilesAreAnotherBeginning()
  {
    const GrowthRequest run = growing(kNeurons);
    GrowthRequest fields = run;
    fields.source.path = "places.csv";
    QCOMPARE(beginningsThatDiffer(run, fields), std::vector<std::string>{"neurons"});
    fields.source.network = "network.csv";
    QCOMPARE(beginningsThatDiffer(run, fields), (std::vector<std::string>{"neurons", "network"}));
    fields.model.updatePeriod = 30;
    const GrowthRequest next = goingOn(run, fields);
    QCOMPARE(next.source.path, std::string());
    QCOMPARE(next.source.network, std::string());
    QCOMPARE(next.model.updatePeriod, 30U);
  }
};

HINESIGHT_TEST(TestGrowthStudy)
#include "test_growth_study.moc"
