#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace hinesight::app {

/// Neurons of populations, each once.
class NeuronSet
{
public:
  using Numbers = std::vector<std::uint32_t>; ///< ascending

  /// In any order.
  void add(const std::string& population, const Numbers& neurons);
  /// From one number to below another.
  void add(const std::string& population, std::uint32_t begin, std::uint32_t end);
  /// Returns how many these were.
  std::size_t removeIf(const std::function<bool(const std::string& population, std::uint32_t neuron)>& goes);
  /// The number from which on there is none, of a population.
  using Ends = std::function<std::uint64_t(const std::string& population)>;
  /// Those behind the ends: how many these are, and without them.
  std::size_t countBehind(const Ends& ends) const;
  void cut(const Ends& ends);
  void renamePopulation(const std::string& before, const std::string& name);

  bool isEmpty() const { return numbers.empty(); }
  std::size_t count() const;
  bool has(const std::string& population, std::uint64_t neuron) const;
  const Numbers& of(const std::string& population) const;
  /// Those that have any, by their names.
  const std::map<std::string, Numbers>& populations() const { return numbers; }

  NeuronSet& operator|=(const NeuronSet& other);
  NeuronSet& operator-=(const NeuronSet& other);
  bool operator==(const NeuronSet&) const = default;

private:
  std::map<std::string, Numbers> numbers; ///< of populations that have any
};

inline NeuronSet operator|(NeuronSet a, const NeuronSet& b)
{
  return a |= b;
}
inline NeuronSet operator-(NeuronSet a, const NeuronSet& b)
{
  return a -= b;
}

/// An expression that has exactly these: `population == "E" && (index in {1, 5} || 10 <= index <= 40)`. Empty for an
/// empty set.
std::string expressionOf(const NeuronSet& set);
/// In an expression about neurons or synapses. Returns whether it names that population.
bool renamePopulation(std::string& expression, const std::string& before, const std::string& now);

} // namespace hinesight::app
