#include "core/files.hpp"

#include "core/error.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <filesystem>
#include <string>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace hinesight;

namespace fs = std::filesystem;

namespace {

/// Files may not grow beyond so many bytes while this lives: as a full disk has it.
class FileSizeLimit
{
public:
  explicit FileSizeLimit(rlim_t bytes)
  {
    getrlimit(RLIMIT_FSIZE, &before);
    handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit()
  {
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
  }
  Q_DISABLE_COPY(FileSizeLimit)

private:
  rlimit before{};
  void (*handler)(int) = nullptr;
};

template <typename Work>
ErrorCode codeThrownBy(const Work& work)
{
  try {
    work();
  } catch (const Error& error) {
    return error.code();
  }
  throw std::logic_error("nothing was thrown");
}

} // namespace

class TestFiles : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  fs::path path(const char* name) const { return fs::path(folder.path().toStdString()) / name; }

  static void write(const fs::path& path, const std::string& text)
  {
    writeFileAtomically(path, [&](std::ostream& stream) { stream << text; });
  }

  int entries() const
  {
    return static_cast<int>(
        QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size());
  }

private slots:
  void init()
  {
    QVERIFY(folder.isValid());
    for (const auto& entry : fs::directory_iterator(folder.path().toStdString()))
      fs::remove_all(entry);
  }

  void readsWhatItWrote()
  {
    std::string bytes;
    for (int i = 0; i < 300'000; ++i)
      bytes += static_cast<char>(i * 7 + i / 256);
    write(path("a"), bytes);
    QVERIFY(readFile(path("a")) == bytes);
    write(path("a"), "");
    QCOMPARE(readFile(path("a")), std::string());
    QCOMPARE(entries(), 1);
  }

  void readsWhatHasNoSize()
  {
    // Files of /proc say that they have 0 bytes.
    QVERIFY(readFile("/proc/self/status").find("VmPeak") != std::string::npos);
  }

  void saysWhyItCannotRead()
  {
    QVERIFY(codeThrownBy([&] { readFile(path("nothing")); }) == ErrorCode::FileNotFound);
    QVERIFY(codeThrownBy([&] { readFile(folder.path().toStdString()); }) == ErrorCode::FileUnreadable);
    // Opens, but has nothing to read at its beginning.
    QVERIFY(codeThrownBy([&] { readFile("/proc/self/mem"); }) == ErrorCode::FileUnreadable);
    write(path("secret"), "x");
    fs::permissions(path("secret"), fs::perms::none);
    // Root reads every file.
    if (geteuid() != 0)
      QVERIFY(codeThrownBy([&] { readFile(path("secret")); }) == ErrorCode::FileUnreadable);
  }

  void refusesWhatNeverEnds()
  {
    const std::string pipe = path("pipe");
    QCOMPARE(mkfifo(pipe.c_str(), 0600), 0);
    QVERIFY(codeThrownBy([&] { readFile(pipe); }) == ErrorCode::FileUnreadable);
    QVERIFY(codeThrownBy([&] { readFile("/dev/zero"); }) == ErrorCode::FileUnreadable);
  }

  void saysWhenAFileIsLargerThanMemory()
  {
    write(path("sparse"), "");
    std::error_code failure;
    fs::resize_file(path("sparse"), std::uintmax_t{1} << 42, failure);
    if (failure)
      QSKIP("the file system has no sparse files");
    QVERIFY(codeThrownBy([&] { readFile(path("sparse")); }) == ErrorCode::OutOfMemory);
  }

  void keepsTheOldFileWhenTheWriterThrows()
  {
    write(path("a"), "old");
    QVERIFY_EXCEPTION_THROWN(writeFileAtomically(path("a"),
                                                 [](std::ostream& stream) {
                                                   stream << "new";
                                                   throw Error(ErrorCode::Cancelled, "stop");
                                                 }),
                             Error);
    QCOMPARE(readFile(path("a")), std::string("old"));
    QCOMPARE(entries(), 1);
  }

  void keepsTheOldFileWhenTheDiskIsFull()
  {
    write(path("a"), "old");
    ErrorCode code{};
    {
      const FileSizeLimit limit(4096);
      code = codeThrownBy([&] { write(path("a"), std::string(100'000, 'x')); });
    }
    QVERIFY(code == ErrorCode::WriteFailed);
    QCOMPARE(readFile(path("a")), std::string("old"));
    QCOMPARE(entries(), 1);
  }

  void showsTheWholeFileOrTheOldOne()
  {
    write(path("a"), "old");
    replaceFileAtomically(path("a"), [&](const fs::path& temporary) {
      QFile file(QString::fromStdString(temporary.string()));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write("new");
      file.close();
      QCOMPARE(readFile(path("a")), std::string("old"));
      QVERIFY(temporary.parent_path() == path("a").parent_path());
    });
    QCOMPARE(readFile(path("a")), std::string("new"));
    QCOMPARE(entries(), 1);
  }

  void refusesPlacesThatAreNoFiles()
  {
    const auto refuses = [](const fs::path& path) {
      return codeThrownBy([&] { write(path, "x"); }) == ErrorCode::WriteFailed;
    };
    QVERIFY(refuses(path("missing") / "a"));
    QVERIFY(refuses(folder.path().toStdString()));
    QVERIFY(refuses("/proc/hinesight"));
    // A device is not replaced by a file, not even by root.
    QVERIFY(refuses("/dev/null"));
    QVERIFY(fs::is_character_file("/dev/null"));
  }

  void keepsPermissionsAndLinks()
  {
    write(path("a"), "old");
    fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("a", path("link"));
    write(path("link"), "new");
    QVERIFY(fs::is_symlink(path("link")));
    QCOMPARE(readFile(path("a")), std::string("new"));
    QVERIFY(fs::status(path("a")).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  }

  void writesBesideTheWorkingFolder()
  {
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(folder.path()));
    write("bare name", "x");
    QVERIFY(QDir::setCurrent(before));
    QCOMPARE(readFile(path("bare name")), std::string("x"));
  }
};

HINESIGHT_TEST(TestFiles)
#include "test_files.moc"
