#pragma once

namespace hinesight::widgets {

/// How much a frame shows.
enum class Quality
{
  Lines,
  Plain,
  Sharp
};

/// Chooses the quality of the next frame from the measured time of earlier ones: a slow device gets less while the
/// camera moves, and the whole when it rests.
class FrameQuality
{
public:
  static constexpr double kFluentFrame = 45;   ///< ms that a frame may take while the camera moves
  static constexpr double kLongestFrame = 250; ///< ms that the one frame of a resting camera may take for smooth edges
  static constexpr int kSamplesOfSharp = 4;    ///< of a pixel, so that Sharp is about so many times as slow

  Quality current() const { return quality; }
  /// Whether a plain frame is quick enough to follow the mouse.
  bool isFluent() const { return (plainFrame > 0 ? plainFrame : expectedFrame) <= kFluentFrame; }
  void force(Quality wanted) { quality = wanted; }

  /// A frame of the current quality took so long, ms.
  void measured(double milliseconds)
  {
    if (quality == Quality::Plain && isCold) {
      isCold = false; // compiled shaders and uploaded geometry: tells nothing about the next
    } else if (quality == Quality::Plain) {
      plainFrame = merged(plainFrame, milliseconds);
    } else if (quality == Quality::Sharp) {
      sharpFrame = merged(sharpFrame, milliseconds);
    }
  }

  /// Forgets what a frame of other cells cost. `expected`: what a plain one may take on a slow device, ms.
  void reset(double expected = 0)
  {
    plainFrame = 0;
    expectedFrame = expected;
    sharpFrame = 0;
    isCold = true;
    quality = Quality::Plain;
  }

  void cameraMoves() { quality = sharpIsFluent() ? Quality::Sharp : isFluent() ? Quality::Plain : Quality::Lines; }

  /// Colours, selection or size changed.
  void pictureChanges() { quality = sharpIsFluent() ? Quality::Sharp : Quality::Plain; }

  /// After a rest; false: it does not get any better.
  bool improve()
  {
    if (quality == Quality::Lines) {
      quality = Quality::Plain;
      return true;
    }
    if (quality == Quality::Plain && plainFrame == 0) {
      return true; // draws another one, to know what it costs
    }
    if (quality == Quality::Plain && sharpEstimate() < kLongestFrame) {
      quality = Quality::Sharp;
      return true;
    }
    return false;
  }

private:
  /// One slow frame (an upload, another program's turn) must not decide for good.
  static double merged(double before, double now)
  {
    return before == 0 || now < before ? now : 0.7 * before + 0.3 * now;
  }

  double sharpEstimate() const { return sharpFrame > 0 ? sharpFrame : kSamplesOfSharp * plainFrame; }
  bool sharpIsFluent() const { return plainFrame > 0 && sharpEstimate() < kFluentFrame; }

  Quality quality = Quality::Plain;
  double plainFrame = 0; ///< ms; 0: not measured
  double sharpFrame = 0;
  double expectedFrame = 0; ///< of plain ones, until one is measured
  bool isCold = true;       ///< no frame yet since reset
};

} // namespace hinesight::widgets
