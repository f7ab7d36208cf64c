#pragma once

// For .cu files only.

#include "core/communicator.hpp"
#include "core/stage_timings.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace hinesight::cuda {

/// How the GPUs of ranks give each other what is in their memory. Every rank has one; each works on the GPU of its
/// number on its machine, and on the same one as another where a machine has more ranks than GPUs. Through NVIDIA's
/// NCCL where it is installed and every rank has a GPU of its own, else through main memory.
class DeviceExchange : public Communicator::Companion
{
public:
  /// The exchange of these ranks, made at the first call and kept with them; the calling thread works on the rank's GPU
  /// from then on. Collective. Throws Error(NoDevice), FailedTogether where another rank has none.
  static DeviceExchange& of(Communicator& ranks);

  Communicator& ranks() const { return communicator; }

  /// Gives all ranks what each has: `all` has a part of so many bytes for each, in device memory, this rank's own
  /// filled in. Put on the default stream; main memory is waited for. Collective.
  virtual void allGather(void* all, std::size_t bytesOfPart) = 0;
  /// Waits for the default stream, and with it for the other ranks, unless one of them fails: throws what that has
  /// failed with. `step` names the work, as cuda::check has it.
  virtual void wait(const char* step) = 0;
  /// Whether allGather waits for what is on the default stream.
  virtual bool waits() const = 0;
  /// "NCCL 2.28.3", "main memory".
  virtual std::string way() const = 0;

  /// Rank 0 gets what each GPU took as the devices of its timings, as hinesight::gatherDevices. Collective.
  void gatherDevices(StageTimings& timings) const;

protected:
  explicit DeviceExchange(Communicator& ofRanks) : communicator(ofRanks) {}

  Communicator& communicator;
};

/// Does this rank's part of something that every rank does, as hinesight::together; `exchange` null: does it alone.
template <typename Body>
void together(DeviceExchange* exchange, Body&& body)
{
  if (exchange)
    hinesight::together(exchange->ranks(), std::forward<Body>(body));
  else
    std::forward<Body>(body)();
}

/// "NVIDIA H100 80GB HBM3", on ranks "..., 2 ranks, NCCL 2.28.3", and on one rank where others are left out because it
/// is faster alone "..., one of 2 ranks: too little to share".
std::string deviceNameOn(const DeviceExchange* exchange);

} // namespace hinesight::cuda
