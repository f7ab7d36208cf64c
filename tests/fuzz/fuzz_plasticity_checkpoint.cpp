#include "checkpoint_mutation.hpp"
#include "core/files.hpp"
#include "fuzzing.hpp"
#include "synapse/plasticity/plasticity.hpp"

// Checkpoints of growing networks. An input is a file without its check sum, which is always made right. What is
// accepted is the same when it is written and read again, and goes on.

using namespace hinesight;

namespace {

std::unique_ptr<synapse::PlasticityModel> read(const std::filesystem::path& file)
{
  return synapse::readCheckpoint(file, Backend::Cpu, 1);
}

/// Whether some steps of it take no time.
bool isSmall(const synapse::PlasticityModel& model)
{
  constexpr std::size_t kMostNeurons = 200;
  constexpr int kMostSteps = 20;
  return model.population().size() <= kMostNeurons && model.parameters().integrationSteps <= kMostSteps &&
         model.parameters().interrupts.empty(); // which may create any number of neurons
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  static const fuzz::Folder folder;
  return fuzz::attempt([&] {
    const auto model = read(folder.write("a.checkpoint", fuzz::withCheckSum(fuzz::textOf(bytes, size))));
    const std::filesystem::path again = folder / "again.checkpoint";
    fuzz::whenAccepted([&] {
      synapse::writeCheckpoint(*model, again);
      const std::string written = readFile(again);
      synapse::writeCheckpoint(*read(again), again);
      fuzz::require(readFile(again) == written, "another model when written and read again");
    });
    if (!isSmall(*model))
      return;
    std::vector<synapse::StepRecord> records;
    model->run(3, 1, records);
    fuzz::require(records.size() == 3, "steps that were not done");
  });
}
