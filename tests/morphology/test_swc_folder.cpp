#include "morphology/swc_folder.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>

using namespace hinesight;
using namespace hinesight::morphology;

class TestSwcFolder : public QObject
{
  Q_OBJECT

private slots:
  void init();
  void findsFilesAtAnyDepthByTheirNames();
  void passesOverWhatIsHiddenAndWhatIsNoSwc();
  void followsLinksAndNoCircles();
  void tellsOfFoldersThatCannotBeLookedInto();
  void canBeCancelled();

private:
  void touch(const char* name) const;
  QStringList found() const;

  std::unique_ptr<QTemporaryDir> folder;
};

void TestSwcFolder::init()
{
  folder = std::make_unique<QTemporaryDir>();
}

void TestSwcFolder::touch(const char* name) const
{
  const QString path = folder->filePath(QLatin1String(name));
  QVERIFY(QDir().mkpath(QFileInfo(path).path()));
  QVERIFY(QFile(path).open(QIODevice::WriteOnly));
}

/// Relative to the folder.
QStringList TestSwcFolder::found() const
{
  QStringList names;
  for (const std::filesystem::path& file : findSwcFiles(folder->path().toStdString()).files)
    names << QDir(folder->path()).relativeFilePath(QString::fromStdString(file.string()));
  return names;
}

void TestSwcFolder::findsFilesAtAnyDepthByTheirNames()
{
  for (const char* name : {"z.swc", "b/y.SWC", "b/a/x.swc", "a/w.swc", "c.swc"})
    touch(name);
  QCOMPARE(found(), (QStringList{"c.swc", "z.swc", "a/w.swc", "b/y.SWC", "b/a/x.swc"}));
}

void TestSwcFolder::passesOverWhatIsHiddenAndWhatIsNoSwc()
{
  for (const char* name : {"a.swc", ".b.swc", ".git/c.swc", "d.swc.txt", "swc"})
    touch(name);
  QVERIFY(QDir(folder->path()).mkdir("e.swc"));
  touch("e.swc/f.swc");
  QCOMPARE(found(), (QStringList{"a.swc", "e.swc/f.swc"}));
}

void TestSwcFolder::followsLinksAndNoCircles()
{
  touch("a/b/one.swc");
  touch("other/two.swc");
  QVERIFY(QFile::link(folder->path(), folder->filePath("a/b/up")));
  QVERIFY(QFile::link(folder->filePath("nowhere"), folder->filePath("lost.swc")));
  QVERIFY(QFile::link(folder->filePath("other/two.swc"), folder->filePath("three.swc")));
  QCOMPARE(found(), (QStringList{"three.swc", "a/b/one.swc", "other/two.swc"}));
}

void TestSwcFolder::tellsOfFoldersThatCannotBeLookedInto()
{
  QVERIFY_THROWS_EXCEPTION(Error, findSwcFiles(folder->filePath("missing").toStdString()));
  touch("a.swc");
  touch("closed/b.swc");
  const std::filesystem::path closed = folder->filePath("closed").toStdString();
  std::filesystem::permissions(closed, std::filesystem::perms::none);
  const SwcFolder result = findSwcFiles(folder->path().toStdString());
  const bool isClosed = !QDir(folder->filePath("closed")).isReadable();
  std::filesystem::permissions(closed, std::filesystem::perms::owner_all);
  if (!isClosed)
    QSKIP("this user may look into every folder");
  QCOMPARE(result.files.size(), std::size_t{1});
  QCOMPARE(result.problems.size(), std::size_t{1});
  QCOMPARE(result.problems[0].file(), closed.string());
}

void TestSwcFolder::canBeCancelled()
{
  const RunControl control;
  control.cancel();
  QVERIFY_THROWS_EXCEPTION(Error, findSwcFiles(folder->path().toStdString(), control));
}

HINESIGHT_TEST(TestSwcFolder)
#include "test_swc_folder.moc"
