#include "morphology/problem_list.hpp"

#include "core/error.hpp"

#include <algorithm>

namespace hinesight::morphology {

void ProblemList::add(std::int64_t line, std::string sentence)
{
  problems.emplace_back(line, std::move(sentence));
}

void ProblemList::throwIfAny(bool complete)
{
  if (problems.empty())
    return;
  std::stable_sort(problems.begin(), problems.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string message = problems.front().second;
  for (std::size_t at = 1; at < std::min(problems.size(), kMostNamed); ++at)
    message += "\n" + path + ":" + std::to_string(problems[at].first) + ": " + problems[at].second;
  if (!complete)
    message += "\nreading stopped here; there may be more";
  else if (problems.size() > kMostNamed)
    message += "\nand " + std::to_string(problems.size() - kMostNamed) + " more";
  throw Error(ErrorCode::BadFormat, message, path, problems.front().first);
}

} // namespace hinesight::morphology
