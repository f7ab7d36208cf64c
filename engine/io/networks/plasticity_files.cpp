#include "io/networks/plasticity_files.hpp"

#include "core/files.hpp"
#include "io/text_lines.hpp"

#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <string>

namespace hinesight::io {

namespace {

using detail::parseWhole;
using detail::quoteLine;
using detail::takeField;
using detail::takeWord;
using detail::TextLines;
using synapse::BackgroundKind;
using synapse::InterruptKind;

/// Calls row(lines, rest) for every line that says something.
template <typename Row>
void forRows(const std::filesystem::path& path, const Row& row)
{
  const std::string text = readFile(path);
  TextLines lines(text, path.string());
  while (lines.next()) {
    std::string_view rest = lines.line(), probe = rest;
    if (const std::string_view word = takeWord(probe); !word.empty() && word.front() != '#')
      row(lines, rest);
  }
}

std::uint32_t takeStep(const TextLines& lines, std::string_view& rest)
{
  const std::string_view word = takeWord(rest);
  std::uint32_t step = 0;
  if (!parseWhole(word, step))
    lines.fail("begins with " + quoteLine(word) + ", which is no step");
  return step;
}

bool isId(std::string_view word)
{
  return std::isdigit(static_cast<unsigned char>(word.front())) != 0;
}

/// "17" or "0:17" as an index from 0.
std::uint32_t neuronOf(const TextLines& lines, std::string_view word)
{
  const std::string_view whole = word;
  const std::size_t colon = word.find(':');
  if (colon != std::string_view::npos) {
    if (word.substr(0, colon) != "0")
      lines.fail("names " + quoteLine(whole) + ", a neuron of another rank than 0; write the ids of one rank");
    word.remove_prefix(colon + 1);
  }
  std::uint32_t id = 0;
  if (!parseWhole(word, id) || id == 0)
    lines.fail("names " + quoteLine(whole) + ", which is no neuron; ids count from 1");
  return id - 1;
}

double numberOf(const TextLines& lines, std::string_view word)
{
  double number = 0;
  if (!parseWhole(word, number) || !std::isfinite(number))
    lines.fail(quoteLine(word) + " is no number");
  return number;
}

/// "normal:0.1,0.05".
synapse::Background backgroundOf(const TextLines& lines, std::string_view word)
{
  const std::string_view whole = word;
  const std::size_t colon = std::min(word.find(':'), word.size());
  const std::string_view kind = word.substr(0, colon);
  word.remove_prefix(std::min(colon + 1, word.size()));
  synapse::Background background;
  if (kind == "null" && word.empty())
    return background;
  if (kind == "constant" && !word.empty()) {
    background.kind = BackgroundKind::Constant;
    background.mean = numberOf(lines, word);
    return background;
  }
  const bool isFast = kind == "fastnormal";
  if ((kind != "normal" && !isFast) || word.find(',') == std::string_view::npos)
    lines.fail(quoteLine(whole) + " is no background: null, constant:VALUE, normal:MEAN,SPREAD or "
                                  "fastnormal:MEAN,SPREAD");
  background.kind = isFast ? BackgroundKind::FastNormal : BackgroundKind::Normal;
  background.mean = numberOf(lines, takeField(word));
  background.spread = numberOf(lines, word);
  return background;
}

InterruptKind kindOf(const TextLines& lines, std::string_view word)
{
  if (word == "d")
    return InterruptKind::Disable;
  if (word == "e")
    return InterruptKind::Enable;
  if (word != "c")
    lines.fail(quoteLine(word) + " is no interrupt: d to disable neurons, e to enable them, c to create some");
  return InterruptKind::Create;
}

} // namespace

void readCalcium(const std::filesystem::path& path, synapse::PlasticityParameters& parameters)
{
  std::set<std::uint64_t> seen;
  parameters.calciumOf.clear();
  forRows(path, [&](const TextLines& lines, std::string_view rest) {
    std::uint64_t id = 0;
    if (!parseWhole(takeWord(rest), id) || id > UINT32_MAX)
      lines.fail(quoteLine(lines.line()) + " is no row \"id initial target\"");
    const double initial = numberOf(lines, takeWord(rest));
    const double target = numberOf(lines, takeWord(rest));
    if (!takeWord(rest).empty())
      lines.fail(quoteLine(lines.line()) + " is no row \"id initial target\"");
    if (!seen.insert(id).second)
      lines.fail("is a second row of id " + std::to_string(id) + "; keep one");
    if (id > 0) {
      parameters.calciumOf.push_back({static_cast<std::uint32_t>(id - 1), initial, target});
    } else {
      parameters.calciumInitial = initial;
      parameters.calciumTarget = target;
    }
  });
}

std::vector<synapse::BackgroundChange> readBackgrounds(const std::filesystem::path& path)
{
  std::vector<synapse::BackgroundChange> changes;
  forRows(path, [&](const TextLines& lines, std::string_view rest) {
    synapse::BackgroundChange change;
    change.step = takeStep(lines, rest);
    change.background = backgroundOf(lines, takeWord(rest));
    for (std::string_view word = takeWord(rest); !word.empty(); word = takeWord(rest))
      if (isId(word))
        change.neurons.push_back(neuronOf(lines, word));
      else
        change.areas.emplace_back(word);
    if (change.neurons.empty() && change.areas.empty())
      lines.fail("names no neuron or area that gets the background");
    changes.push_back(std::move(change));
  });
  return changes;
}

std::vector<synapse::Interrupt> readInterrupts(const std::filesystem::path& path)
{
  std::vector<synapse::Interrupt> interrupts;
  forRows(path, [&](const TextLines& lines, std::string_view rest) {
    synapse::Interrupt interrupt;
    interrupt.step = takeStep(lines, rest);
    interrupt.kind = kindOf(lines, takeWord(rest));
    if (interrupt.kind == InterruptKind::Create) {
      if (!parseWhole(takeWord(rest), interrupt.count) || interrupt.count == 0 || !takeWord(rest).empty())
        lines.fail(quoteLine(lines.line()) + " does not say how many neurons are created: \"step c count\"");
    } else {
      for (std::string_view word = takeWord(rest); !word.empty(); word = takeWord(rest))
        interrupt.neurons.push_back(neuronOf(lines, word));
      if (interrupt.neurons.empty())
        lines.fail("names no neuron");
    }
    interrupts.push_back(std::move(interrupt));
  });
  return interrupts;
}

} // namespace hinesight::io
