#include "cancellation.hpp"
#include "core/files.hpp"
#include "io/tables/projection_export.hpp"
#include "study/projection/projection_study.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <string>

using namespace hinesight;
using namespace hinesight::study;
using hinesight::tests::failureOf;

namespace {

PopulationChoice gridOf(const char* name, std::uint32_t side)
{
  projection::PopulationParameters parameters;
  parameters.name = name;
  parameters.size = {side, side, 1};
  return parameters;
}

PopulationChoice fileOf(const char* name, const std::string& path)
{
  projection::PopulationParameters parameters;
  parameters.name = name;
  parameters.kind = projection::PopulationKind::File;
  parameters.file = path;
  return parameters;
}

ProjectionRequest requestOf(PopulationChoice source, PopulationChoice destination)
{
  ProjectionRequest request;
  request.source = std::move(source);
  request.destination = std::move(destination);
  request.parameters.kernel = projection::KernelKind::Gaussian;
  request.parameters.sigma = 2;
  request.parameters.cut = 0.01;
  return request;
}

} // namespace

class TestProjectionStudy : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::string path(const char* name) const { return folder.filePath(name).toStdString(); }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  void aTableIsWrittenAsItIsKept()
  {
    const ProjectionRequest request = requestOf(gridOf("a", 12), gridOf("b", 9));
    ProjectionStudy study;
    const auto made = std::get<ProjectionResult>(study.run(request, {}));
    for (const char* name : {"kept.csv", "kept.npy", "kept.xml"}) {
      io::exportTable(*made.table, path(name));
      const std::string kept = readFile(path(name));
      const WrittenTable written = writeTable(study.place(request, {}), request.compute, path(name), {});
      QCOMPARE(written.rows, made.table->rows());
      QCOMPARE(written.bytes, made.table->bytes());
      QVERIFY2(readFile(path(name)) == kept, name);
      QCOMPARE(written.timings.stages.back().name, std::string("export"));
    }
    const WrittenTable timed = writeTable(study.place(request, {}), request.compute, {}, {});
    QCOMPARE(timed.rows, made.table->rows());
    QCOMPARE(timed.timings.stages.back().name, std::string("compact"));
  }

  void populationsStayWhileTheyAreAskedFor()
  {
    ProjectionStudy study;
    ProjectionRequest request = requestOf(gridOf("a", 5), gridOf("b", 4));
    const projection::Projection first = study.place(request, {});
    QVERIFY(first.source != first.destination);
    request.parameters.sigma = 3;
    const projection::Projection second = study.place(request, {});
    QVERIFY(second.source == first.source && second.destination == first.destination);
    QCOMPARE(second.parameters.sigma, 3.0);
    request.destination = gridOf("b", 6);
    QVERIFY(study.place(request, {}).destination != first.destination);
  }

  void onePopulationAtBothEndsIsOne()
  {
    std::ofstream(path("cells.csv")) << "x,y,z\n0,0,0\n1,0,0\n";
    ProjectionStudy study;
    const projection::Projection placed =
        study.place(requestOf(fileOf("a", path("cells.csv")), fileOf("a", path("cells.csv"))), {});
    QCOMPARE(placed.source->count(), std::uint64_t{2});
    QVERIFY(placed.source == placed.destination);
  }

  void wrongParametersAreRefusedBeforeAnythingIsRead()
  {
    ProjectionRequest request = requestOf(fileOf("a", path("nowhere.csv")), gridOf("b", 4));
    ProjectionStudy study;
    QCOMPARE(failureOf([&] { study.place(request, {}); }), ErrorCode::FileNotFound);
    request.parameters.sigma = -1;
    QCOMPARE(failureOf([&] { study.place(request, {}); }), ErrorCode::BadParameter);
  }
};

HINESIGHT_TEST(TestProjectionStudy)
#include "test_projection_study.moc"
