#include "core/cuda/cusparse.cuh"

#include "core/cuda/cuda_support.cuh"
#include "core/device.hpp"
#include "core/error.hpp"

#include <dlfcn.h>

#include <string>
#include <type_traits>

namespace hinesight::cuda {

namespace {

// The library's C interface, as its documentation has it (cuSPARSE 12, "gtsv2StridedBatch", "gtsvInterleavedBatch",
// "gtsv2_nopivot"). Declared here and not included, so that the engine builds where the library's headers are not
// installed.

using Handle = void*;
using Status = int; ///< 0: success

template <typename Real>
struct Routines
{
  Status (*stridedBytes)(Handle, int, const Real*, const Real*, const Real*, const Real*, int, int, std::size_t*);
  Status (*strided)(Handle, int, const Real*, const Real*, const Real*, Real*, int, int, void*);
  Status (*interleavedBytes)(Handle, int, int, const Real*, const Real*, const Real*, const Real*, int, std::size_t*);
  Status (*interleaved)(Handle, int, int, Real*, Real*, Real*, Real*, int, void*);
  Status (*columnsBytes)(Handle, int, int, const Real*, const Real*, const Real*, const Real*, int, std::size_t*);
  Status (*columns)(Handle, int, int, const Real*, const Real*, const Real*, Real*, int, void*);
};

class Library
{
public:
  Library() : library(open())
  {
    find(create, "cusparseCreate");
    find(destroy, "cusparseDestroy");
    find(setStream, "cusparseSetStream");
    find(inDouble, "cusparseD");
    find(inSingle, "cusparseS");
  }

  template <typename Real>
  const Routines<Real>& routines() const
  {
    if constexpr (std::is_same_v<Real, double>)
      return inDouble;
    else
      return inSingle;
  }

  Status (*create)(Handle*) = nullptr;
  Status (*destroy)(Handle) = nullptr;
  Status (*setStream)(Handle, cudaStream_t) = nullptr;

private:
  static void* open()
  {
    for (const char* const name : {"libcusparse.so.12", "libcusparse.so"})
      if (void* const opened = dlopen(name, RTLD_NOW | RTLD_LOCAL))
        return opened;
    throw Error(ErrorCode::NoDevice, "NVIDIA's cuSPARSE library (libcusparse.so.12) was not found; install it, put its "
                                     "folder on LD_LIBRARY_PATH, or choose another solver.");
  }

  template <typename Function>
  void find(Function& function, const std::string& name) const
  {
    function = reinterpret_cast<Function>(dlsym(library, name.c_str()));
    if (!function)
      throw Error(ErrorCode::NoDevice,
                  "The installed cuSPARSE library has no " + name + "; install version 12 or choose another solver.");
  }

  template <typename Real>
  void find(Routines<Real>& routines, const std::string& prefix) const
  {
    find(routines.stridedBytes, prefix + "gtsv2StridedBatch_bufferSizeExt");
    find(routines.strided, prefix + "gtsv2StridedBatch");
    find(routines.interleavedBytes, prefix + "gtsvInterleavedBatch_bufferSizeExt");
    find(routines.interleaved, prefix + "gtsvInterleavedBatch");
    find(routines.columnsBytes, prefix + "gtsv2_nopivot_bufferSizeExt");
    find(routines.columns, prefix + "gtsv2_nopivot");
  }

  void* library; ///< never closed: it stays as long as the CUDA context does
  Routines<double> inDouble{};
  Routines<float> inSingle{};
};

const Library& library()
{
  static const Library loaded;
  return loaded;
}

void checkStatus(Status status, const char* step)
{
  if (status != 0)
    throw Error(ErrorCode::DeviceFailure,
                std::string("cuSPARSE failed to ") + step + ": status " + std::to_string(status) + ".");
}

} // namespace

Cusparse::Cusparse()
{
  checkStatus(library().create(&handle), "start");
}

Cusparse::~Cusparse()
{
  library().destroy(handle);
}

void Cusparse::setStream(cudaStream_t stream)
{
  checkStatus(library().setStream(handle, stream), "use a stream");
}

template <typename Real>
std::size_t Cusparse::stridedBufferBytes(const TridiagonalBatch<Real>& batch)
{
  std::size_t bytes = 0;
  checkStatus(library().routines<Real>().stridedBytes(handle, batch.rows, batch.lower, batch.diagonal, batch.upper,
                                                      batch.x, batch.systems, batch.rows, &bytes),
              "tell the size of its buffer");
  return bytes;
}

template <typename Real>
void Cusparse::solveStrided(const TridiagonalBatch<Real>& batch, void* buffer)
{
  checkStatus(library().routines<Real>().strided(handle, batch.rows, batch.lower, batch.diagonal, batch.upper, batch.x,
                                                 batch.systems, batch.rows, buffer),
              "launch gtsv2StridedBatch");
}

template <typename Real>
std::size_t Cusparse::interleavedBufferBytes(const TridiagonalBatch<Real>& batch, int algorithm)
{
  std::size_t bytes = 0;
  checkStatus(library().routines<Real>().interleavedBytes(handle, algorithm, batch.rows, batch.lower, batch.diagonal,
                                                          batch.upper, batch.x, batch.systems, &bytes),
              "tell the size of its buffer");
  return bytes;
}

template <typename Real>
void Cusparse::solveInterleaved(const TridiagonalBatch<Real>& batch, int algorithm, void* buffer)
{
  checkStatus(library().routines<Real>().interleaved(handle, algorithm, batch.rows, batch.lower, batch.diagonal,
                                                     batch.upper, batch.x, batch.systems, buffer),
              "launch gtsvInterleavedBatch");
}

template <typename Real>
std::size_t Cusparse::columnsBufferBytes(const TridiagonalColumns<Real>& system)
{
  std::size_t bytes = 0;
  checkStatus(library().routines<Real>().columnsBytes(handle, system.rows, system.columns, system.lower,
                                                      system.diagonal, system.upper, system.x, system.rows, &bytes),
              "tell the size of its buffer");
  return bytes;
}

template <typename Real>
void Cusparse::solveColumns(const TridiagonalColumns<Real>& system, void* buffer)
{
  checkStatus(library().routines<Real>().columns(handle, system.rows, system.columns, system.lower, system.diagonal,
                                                 system.upper, system.x, system.rows, buffer),
              "launch gtsv2_nopivot");
}

template std::size_t Cusparse::stridedBufferBytes(const TridiagonalBatch<double>&);
template std::size_t Cusparse::stridedBufferBytes(const TridiagonalBatch<float>&);
template void Cusparse::solveStrided(const TridiagonalBatch<double>&, void*);
template void Cusparse::solveStrided(const TridiagonalBatch<float>&, void*);
template std::size_t Cusparse::interleavedBufferBytes(const TridiagonalBatch<double>&, int);
template std::size_t Cusparse::interleavedBufferBytes(const TridiagonalBatch<float>&, int);
template void Cusparse::solveInterleaved(const TridiagonalBatch<double>&, int, void*);
template void Cusparse::solveInterleaved(const TridiagonalBatch<float>&, int, void*);
template std::size_t Cusparse::columnsBufferBytes(const TridiagonalColumns<double>&);
template std::size_t Cusparse::columnsBufferBytes(const TridiagonalColumns<float>&);
template void Cusparse::solveColumns(const TridiagonalColumns<double>&, void*);
template void Cusparse::solveColumns(const TridiagonalColumns<float>&, void*);

} // namespace hinesight::cuda

bool hinesight::cusparseInstalled()
{
  try {
    cuda::library();
    return true;
  } catch (const Error&) {
    return false;
  }
}
