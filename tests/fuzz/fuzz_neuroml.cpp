#include "io/models/neuroml_cell.hpp"
#include "sound_models.hpp"

// The biophysics of cells in NeuroML.

using namespace hinesight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  return fuzz::attempt(
      [&] { fuzz::requireSound(io::parseNeuroMlCell(fuzz::textOf(bytes, size), "cell.nml").biophysics); });
}
