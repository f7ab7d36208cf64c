#pragma once

#include <cstdint>

namespace hinesight::widgets {

/// A drag of the mouse that changes a value: of a slider or a handle, or of an arrow that is held. What lets a person
/// drag says when it begins and ends, and what joins changes asks under which drag they were made. There is one mouse,
/// so there is one drag at a time.
class ValueDrag
{
public:
  ValueDrag() = default;
  ~ValueDrag() { end(); }
  ValueDrag(const ValueDrag&) = delete;
  ValueDrag& operator=(const ValueDrag&) = delete;

  void begin();
  void end();
  /// The number of the drag that goes on, another one for each; 0: none does.
  static std::uint64_t current();

private:
  std::uint64_t number = 0;
};

} // namespace hinesight::widgets
