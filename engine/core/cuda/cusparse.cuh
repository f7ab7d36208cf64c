#pragma once

// For .cu files only: the routines of NVIDIA's cuSPARSE that ours are compared with. The library is loaded when it is
// first used, so that programs run where it is not installed.

#include <cuda_runtime.h>

#include <cstddef>

namespace hinesight::cuda {

/// A batch of tridiagonal systems in device memory, for either routine.
template <typename Real>
struct TridiagonalBatch
{
  int rows = 0;
  int systems = 0;
  Real* lower = nullptr; ///< 0 in the first row of each system
  Real* diagonal = nullptr;
  Real* upper = nullptr; ///< 0 in the last row of each system
  Real* x = nullptr;     ///< the right-hand side, on return the solution
};

/// One tridiagonal system in device memory with several right-hand sides.
template <typename Real>
struct TridiagonalColumns
{
  int rows = 0;
  int columns = 0;
  const Real* lower = nullptr;
  const Real* diagonal = nullptr;
  const Real* upper = nullptr;
  Real* x = nullptr; ///< column after column; the right-hand sides, on return the solutions
};

/// A handle of the library. Throws Error(NoDevice) where it cannot be loaded, Error(DeviceFailure) where a call fails.
class Cusparse
{
public:
  Cusparse();
  ~Cusparse();
  Cusparse(const Cusparse&) = delete;
  Cusparse& operator=(const Cusparse&) = delete;

  void setStream(cudaStream_t stream);

  /// gtsv2StridedBatch: system after system.
  template <typename Real>
  std::size_t stridedBufferBytes(const TridiagonalBatch<Real>& batch);
  template <typename Real>
  void solveStrided(const TridiagonalBatch<Real>& batch, void* buffer);

  /// gtsvInterleavedBatch: row i of system k at i * systems + k; all vectors are overwritten. `algorithm` 0: Thomas,
  /// 1: LU, 2: QR.
  template <typename Real>
  std::size_t interleavedBufferBytes(const TridiagonalBatch<Real>& batch, int algorithm);
  template <typename Real>
  void solveInterleaved(const TridiagonalBatch<Real>& batch, int algorithm, void* buffer);

  /// gtsv2_nopivot: one system with `columns` right-hand sides, each of `rows` numbers, overwritten by the solutions.
  /// At least 3 rows; lower[0] and upper[rows - 1] are 0.
  template <typename Real>
  std::size_t columnsBufferBytes(const TridiagonalColumns<Real>& system);
  template <typename Real>
  void solveColumns(const TridiagonalColumns<Real>& system, void* buffer);

private:
  void* handle = nullptr;
};

} // namespace hinesight::cuda
