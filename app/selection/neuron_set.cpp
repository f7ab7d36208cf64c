#include "app/selection/neuron_set.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace hinesight::app {

namespace {

constexpr std::size_t kLeastRange = 4; ///< neurons that follow one another and are written as a range

std::string inMarks(const std::string& name, char mark)
{
  return mark + name + mark;
}

std::string inMarks(const std::string& name)
{
  return inMarks(name, name.find('"') == std::string::npos ? '"' : '\'');
}

/// `index in {1, 5} || 10 <= index <= 40`, and whether it has more than one condition.
std::pair<std::string, bool> indexExpression(const NeuronSet::Numbers& neurons)
{
  std::string ranges, single;
  std::size_t conditions = 0, singles = 0;
  for (std::size_t begin = 0, end = 0; begin < neurons.size(); begin = end) {
    end = begin + 1;
    while (end < neurons.size() && neurons[end] == neurons[end - 1] + 1)
      ++end;
    if (end - begin >= kLeastRange) {
      ranges += (ranges.empty() ? "" : " || ") + std::to_string(neurons[begin]) +
                " <= index <= " + std::to_string(neurons[end - 1]);
      ++conditions;
      continue;
    }
    for (std::size_t k = begin; k < end; ++k, ++singles)
      single += (single.empty() ? "" : ", ") + std::to_string(neurons[k]);
  }
  if (singles > 0) {
    single = "index " + (singles == 1 ? "== " + single : "in {" + single + "}");
    ++conditions;
  }
  return {single + (singles > 0 && !ranges.empty() ? " || " : "") + ranges, conditions > 1};
}

} // namespace

void NeuronSet::add(const std::string& population, const Numbers& neurons)
{
  if (neurons.empty())
    return;
  Numbers& all = numbers[population];
  all.insert(all.end(), neurons.begin(), neurons.end());
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
}

void NeuronSet::add(const std::string& population, std::uint32_t begin, std::uint32_t end)
{
  Numbers range(end - begin);
  std::iota(range.begin(), range.end(), begin);
  add(population, range);
}

std::size_t NeuronSet::removeIf(const std::function<bool(const std::string&, std::uint32_t)>& goes)
{
  std::size_t gone = 0;
  for (auto& [population, all] : numbers)
    gone += std::erase_if(all, [&, &name = population](std::uint32_t neuron) { return goes(name, neuron); });
  std::erase_if(numbers, [](const auto& each) { return each.second.empty(); });
  return gone;
}

std::size_t NeuronSet::countBehind(const Ends& ends) const
{
  std::size_t all = 0;
  for (const auto& [population, neurons] : numbers)
    all += static_cast<std::size_t>(neurons.end() - std::ranges::lower_bound(neurons, ends(population)));
  return all;
}

void NeuronSet::cut(const Ends& ends)
{
  for (auto& [population, neurons] : numbers)
    neurons.erase(std::ranges::lower_bound(neurons, ends(population)), neurons.end());
  std::erase_if(numbers, [](const auto& each) { return each.second.empty(); });
}

void NeuronSet::renamePopulation(const std::string& before, const std::string& name)
{
  if (auto population = numbers.extract(before)) {
    population.key() = name;
    numbers.insert(std::move(population));
  }
}

std::size_t NeuronSet::count() const
{
  std::size_t all = 0;
  for (const auto& [population, neurons] : numbers)
    all += neurons.size();
  return all;
}

bool NeuronSet::has(const std::string& population, std::uint64_t neuron) const
{
  return std::ranges::binary_search(of(population), neuron);
}

const NeuronSet::Numbers& NeuronSet::of(const std::string& population) const
{
  static const Numbers none;
  const auto found = numbers.find(population);
  return found == numbers.end() ? none : found->second;
}

NeuronSet& NeuronSet::operator|=(const NeuronSet& other)
{
  for (const auto& [population, neurons] : other.numbers) {
    Numbers both;
    std::ranges::set_union(of(population), neurons, std::back_inserter(both));
    numbers[population] = std::move(both);
  }
  return *this;
}

NeuronSet& NeuronSet::operator-=(const NeuronSet& other)
{
  for (auto& [population, neurons] : numbers) {
    Numbers rest;
    std::ranges::set_difference(neurons, other.of(population), std::back_inserter(rest));
    neurons = std::move(rest);
  }
  std::erase_if(numbers, [](const auto& each) { return each.second.empty(); });
  return *this;
}

std::string expressionOf(const NeuronSet& set)
{
  std::string text;
  for (const auto& [population, neurons] : set.populations()) {
    const auto [which, isSeveral] = indexExpression(neurons);
    text += (text.empty() ? "" : " || ") + ("population == " + inMarks(population)) + " && " +
            (isSeveral ? "(" + which + ")" : which);
  }
  return text;
}

bool renamePopulation(std::string& expression, const std::string& before, const std::string& now)
{
  const std::string named = inMarks(now);
  bool isNamed = false;
  for (const char mark : {'"', '\''}) {
    const std::string old = inMarks(before, mark);
    for (std::size_t at = expression.find(old); at != std::string::npos; at = expression.find(old, at + named.size())) {
      expression.replace(at, old.size(), named);
      isNamed = true;
    }
  }
  return isNamed;
}

} // namespace hinesight::app
