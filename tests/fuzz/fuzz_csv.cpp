#include "fuzzing.hpp"
#include "io/csv.hpp"

// Rows of CSV, which are the same when they are written and read again.

using namespace hinesight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  return fuzz::attempt([&] {
    const std::vector<io::CsvRow> rows = io::parseCsv(fuzz::textOf(bytes, size), "rows.csv");
    std::string written;
    for (const io::CsvRow& row : rows) {
      for (std::size_t k = 0; k < row.fields.size(); ++k)
        written += (k > 0 ? "," : "") + io::quoteCsv(row.fields[k]);
      written += '\n';
    }
    const auto again = fuzz::whenAccepted([&] { return io::parseCsv(written, "rows.csv"); });
    fuzz::require(again.size() == rows.size(), "another number of rows when written and read again");
    for (std::size_t k = 0; k < rows.size(); ++k)
      fuzz::require(again[k].fields == rows[k].fields, "another row when written and read again");
  });
}
