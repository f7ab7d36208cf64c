#include "core/pages.hpp"

#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

using namespace hinesight;

/// Pages of new memory.
class TestPages : public QObject
{
  Q_OBJECT

  static constexpr std::size_t kBytes = std::size_t{64} << 20;
  static constexpr std::size_t kLargePage = std::size_t{2} << 20;

private slots:
  void areThereBeforeTheyAreWrittenTo()
  {
#ifndef MADV_POPULATE_WRITE
    QSKIP("this system makes no pages before they are written to");
#else
    void* const memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    QVERIFY(memory != MAP_FAILED);
    if (::madvise(memory, static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), MADV_POPULATE_WRITE) != 0)
      QSKIP("this kernel makes no pages before they are written to");
    makePages(memory, kBytes);
    std::vector<unsigned char> isThere(kBytes / static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
    QCOMPARE(::mincore(memory, kBytes, isThere.data()), 0);
    const auto missing = std::ranges::count_if(isThere, [](unsigned char page) { return (page & 1) == 0; });
    ::munmap(memory, kBytes);
    // At both ends less than a large page is left out.
    QVERIFY(static_cast<std::size_t>(missing) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) < 2 * kLargePage);
#endif
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
    std::uint8_t few[100] = {7};
    makePages(few, sizeof few);
    QCOMPARE(few[0], std::uint8_t{7});
  }
};

HINESIGHT_TEST(TestPages)
#include "test_pages.moc"
