#include "app/cli/program.hpp"
#include "app/cli/ranks.hpp"
#include "app/mpi/mpi_communicator.hpp"
#include "core/error.hpp"

#include <exception>
#include <iostream>
#include <new>
#include <string>

#include <mpi.h>

// hinesight-cli on processes that MPI has started. Rank 0 does what the command line asks for; the others share its
// work where it can be shared, and otherwise wait.

namespace {

using namespace hinesight;

constexpr const char* kName = "hinesight-mpi";

/// A rank alone has failed, and the others wait for it or for what it has sent: all end.
[[noreturn]] void endAll(int rank, const std::string& what)
{
  std::cerr << kName << ": Rank " << rank << " failed: " << what << std::endl;
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::terminate();
}

/// Returns the exit status of this rank: rank 0 tells what came of it, once.
int runOnAll(Communicator& ranks, int argc, char** argv)
{
  int status = 0;
  const RunControl control;
  if (!ranks.isRoot())
    cli::cancelOnInterrupt(control);
  leadTasks(ranks, cli::rankTasks(control), [&] { status = cli::runProgram(kName, argc, argv); });
  return status;
}

} // namespace

int main(int argc, char** argv)
{
  int threads = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
  int status = 1;
  {
    mpi::MpiCommunicator ranks;
    try {
      // One process is the program itself, with all that it can do alone.
      status = ranks.size() == 1 ? cli::runProgram(kName, argc, argv) : runOnAll(ranks, argc, argv);
    } catch (const std::bad_alloc&) {
      endAll(ranks.rank(), "not enough memory; use more machines, or choose fewer neurons.");
    } catch (const std::exception& error) {
      endAll(ranks.rank(), error.what());
    }
  }
  MPI_Finalize();
  return status;
}
