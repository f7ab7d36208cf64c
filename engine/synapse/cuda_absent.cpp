#include "core/error.hpp"
#include "synapse/formation/formation_on_device.hpp"
#include "synapse/octree/octree_on_device.hpp"
#include "synapse/ranks/essential_walks.hpp"

#if !HINESIGHT_HAS_CUDA

namespace hinesight::synapse {

namespace {

[[noreturn]] void refuse()
{
  throw Error(ErrorCode::NoDevice, "This program was built without CUDA; choose the CPU backend.");
}

} // namespace

std::shared_ptr<const Octree> detail::makeOctreeOnDevice(const std::vector<Position>&, const RunControl&)
{
  refuse();
}

std::shared_ptr<Formation> detail::formSynapsesOnDevice(std::shared_ptr<const NeuronPopulation>,
                                                        const FormationParameters&, const RunControl&, Communicator*)
{
  refuse();
}

std::unique_ptr<EssentialWalks> detail::makeCudaWalks(const PlacedNeurons&, const EssentialTree&, double, int)
{
  refuse();
}

} // namespace hinesight::synapse

#endif
