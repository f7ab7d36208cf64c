#include "model/taken_names.hpp"

namespace hinesight::model {

std::string TakenNames::take(const std::string& wanted)
{
  std::string name = wanted;
  if (all.insert(name).second)
    return name;
  int& next = numbers.emplace(wanted, 2).first->second;
  do
    name = wanted + " " + std::to_string(next++);
  while (!all.insert(name).second);
  return name;
}

} // namespace hinesight::model
