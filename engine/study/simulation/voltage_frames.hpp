#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace hinesight::study {

/// Potentials as bytes, for pictures: 0 stands for the lowest and all below, 255 for the highest and all above.
inline constexpr double kLowestShown = -90; // mV
inline constexpr double kHighestShown = 40;

inline std::uint8_t levelOf(double potential)
{
  constexpr double kLevels = 255;
  const double share = (potential - kLowestShown) / (kHighestShown - kLowestShown);
  return static_cast<std::uint8_t>(kLevels * std::clamp(share, 0.0, 1.0) + 0.5);
}
/// The middle of what a level stands for, mV.
inline double potentialOf(std::uint8_t level)
{
  return kLowestShown + (kHighestShown - kLowestShown) * level / 255;
}

/// The potentials of all nodes of all cells at a time, cell after cell.
struct VoltageFrame
{
  double time = 0; ///< ms
  std::vector<std::uint8_t> levels;
};
using SharedFrame = std::shared_ptr<const VoltageFrame>;

/// The newest frames, as many as fit into so many bytes, by their times.
class FrameRing
{
public:
  static constexpr std::size_t kBytes = 256 << 20;

  explicit FrameRing(std::size_t mostBytes = kBytes) : most(mostBytes) {}

  void push(SharedFrame frame);
  void clear();
  /// Forgets what comes after a time.
  void forgetAfter(double time);
  std::size_t size() const { return frames.size(); }
  const SharedFrame& operator[](std::size_t i) const { return frames[i]; }
  /// The last one not after a time, else the first. Not of an empty ring.
  std::size_t indexAt(double time) const;

private:
  std::size_t most;
  std::size_t bytes = 0;
  std::deque<SharedFrame> frames;
};

} // namespace hinesight::study
