#pragma once

#include <cstdint>
#include <vector>

namespace hinesight::morphology {

/// Finds samples by their id. Memory and time are linear in the number of samples, whatever the ids: a table where they
/// lie close together, as in most files, an open-addressing hash table where they do not.
class IdIndex
{
public:
  /// `ids` are not negative and must outlive the index.
  explicit IdIndex(const std::vector<std::int64_t>& ids);

  /// The first sample with this id, or -1.
  std::int32_t find(std::int64_t id) const;

  /// Samples whose id an earlier one has already, in order.
  const std::vector<std::int32_t>& repeated() const { return repeats; }

private:
  std::size_t slotOf(std::int64_t id) const;

  const std::vector<std::int64_t>& ids;
  std::vector<std::int32_t> buckets; ///< sample or -1
  std::vector<std::int32_t> repeats;
  std::int64_t lowest = 0;
  std::int64_t highest = -1;
  bool dense = false;
};

} // namespace hinesight::morphology
