#include "fuzzing.hpp"
#include "io/models/mechanism_tables.hpp"

// Mechanisms of a user's own.

using namespace hinesight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  return fuzz::attempt([&] {
    const cell::MechanismCatalogue catalogue(io::parseMechanismTables(fuzz::textOf(bytes, size), "own.json"));
    for (std::size_t k = cell::allMechanisms().size(); k < catalogue.size(); ++k) {
      const auto place = static_cast<std::int32_t>(k);
      fuzz::require(catalogue.find(catalogue[place].name) == place, "two mechanisms of one name");
    }
  });
}
