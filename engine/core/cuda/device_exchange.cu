#include "core/cuda/device_exchange.cuh"

#include "core/cuda/cuda_support.cuh"
#include "core/device.hpp"
#include "core/rank_tasks.hpp"
#include "core/rank_timings.hpp"

#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include <dlfcn.h>

namespace hinesight::cuda {

namespace {

// The library's C interface, as its documentation has it (NCCL 2, "Communicator Creation and Management Functions",
// "Collective Communication Functions"). Declared here and not included, so that the engine builds where the library's
// header is not installed.

using Status = int;   ///< 0: success
using DataType = int; ///< 0: bytes
using Handle = void*;
struct UniqueId
{
  char bytes[128];
};

class Nccl
{
public:
  /// Nothing where the library is not installed, or lacks what is needed.
  static const Nccl* find()
  {
    static const std::optional<Nccl> library = open();
    return library ? &*library : nullptr;
  }

  void check(Status status, const char* step) const
  {
    if (status != 0)
      throw Error(ErrorCode::DeviceFailure,
                  std::string("NVIDIA's NCCL library failed to ") + step + ": " + describe(status) + ".");
  }

  /// Such as "2.28.3".
  std::string version() const
  {
    constexpr int kMajor = 10'000, kMinor = 100; // from version 2.9 on
    int number = 0;
    if (getVersion(&number) != 0)
      return "of an unknown version";
    return std::to_string(number / kMajor) + "." + std::to_string(number % kMajor / kMinor) + "." +
           std::to_string(number % kMinor);
  }

  Status (*getVersion)(int*) = nullptr;
  Status (*getUniqueId)(UniqueId*) = nullptr;
  Status (*initRank)(Handle*, int, UniqueId, int) = nullptr;
  Status (*allGather)(const void*, void*, std::size_t, DataType, Handle, cudaStream_t) = nullptr;
  Status (*asyncError)(Handle, Status*) = nullptr;
  Status (*destroy)(Handle) = nullptr;
  Status (*abort)(Handle) = nullptr;
  const char* (*describe)(Status) = nullptr;

private:
  static std::optional<Nccl> open()
  {
    void* const library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return std::nullopt;
    Nccl nccl;
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    const bool whole = find(nccl.getVersion, "ncclGetVersion") && find(nccl.getUniqueId, "ncclGetUniqueId") &&
                       find(nccl.initRank, "ncclCommInitRank") && find(nccl.allGather, "ncclAllGather") &&
                       find(nccl.asyncError, "ncclCommGetAsyncError") && find(nccl.destroy, "ncclCommDestroy") &&
                       find(nccl.abort, "ncclCommAbort") && find(nccl.describe, "ncclGetErrorString");
    return whole ? std::optional(nccl) : std::nullopt;
  }
};

class NcclExchange final : public DeviceExchange
{
public:
  /// Collective.
  NcclExchange(Communicator& ofRanks, const Nccl& library) : DeviceExchange(ofRanks), nccl(library)
  {
    UniqueId id{};
    hinesight::together(communicator, [&] {
      if (communicator.isRoot())
        nccl.check(nccl.getUniqueId(&id), "begin");
    });
    communicator.broadcast(id, 0);
    hinesight::together(communicator, [&] {
      nccl.check(nccl.initRank(&handle, communicator.size(), id, communicator.rank()), "connect the GPUs");
    });
    connect();
  }

  ~NcclExchange() override
  {
    // What still waits on the stream may wait for a rank that has failed.
    if (handle)
      cudaStreamQuery(nullptr) == cudaSuccess ? nccl.destroy(handle) : nccl.abort(handle);
  }

  void allGather(void* all, std::size_t bytes) override
  {
    requireSound();
    const auto own = static_cast<std::size_t>(communicator.rank());
    constexpr DataType kBytes = 0;
    nccl.check(nccl.allGather(static_cast<const char*>(all) + own * bytes, all, bytes, kBytes, handle, nullptr),
               "exchange what the GPUs have");
  }

  void wait(const char* step) override
  {
    using namespace std::chrono_literals;
    constexpr int kSpins = 20'000;
    requireSound();
    cudaError_t status = cudaErrorNotReady;
    for (int look = 0; (status = cudaStreamQuery(nullptr)) == cudaErrorNotReady; ++look) {
      if (look < kSpins)
        continue;
      std::this_thread::sleep_for(50us);
      Status failure = 0;
      if (communicator.hasFailed() || nccl.asyncError(handle, &failure) != 0 || failure != 0)
        giveUp(failure);
    }
    check(status, step);
  }

