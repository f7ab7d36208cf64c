#include "core/error.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/networks/network_files.hpp"
#include "io/networks/neuron_files.hpp"
#include "paths/paths.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <functional>

#include <sys/stat.h>

using namespace hinesight;

/// Files of tests/data/hdf5: nodes of three neurons at x = y = 0, 1, 2, of which x is somewhere else. What they point
/// to is called "elsewhere". attribute_texts has attributes with a text of variable and a longer one of fixed length.
class TestHdf5File : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::string path(const QString& name) const { return folder.filePath(name).toStdString(); }

  static QString failureOf(const std::function<void()>& body)
  {
    try {
      body();
    } catch (const Error& error) {
      return QString("%1: ").arg(errorCodeName(error.code()).data()) + error.what();
    }
    return "none";
  }

private slots:
  void initTestCase()
  {
    QVERIFY(folder.isValid());
    // HDF5 looks beside the file and in the current folder. Whoever opens a pipe without a writer waits for ever.
    QVERIFY(QDir::setCurrent(folder.path()));
    QCOMPARE(::mkfifo(path("elsewhere").c_str(), 0600), 0);
  }

  void refusesWhatLiesOutside_data()
  {
    QTest::addColumn<QString>("sentence");
    QTest::newRow("external_link") << "/nodes/p/0/x is a link into another file, \"elsewhere\", which is not opened";
    QTest::newRow("soft_link_outside") << "/other is a link into another file, \"elsewhere\", which is not opened";
    QTest::newRow("soft_loop") << "/nodes/p/0/x is a soft link that leads back to itself";
    QTest::newRow("external_values")
        << "/nodes/p/0/x has its values in another file, \"elsewhere\", which are not read";
    QTest::newRow("virtual_values") << "/nodes/p/0/x has its values in other datasets (it is a virtual one), which";
  }

  void refusesWhatLiesOutside()
  {
    QFETCH(QString, sentence);
    const QString name = QString(QTest::currentDataTag()) + ".h5";
    QVERIFY(QFile::copy(tests::testData("hdf5/") + name, folder.filePath(name)));
    const QString wanted = "badFormat: " + folder.filePath(name) + ": " + sentence;
    for (const QString& failure : {failureOf([&] {
                                     io::readPositions({path(name), {}});
                                   }),
                                   failureOf([&] { io::readNeuronPopulation(path(name)); })})
      QVERIFY2(failure.startsWith(wanted), qPrintable(failure));
    // Looking at the rest of the file goes on.
    QVERIFY(io::sonataContent(path(name)).hasNeurons);
  }

  void followsLinksInsideTheFile()
  {
    const auto positions = io::readPositions({tests::testData("hdf5/soft_link.h5").toStdString(), {}});
    QCOMPARE(positions[0], (std::vector<double>{0, 1, 2}));
    QCOMPARE(positions[1], positions[0]);
  }

  void walksThroughTextsOfAttributes()
  {
    const QString sound = tests::testData("hdf5/attribute_texts.h5");
    QCOMPARE(io::readPositions({sound.toStdString(), {}})[0], (std::vector<double>{0, 1, 2}));
  }

  /// Its length, which the heap of texts has, crashes the HDF5 library as soon as the text is read.
  void refusesADamagedTextOfAnAttribute()
  {
    QFile sound(tests::testData("hdf5/attribute_texts.h5"));
    QVERIFY(sound.open(QIODevice::ReadOnly));
    QByteArray bytes = sound.readAll();
    constexpr qsizetype kHighestByteOfLength = 16 + 15; // of the first text, behind the heap's own header
    const qsizetype heap = bytes.indexOf("GCOL");
    QVERIFY(heap > 0);
    bytes[heap + kHighestByteOfLength] = 0x7f;
    QFile damaged(folder.filePath("attribute_texts_damaged.h5"));
    QVERIFY(damaged.open(QIODevice::WriteOnly) && damaged.write(bytes) == bytes.size());
    damaged.close();
    const std::string file = damaged.fileName().toStdString();
    QCOMPARE(failureOf([&] {
               io::readPositions({file, {}});
             }),
             "badFormat: " + damaged.fileName() + ": is damaged: the HDF5 library cannot walk through it");
  }

  void walksThroughDeeplyNestedGroups()
  {
    constexpr int kPieces = 40, kDepth = 100; // 4,000 groups, one in another
    QString inPiece;
    for (int level = 0; level < kDepth; ++level)
      inPiece += "/g";
    const std::string file = path("deep.h5");
    {
      io::Hdf5Layout layout(file, file);
      const auto pieceName = [](int piece) { return QString("/piece%1").arg(piece, 3, 10, QChar('0')); };
      for (int piece = 0; piece < kPieces; ++piece)
        layout.addGroup((pieceName(piece) + inPiece).toStdString());
      for (int piece = 0; piece + 1 < kPieces; ++piece)
        layout.addHardLink(pieceName(piece + 1).toStdString(), (pieceName(piece) + inPiece + "/next").toStdString());
      layout.close();
    }
    const io::Hdf5Reader reader(file);
    QVERIFY(reader.has("/piece000" + inPiece.toStdString() + "/next" + inPiece.toStdString()));
    QCOMPARE(reader.namesIn("/").size(), std::size_t{kPieces});
  }

  /// In one thread; as long as one file kept all others out, the second waited for ever.
  void readsSeveralAtOnce()
  {
    const std::string file = tests::testData("hdf5/soft_link.h5").toStdString();
    const io::Hdf5Reader first(file), second(file);
    QVERIFY(first.has("/nodes"));
    QVERIFY(second.has("/nodes"));
    QVERIFY(first.namesIn("/nodes") == second.namesIn("/nodes"));
  }
};

HINESIGHT_TEST(TestHdf5File)
#include "test_hdf5_file.moc"
