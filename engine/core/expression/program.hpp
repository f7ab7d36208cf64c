#pragma once

#include "core/fixed/fixed_rates.hpp"

#include <cstdint>

namespace hinesight::expression {

/// What an instruction of a compiled expression does on a stack of numbers.
enum class Operation : std::uint8_t
{
  Constant, ///< pushes the instruction's number
  Variable, ///< pushes the variable of that index
  Negate,
  Sqrt,
  Exp,
  Log,
  Sin,
  Cos,
  Abs,
  Floor,
  Add,
  Subtract,
  Multiply,
  Divide,
  Power,
  Min,
  Max,
  Atan2,
  Vtrap, ///< x / (e^(x/k) - 1), which is k where x is 0
  Less,
  LessOrEqual,
  Greater,
  GreaterOrEqual,
  Equal,
  Select ///< of three: the second where the first is not 0, else the third
};

struct Instruction
{
  Operation operation;
  std::uint8_t variable;
  double number;
};

/// A user's expression, compiled once to instructions for a stack, evaluated alike on CPU and CUDA.
struct Program
{
  static constexpr int kMostInstructions = 128;
  static constexpr int kMostDepth = 16;
  int count = 0;
  Instruction instructions[kMostInstructions];
};

HINESIGHT_FORMULA double applyUnary(Operation operation, double a)
{
  switch (operation) {
  case Operation::Negate:
    return -a;
  case Operation::Sqrt:
    return a < 0 ? kNotANumber : squareRoot(a);
  case Operation::Exp:
    return fixedExp(a);
  case Operation::Log:
    return fixedLog(a);
  case Operation::Sin:
    return fixedSin(a);
  case Operation::Cos:
    return fixedCos(a);
  case Operation::Abs:
    return magnitude(a);
  default:
    return roundDown(a);
  }
}

HINESIGHT_FORMULA double applyBinary(Operation operation, double a, double b)
{
  switch (operation) {
  case Operation::Add:
    return a + b;
  case Operation::Subtract:
    return a - b;
  case Operation::Multiply:
    return a * b;
  case Operation::Divide:
    return a / b;
  case Operation::Power:
    return fixedPow(a, b);
  case Operation::Min:
    return b < a ? b : a;
  case Operation::Max:
    return b > a ? b : a;
  case Operation::Atan2:
    return fixedAtan2(a, b);
  case Operation::Vtrap:
    return linoid(a, b);
  case Operation::Less:
    return a < b ? 1.0 : 0.0;
  case Operation::LessOrEqual:
    return a <= b ? 1.0 : 0.0;
  case Operation::Greater:
    return a > b ? 1.0 : 0.0;
  case Operation::GreaterOrEqual:
    return a >= b ? 1.0 : 0.0;
  default:
    return a == b ? 1.0 : 0.0;
  }
}

/// How many numbers an operation takes from the stack; it puts one back.
HINESIGHT_FORMULA int operandsOf(Operation operation)
{
  return operation <= Operation::Variable ? 0 : operation < Operation::Add ? 1 : operation < Operation::Select ? 2 : 3;
}

/// The value of a program. `variables`: in the order in which it was compiled.
HINESIGHT_FORMULA double runProgram(const Program& program, const double* variables)
{
  double stack[Program::kMostDepth];
  int top = -1;
  for (int i = 0; i < program.count; ++i) {
    const Instruction& instruction = program.instructions[i];
    switch (operandsOf(instruction.operation)) {
    case 0:
      stack[++top] =
          instruction.operation == Operation::Constant ? instruction.number : variables[instruction.variable];
      break;
    case 1:
      stack[top] = applyUnary(instruction.operation, stack[top]);
      break;
    case 2:
      --top;
      stack[top] = applyBinary(instruction.operation, stack[top], stack[top + 1]);
      break;
    default:
      top -= 2;
      stack[top] = stack[top] != 0 ? stack[top + 1] : stack[top + 2];
    }
  }
  return stack[0];
}

} // namespace hinesight::expression
