#include "app/mpi/mpi_communicator.hpp"

#include "core/error.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstring>
#include <string>
#include <thread>

#include <mpi.h>
#include <unistd.h>

namespace hinesight::mpi {

namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30; ///< of one message

void check(int status)
{
  if (status == MPI_SUCCESS)
    return;
  char why[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(status, why, &length);
  throw Error(ErrorCode::DeviceFailure, std::string("MPI failed to exchange what the ranks have: ") + why + ".");
}

int asInt(std::size_t count)
{
  return static_cast<int>(count);
}

/// Calls body(begin, count) for the pieces of so many bytes that one call of MPI takes.
template <typename Body>
void forPieces(std::size_t count, Body body)
{
  for (std::size_t begin = 0; begin < count; begin += kMostBytes)
    body(begin, asInt(std::min(kMostBytes, count - begin)));
}

using Clock = std::chrono::steady_clock;

/// Waits without taking the processor from those that work: ranks may wait for rank 0 for hours. Returns whether it was
/// done by then.
bool waitIdly(MPI_Request& request, Clock::time_point until = Clock::time_point::max())
{
  constexpr int kYields = 2000;
  constexpr std::chrono::microseconds kSleep(200);
  int done = 0;
  for (int look = 0; done == 0 && Clock::now() < until; ++look) {
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    if (look < kYields)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(kSleep);
  }
  return done != 0;
}

MPI_Op operationOf(Reduction reduction)
{
  return reduction == Reduction::Sum ? MPI_SUM : reduction == Reduction::Least ? MPI_MIN : MPI_MAX;
}

void reduceInPlace(void* values, std::size_t count, MPI_Datatype type, Reduction reduction)
{
  check(MPI_Allreduce(MPI_IN_PLACE, values, asInt(count), type, operationOf(reduction), MPI_COMM_WORLD));
}

struct OnMachine
{
  int rank = 0;
  int ranks = 1;
};

OnMachine placeOnMachine()
{
  MPI_Comm machine = MPI_COMM_NULL;
  check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine));
  OnMachine place;
  MPI_Comm_rank(machine, &place.rank);
  MPI_Comm_size(machine, &place.ranks);
  MPI_Comm_free(&machine);
  return place;
}

/// Whether this rank may not run on all processors: then those that it may run on are its own.
bool isBound()
{
  return hardwareThreads() < ::sysconf(_SC_NPROCESSORS_ONLN);
}

} // namespace

MpiCommunicator::MpiCommunicator()
{
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &ownRank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const OnMachine place = placeOnMachine();
  onMachine = place.rank;
  sharing = isBound() ? 1 : place.ranks;
}

void MpiCommunicator::barrier()
{
  check(MPI_Barrier(MPI_COMM_WORLD));
}

std::optional<bool> MpiCommunicator::hasAnyFailed(bool hasThis)
{
  constexpr std::chrono::seconds kPatience(5); // of a rank that has failed, with those that work on
  failedHere = hasThis;
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Iallreduce(&failedHere, &failedAnywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request));
  if (!hasThis)
    check(MPI_Wait(&request, MPI_STATUS_IGNORE));
  else if (!waitIdly(request, Clock::now() + kPatience))
    return std::nullopt;
  return failedAnywhere != 0;
}

void MpiCommunicator::allGatherBytes(const std::byte* mine, std::byte* all, std::span<const std::size_t> begin)
{
  const auto countOf = [&](int r) {
    return begin[static_cast<std::size_t>(r) + 1] - begin[static_cast<std::size_t>(r)];
  };
  std::byte* const place = all + begin[static_cast<std::size_t>(ownRank)];
  if (mine != place && countOf(ownRank) > 0)
    std::memcpy(place, mine, countOf(ownRank));
  if (begin.back() > INT_MAX) {
    for (int r = 0; r < ranks; ++r)
      forPieces(countOf(r), [&](std::size_t at, int count) {
        check(MPI_Bcast(all + begin[static_cast<std::size_t>(r)] + at, count, MPI_BYTE, r, MPI_COMM_WORLD));
      });
    return;
  }
  std::vector<int> counts, places;
  for (int r = 0; r < ranks; ++r) {
    counts.push_back(asInt(countOf(r)));
    places.push_back(asInt(begin[static_cast<std::size_t>(r)]));
  }
  check(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, all, counts.data(), places.data(), MPI_BYTE, MPI_COMM_WORLD));
}

void MpiCommunicator::allToAllBytes(const std::byte* send, std::span<const std::size_t> sendBegin, std::byte* received,
                                    std::span<const std::size_t> receiveBegin)
{
  constexpr int kTag = 1; // pieces of one pair of ranks arrive in order
  std::vector<MPI_Request> requests;
  const auto next = [&]() -> MPI_Request* { return &requests.emplace_back(); };
  for (int step = 1; step < ranks; ++step) {
    const int from = (ownRank + ranks - step) % ranks;
    const auto f = static_cast<std::size_t>(from);
    forPieces(receiveBegin[f + 1] - receiveBegin[f], [&](std::size_t at, int count) {
      check(MPI_Irecv(received + receiveBegin[f] + at, count, MPI_BYTE, from, kTag, MPI_COMM_WORLD, next()));
    });
  }
  for (int step = 1; step < ranks; ++step) {
    const int to = (ownRank + step) % ranks;
    const auto t = static_cast<std::size_t>(to);
    forPieces(sendBegin[t + 1] - sendBegin[t], [&](std::size_t at, int count) {
      check(MPI_Isend(send + sendBegin[t] + at, count, MPI_BYTE, to, kTag, MPI_COMM_WORLD, next()));
    });
  }
  const auto own = static_cast<std::size_t>(ownRank);
  const std::byte* const kept = send + sendBegin[own];
  std::byte* const place = received + receiveBegin[own];
  if (kept != place && sendBegin[own + 1] > sendBegin[own])
    std::memcpy(place, kept, sendBegin[own + 1] - sendBegin[own]);
  check(MPI_Waitall(asInt(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
}

void MpiCommunicator::broadcastBytes(std::byte* bytes, std::size_t count, int root)
{
  forPieces(count, [&](std::size_t at, int piece) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibcast(bytes + at, piece, MPI_BYTE, root, MPI_COMM_WORLD, &request));
    waitIdly(request);
  });
}

void MpiCommunicator::reduce(std::span<std::uint64_t> values, Reduction reduction)
{
  reduceInPlace(values.data(), values.size(), MPI_UINT64_T, reduction);
}

void MpiCommunicator::reduce(std::span<std::int64_t> values, Reduction reduction)
{
  reduceInPlace(values.data(), values.size(), MPI_INT64_T, reduction);
}

} // namespace hinesight::mpi
