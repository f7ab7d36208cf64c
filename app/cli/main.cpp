#include "app/cli/program.hpp"

int main(int argc, char** argv)
{
  return hinesight::cli::runProgram("hinesight-cli", argc, argv);
}
