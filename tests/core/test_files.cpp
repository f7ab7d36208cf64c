#include "core/files.hpp"

#include "core/error.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

  static int entriesOf(const fs::path& in)
  {
    return static_cast<int>(std::distance(fs::directory_iterator(in), fs::directory_iterator()));
  }
  int entries() const { return entriesOf(folder.path().toStdString()); }

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

  void readsPartByPart()
  {
    write(path("a"), "0123456789");
    FileReader file(path("a"));
    QCOMPARE(file.size(), std::uint64_t{10});
    std::string part(4, ' ');
    QCOMPARE(file.read(part.data(), 4), std::size_t{4});
    QCOMPARE(part, std::string("0123"));
    std::string rest(20, ' ');
    QCOMPARE(file.read(rest.data(), 20), std::size_t{6});
    QCOMPARE(rest.substr(0, 7), std::string("456789 "));
    QCOMPARE(file.read(rest.data(), 20), std::size_t{0});
    QVERIFY(codeThrownBy([&] { FileReader{path("nothing")}; }) == ErrorCode::FileNotFound);
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

  void tellsWhetherSomethingIsThere()
  {
    QVERIFY(!isThere(path("a")));
    QVERIFY(!isThere(path("no folder") / "a"));
    write(path("a"), "x");
    fs::create_symlink("a", path("link"));
    QVERIFY(isThere(path("a")));
    QVERIFY(isThere(path("link")));
    QVERIFY(isThere(folder.path().toStdString()));
    fs::create_symlink("loop", path("loop"));
    fs::create_symlink("nowhere", path("dangling"));
    for (const char* name : {"loop", "dangling"})
      QVERIFY(codeThrownBy([&] { isThere(path(name)); }) == ErrorCode::FileUnreadable);
  }

  void knowsAFileByItsOtherNames()
  {
    write(path("a"), "x");
    write(path("b"), "x");
    fs::create_directory(path("sub"));
    fs::create_symlink("a", path("link"));
    fs::create_hard_link(path("a"), path("twin"));
    fs::create_symlink("new", path("to new"));
    fs::create_symlink(folder.path().toStdString(), path("sub") / "up");
    for (const fs::path& name : {path("a"), path("./a"), path("sub/../a"), path("link"), path("twin"), path("sub/up/a"),
                                 fs::relative(path("a"))})
      QVERIFY2(nameSameFile(path("a"), name) && nameSameFile(name, path("a")), name.c_str());
    for (const fs::path& name : {path("new"), path("./new"), path("to new"), path("sub/up/new"), path("no/../new")})
      QVERIFY2(nameSameFile(path("new"), name) && nameSameFile(name, path("new")), name.c_str());
    QVERIFY(nameSameFile(path("sub"), path("sub/")));
    QVERIFY(nameSameFile(path("new folder"), path("new folder/")));
    for (const char* name : {"b", "new", "sub", "to new", "sub/a"})
      QVERIFY2(!nameSameFile(path("a"), path(name)), name);
    QVERIFY(!nameSameFile(path("new"), path("newer")));
  }

  void removesWhatKilledWritersLeft()
  {
    const fs::path here = path("killed");
    fs::create_directory(here);
    const pid_t writer = fork();
    QVERIFY(writer >= 0);
    if (writer == 0) {
      replaceFileAtomically(here / "a", [](const fs::path&) { std::raise(SIGKILL); });
      _exit(1);
    }
    QCOMPARE(waitpid(writer, nullptr, 0), writer);
    QCOMPARE(entriesOf(here), 1); // it was in the midst of it
    write(here / "b", "x");
    QCOMPARE(entriesOf(here), 1);
    QVERIFY(fs::exists(here / "b"));
  }

  void leavesToOthersWhatTheyWrite()
  {
    const fs::path here = path("shared");
    fs::create_directory(here);
    // As another machine would, or this one before it was started again, and a file that is nobody's temporary one.
    const std::vector<std::string> foreign = {
        ".hinesight-6a1f9d0e-0000-4000-8000-000000000000-4026531836-999999999-0.tmp", ".hinesight-notes", ".a.tmp"};
    for (const std::string& name : foreign)
      std::ofstream(here / name) << "x";
    int started[2], mayEnd[2];
    QCOMPARE(pipe(started) + pipe(mayEnd), 0);
    const pid_t writer = fork();
    QVERIFY(writer >= 0);
    if (writer == 0) {
      char byte = 0;
      write(here / "slow", "old"); // its own first look at the folder
      replaceFileAtomically(here / "slow", [&](const fs::path& temporary) {
        std::ofstream(temporary) << "new";
        byte = static_cast<char>(::write(started[1], "x", 1));
        byte = static_cast<char>(::read(mayEnd[0], &byte, 1));
      });
      _exit(0);
    }
    char byte = 0;
    QCOMPARE(::read(started[0], &byte, 1), 1);
    write(here / "quick", "x");
    QCOMPARE(::write(mayEnd[1], "x", 1), 1);
    int status = -1;
    QCOMPARE(waitpid(writer, &status, 0), writer);
    QCOMPARE(status, 0);
    QCOMPARE(readFile(here / "slow"), std::string("new"));
    for (const std::string& name : foreign)
      QVERIFY2(fs::exists(here / name), name.c_str());
    for (const int end : {started[0], started[1], mayEnd[0], mayEnd[1]})
      ::close(end);
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
