#include "core/pages.hpp"

#include "core/error.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

using namespace hinesight;

namespace {

constexpr std::size_t kBytes = std::size_t{64} << 20;

/// New memory, of which nothing was written to.
class NewMemory
{
public:
  NewMemory() : begin(::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  ~NewMemory() { ::munmap(begin, kBytes); }
  NewMemory(const NewMemory&) = delete;
  NewMemory& operator=(const NewMemory&) = delete;

  unsigned char* at(std::size_t byte) const { return static_cast<unsigned char*>(begin) + byte; }

  /// Which of its pages are there.
  std::vector<bool> pages() const
  {
    std::vector<unsigned char> found(kBytes / pageBytes());
    if (::mincore(begin, kBytes, found.data()) != 0)
      return {};
    std::vector<bool> are;
    for (const unsigned char each : found)
      are.push_back((each & 1) != 0);
    return are;
  }
  bool hasAllPages() const
  {
    const std::vector<bool> are = pages();
    return !are.empty() && std::ranges::all_of(are, [](bool is) { return is; });
  }
  bool hasAnyPage() const
  {
    return std::ranges::any_of(pages(), [](bool is) { return is; });
  }

  static std::size_t pageBytes() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

private:
  void* begin;
};

/// The flags of the mapping that holds an address, as /proc/self/smaps has them; nullopt: the system does not tell.
std::optional<std::string> flagsOfMapping(const void* address)
{
  std::ifstream file("/proc/self/smaps");
  bool isIn = false;
  for (std::string line; std::getline(file, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream words(line);
    if (words >> std::hex >> begin >> dash >> end && dash == '-')
      isIn = begin <= reinterpret_cast<std::uintptr_t>(address) && reinterpret_cast<std::uintptr_t>(address) < end;
    else if (isIn && line.starts_with("VmFlags:"))
      return line + " ";
  }
  return std::nullopt;
}

} // namespace

/// Pages of new memory.
class TestPages : public QObject
{
  Q_OBJECT

private slots:
  void areThereBeforeTheyAreWrittenTo()
  {
    const NewMemory memory;
    QVERIFY(!memory.hasAnyPage());
    makePages(memory.at(0), kBytes);
    QVERIFY(memory.hasAllPages());
    QVERIFY(std::all_of(memory.at(0), memory.at(kBytes), [](unsigned char byte) { return byte == 0; }));
  }

  void areThoseOfTheMemoryAlone()
  {
    // From the midst of a page to that of another, by one thread and by several.
    for (const int threads : {1, 0}) {
      const NewMemory memory;
      const std::size_t page = NewMemory::pageBytes();
      const std::size_t begin = 5 * page + 100, end = 3 * kLargePageBytes + 7 * page + 8;
      makePages(memory.at(begin), end - begin, threads);
      const std::vector<bool> are = memory.pages();
      QVERIFY(!are.empty());
      for (std::size_t i = begin / page; i <= (end - 1) / page; ++i)
        QVERIFY2(are[i], qPrintable(QString::number(i)));
      // The system may make large pages at both ends, and none beyond them.
      for (std::size_t i = (end + kLargePageBytes) / page; i < are.size(); ++i)
        QVERIFY2(!are[i], qPrintable(QString::number(i)));
    }
  }

  void keepWhatIsThere()
  {
    std::vector<std::uint8_t> bytes(kBytes);
    for (std::size_t i = 0; i < bytes.size(); i += 4096)
      bytes[i] = static_cast<std::uint8_t>(i / 4096 % 251);
    makePages(bytes.data(), bytes.size());
    for (std::size_t i = 0; i < bytes.size(); i += 4096)
      QCOMPARE(bytes[i], static_cast<std::uint8_t>(i / 4096 % 251));
  }

  void needNoMemory()
  {
    makePages(nullptr, 0);
    adviseLargePages(nullptr, 0);
    QVERIFY(allocatePages(0) == nullptr);
    std::uint8_t few[100] = {7};
    makePages(few, sizeof few);
    adviseLargePages(few, sizeof few);
    QCOMPARE(few[0], std::uint8_t{7});
  }

  void areNotMadeWhenCancelled()
  {
    const NewMemory memory;
    const RunControl control;
    control.cancel();
    QVERIFY_EXCEPTION_THROWN(makePages(memory.at(0), kBytes, 0, control), Error);
    QVERIFY(!memory.hasAnyPage());
  }

  void areAskedForLarge()
  {
    void* const pages = allocatePages(kBytes - 100);
    QCOMPARE(reinterpret_cast<std::uintptr_t>(pages) % kLargePageBytes, std::uintptr_t{0});
    const auto flags = flagsOfMapping(pages);
    freePages(pages);
    if (!flags)
      QSKIP("this system does not tell what is asked of it");
    QVERIFY2(flags->find(" hg ") != std::string::npos, flags->c_str());
  }
};

HINESIGHT_TEST(TestPages)
#include "test_pages.moc"
