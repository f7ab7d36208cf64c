#include "study/simulation/voltage_frames.hpp"

#include <utility>

namespace hinesight::study {

namespace {

std::size_t bytesOf(const VoltageFrame& frame)
{
  return sizeof(VoltageFrame) + frame.levels.size();
}

} // namespace

void FrameRing::push(SharedFrame frame)
{
  bytes += bytesOf(*frame);
  frames.push_back(std::move(frame));
  for (; bytes > most && frames.size() > 1; frames.pop_front())
    bytes -= bytesOf(*frames.front());
}

void FrameRing::clear()
{
  frames.clear();
  bytes = 0;
}

void FrameRing::forgetAfter(double time)
{
  for (; !frames.empty() && frames.back()->time > time; frames.pop_back())
    bytes -= bytesOf(*frames.back());
}

std::size_t FrameRing::indexAt(double time) const
{
  const auto after = std::ranges::upper_bound(frames, time, {}, [](const SharedFrame& frame) { return frame->time; });
  return after == frames.begin() ? 0 : static_cast<std::size_t>(after - frames.begin()) - 1;
}

} // namespace hinesight::study
