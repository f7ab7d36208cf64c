#pragma once

#include "core/communicator.hpp"

#include <optional>

namespace hinesight::mpi {

/// The processes that MPI has started, as ranks. MPI is initialized before and finalized after; one thread calls it.
/// Throws Error(DeviceFailure) for what MPI fails with. Lists may be longer than the 2^31 - 1 bytes of a call of MPI.
class MpiCommunicator final : public Communicator
{
public:
  MpiCommunicator();

  int rank() const override { return ownRank; }
  int size() const override { return ranks; }
  int ranksSharing() const override { return sharing; }
  int rankOnMachine() const override { return onMachine; }
  void barrier() override;
  std::optional<bool> hasAnyFailed(bool hasThis) override;

protected:
  void allGatherBytes(const std::byte* mine, std::byte* all, std::span<const std::size_t> begin) override;
  void allToAllBytes(const std::byte* send, std::span<const std::size_t> sendBegin, std::byte* received,
                     std::span<const std::size_t> receiveBegin) override;
  void broadcastBytes(std::byte* bytes, std::size_t count, int root) override;
  void reduce(std::span<std::uint64_t> values, Reduction reduction) override;
  void reduce(std::span<std::int64_t> values, Reduction reduction) override;

private:
  int ownRank = 0, ranks = 1;
  int sharing = 1, onMachine = 0;
  int failedHere = 0, failedAnywhere = 0; ///< MPI looks at them as long as it waits
};

} // namespace hinesight::mpi
