#include "app/cli/program.hpp"
#include "app/cli/ranks.hpp"
#include "app/mpi/mpi_communicator.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <thread>

#include <mpi.h>
#include <unistd.h>

// hinesight-cli on processes that MPI has started. Rank 0 does what the command line asks for; the others share its
// work where it can be shared, and otherwise wait.

namespace {

using namespace hinesight;

constexpr const char* kName = "hinesight-mpi";

/// Ends all processes, those too that wait for what this one has not sent.
[[noreturn]] void abortAll(int status)
{
  constexpr unsigned kSeconds = 3; // where memory is short, MPI may not be able to
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(kSeconds);
  MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}

/// A rank alone has failed, and the others wait for it or for what it has sent: all end. Takes no memory.
[[noreturn]] void endAll(int rank, const char* what)
{
  // What one rank fails with, several often do at once: the first of them speaks, and ends the others meanwhile.
  constexpr int kMost = 20;
  constexpr std::chrono::milliseconds kTurn(100);
  std::signal(SIGTERM, SIG_DFL);
  std::this_thread::sleep_for(kTurn * std::min(rank, kMost));
  ::dprintf(STDERR_FILENO, "%s: Rank %d failed: %s\n", kName, rank, what);
  abortAll(1);
}

/// Returns the exit status of this rank: rank 0 tells what came of it, once.
int runOnAll(Communicator& ranks, int argc, char** argv)
{
  int status = 0;
  const RunControl control;
  if (!ranks.isRoot()) {
    cli::cancelOnInterrupt(control);
    cli::endWhereMemoryDoes(kName);
  }
  try {
    leadTasks(ranks, cli::rankTasks(control), [&] { status = cli::runProgram(kName, argc, argv); });
  } catch (...) {
    if (status == 0)
      throw;
    std::cout.flush();
    abortAll(status); // rank 0 has told why
  }
  return status;
}

int run(int argc, char** argv)
{
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::optional<mpi::MpiCommunicator> ranks; // there until all have ended
  try {
    ranks.emplace();
    // One process is the program itself, with all that it can do alone.
    return ranks->size() == 1 ? cli::runProgram(kName, argc, argv) : runOnAll(*ranks, argc, argv);
  } catch (const std::bad_alloc&) {
    endAll(rank, "not enough memory; use more machines, or choose fewer neurons or synapses.");
  } catch (const std::exception& error) {
    endAll(rank, error.what());
  } catch (...) {
    endAll(rank, "an error without a name; please report this as a defect.");
  }
}

} // namespace

int main(int argc, char** argv)
{
  // MPI looks for GPUs on X displays, and one that ends meanwhile would end the rank.
  ::setenv("HWLOC_COMPONENTS", "-gl", 0);
  int threads = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
  const int status = run(argc, argv);
  MPI_Finalize();
  return status;
}