  bool waits() const override { return false; }
  std::string way() const override { return "NCCL " + nccl.version(); }

private:
  /// The library makes its ways with the first exchanges of a size: not while they are timed.
  void connect()
  {
    constexpr std::size_t kSmall = 1024, kLarge = std::size_t{1} << 24; // bytes of a rank
    std::unique_ptr<Buffer<std::byte>> room;
    hinesight::together(communicator, [&] {
      room = std::make_unique<Buffer<std::byte>>(kLarge * static_cast<std::size_t>(communicator.size()));
    });
    for (const std::size_t bytes : {kSmall, kLarge})
      allGather(room->data(), bytes);
    wait("connect the GPUs");
  }

  void requireSound() const
  {
    if (!handle)
      throw Error(ErrorCode::DeviceFailure, "The GPUs have lost each other; begin anew.");
  }

  /// The work on the stream ends without the ranks that have failed.
  [[noreturn]] void giveUp(Status failure)
  {
    nccl.abort(std::exchange(handle, nullptr));
    communicator.barrier(); // throws what another rank has failed with
    nccl.check(failure, "exchange what the GPUs have");
    requireSound();
    throw Error(ErrorCode::Unexpected, "A rank was lost; please report this as a defect."); // not reached
  }

  const Nccl& nccl;
  Handle handle = nullptr;
};

class HostExchange final : public DeviceExchange
{
public:
  explicit HostExchange(Communicator& ofRanks) : DeviceExchange(ofRanks) {}

  void allGather(void* all, std::size_t bytes) override
  {
    const auto ranks = static_cast<std::size_t>(communicator.size());
    const std::size_t begin = static_cast<std::size_t>(communicator.rank()) * bytes;
    std::vector<std::byte> host;
    std::vector<std::size_t> begins;
    const auto device = [&](std::size_t at) { return static_cast<std::byte*>(all) + at; };
    hinesight::together(communicator, [&] {
      host.resize(ranks * bytes);
      for (std::size_t r = 0; r <= ranks; ++r)
        begins.push_back(r * bytes);
      check(cudaMemcpy(host.data() + begin, device(begin), bytes, cudaMemcpyDeviceToHost), "exchange with other GPUs");
    });
    communicator.allGather(std::span<const std::byte>(host).subspan(begin, bytes), std::span(host), begins);
    const std::size_t end = begin + bytes;
    check(cudaMemcpy(device(0), host.data(), begin, cudaMemcpyHostToDevice), "exchange with other GPUs");
    check(cudaMemcpy(device(end), host.data() + end, host.size() - end, cudaMemcpyHostToDevice),
          "exchange with other GPUs");
  }

  void wait(const char* step) override { check(cudaStreamSynchronize(nullptr), step); }
  bool waits() const override { return true; }
  std::string way() const override { return "main memory"; }
};

} // namespace

std::string deviceNameOn(const DeviceExchange* exchange)
{
  if (exchange)
    return currentDeviceName() + ", " + ranksInWords(exchange->ranks()) + ", " + exchange->way();
  const Communicator* const idle = currentRanks();
  return currentDeviceName() +
         (idle && idle->size() > 1 ? ", one of " + ranksInWords(*idle) + ": too little to share" : std::string());
}

void DeviceExchange::gatherDevices(StageTimings& timings) const
{
  int current = 0;
  hinesight::together(communicator, [&] { check(cudaGetDevice(&current), "tell which device is used"); });
  hinesight::gatherDevices(communicator, deviceInShort(Backend::Cuda, static_cast<std::size_t>(current)), timings);
}

DeviceExchange& DeviceExchange::of(Communicator& ranks)
{
  if (auto* const made = dynamic_cast<DeviceExchange*>(ranks.companion.get()))
    return *made;
  bool hasOwn = false;
  hinesight::together(ranks, [&] { hasOwn = useGpuOf(ranks); });
  const Nccl* const nccl = Nccl::find();
  const bool byNccl = ranks.allReduce(std::uint64_t{hasOwn && nccl}, Reduction::Least) != 0;
  if (byNccl)
    ranks.companion = std::make_unique<NcclExchange>(ranks, *nccl);
  else
    ranks.companion = std::make_unique<HostExchange>(ranks);
  return static_cast<DeviceExchange&>(*ranks.companion);
}

} // namespace hinesight::cuda
