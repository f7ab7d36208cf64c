#include "core/expression/compiler.hpp"
#include "fuzzing.hpp"

#include <array>

// Expressions of kernels and rates. A program that was compiled must run within its stack.

using namespace hinesight;

namespace {

void requireRunnable(const expression::Program& program, std::size_t variables)
{
  fuzz::require(program.count > 0 && program.count <= expression::Program::kMostInstructions, "a program without room");
  int height = 0;
  for (int i = 0; i < program.count; ++i) {
    const expression::Instruction& instruction = program.instructions[i];
    const int operands = expression::operandsOf(instruction.operation);
    fuzz::require(height >= operands, "an operation without operands");
    height += 1 - operands;
    fuzz::require(height <= expression::Program::kMostDepth, "a stack that is too high");
    fuzz::require(instruction.operation != expression::Operation::Variable || instruction.variable < variables,
                  "a variable that is not there");
  }
  fuzz::require(height == 1, "a program that leaves no value");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  static constexpr std::array<std::string_view, 4> kNames = {"v", "dx", "r", "xs"};
  static constexpr std::array<double, 4> kValues = {-65, 0, 1e300, -1};
  return fuzz::attempt([&] {
    const expression::Program program = expression::compile(fuzz::textOf(bytes, size), {kNames, true});
    requireRunnable(program, kNames.size());
    expression::runProgram(program, kValues.data());
  });
}
