#include "io/models/allen_fit.hpp"
#include "sound_models.hpp"

// Models of the Allen Cell Types database (*_fit.json).

using namespace hinesight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  return fuzz::attempt([&] {
    const cell::Biophysics read = io::parseAllenFit(fuzz::textOf(bytes, size), "fit.json").biophysics;
    fuzz::requireSound(read);
    const std::string written = io::allenFitText(read);
    fuzz::whenAccepted([&] {
      const cell::Biophysics again = io::parseAllenFit(written, "fit.json").biophysics;
      fuzz::require(io::allenFitText(again) == written, "another model when written and read again");
    });
  });
}
