#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hinesight::study {

/// Numbers one after the other, of which the least and the greatest of any range are found at once.
class SampleRun
{
public:
  struct Range
  {
    float least, greatest;
  };

  void append(std::span<const float> values);
  /// Forgets the first `count`.
  void dropFirst(std::size_t count);
  std::size_t size() const { return samples.size(); }
  float operator[](std::size_t i) const { return samples[i]; }
  std::span<const float> values() const { return samples; }
  /// Of [begin, end), which is not empty.
  Range rangeOf(std::size_t begin, std::size_t end) const;

private:
  static constexpr std::size_t kFactor = 16; ///< samples, or ranges of the level below, in a range

  void summarize();

  std::vector<float> samples;
  std::vector<std::vector<Range>> levels; ///< of whole ranges alone
};

/// What was recorded at a place at the end of every step, from a step on. What came before the place was chosen is
/// filled in later, from its beginning.
class Trace
{
public:
  /// Steps are `timeStep` ms long.
  explicit Trace(double timeStep = 0.025) : dt(timeStep) {}

  /// The first value is that of step `from`, and follows those there are.
  void append(std::int64_t from, std::span<const float> values);
  /// Values before those there are; the first is that of step `from`, or follows those of the call before.
  void appendPast(std::int64_t from, std::span<const float> values);
  /// Whether nothing is missing between the first value and the last one.
  bool isWhole() const { return !past || present.size() == 0 || isJoined(); }

  double timeStep() const { return dt; }
  std::int64_t firstStep() const { return past ? pastFirst : first; }
  /// After the last value.
  std::int64_t endStep() const;
  /// The least and the greatest from a time to before another, ms; nothing where there are no values.
  std::optional<SampleRun::Range> rangeOf(double from, double to) const;
  std::optional<float> valueAt(double time) const;
  std::optional<float> lastValue() const;
  /// All of it, step after step, from firstStep on; NaN where values are missing.
  std::vector<float> values() const;

private:
  /// Longer traces lose their beginning: 32 million values are 800 s at 0.025 ms.
  static constexpr std::size_t kMost = std::size_t{1} << 25;

  bool isJoined() const { return pastFirst + static_cast<std::int64_t>(past->size()) >= first; }

  double dt;
  std::int64_t first = 1; ///< of `present`
  SampleRun present;
  std::optional<SampleRun> past;
  std::int64_t pastFirst = 1;
};

} // namespace hinesight::study
