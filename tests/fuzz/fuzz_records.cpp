#include "core/files.hpp"
#include "fuzzing.hpp"
#include "io/runs/run_record.hpp"

// Records of runs, as JSON or CSV, which are the same when they are written and read again.

using namespace hinesight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  static const fuzz::Folder folder;
  const std::string_view text = fuzz::textOf(bytes, size);
  return fuzz::attempt([&] {
    const std::vector<io::RunRecord> runs =
        io::readTimings(folder.write(text.starts_with('{') ? "runs.json" : "runs.csv", text));
    for (const char* const name : {"again.json", "again.csv"}) {
      const std::filesystem::path file = folder / name;
      fuzz::whenAccepted([&] {
        io::writeTimings(runs, file);
        const std::string written = readFile(file);
        io::writeTimings(io::readTimings(file), file);
        fuzz::require(readFile(file) == written, "other records when written and read again");
      });
    }
  });
}
