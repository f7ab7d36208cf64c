#pragma once

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace hinesight::widgets {

/// A time at which a person changed something.
struct TimeMark
{
  double time = 0; ///< ms
  QString text;
};

/// The part of time that charts below each other show. It follows the run until a person looks elsewhere.
class TimeAxis : public QObject
{
  Q_OBJECT

public:
  using QObject::QObject;

  double from() const { return begin; }
  double to() const { return begin + length; }
  double span() const { return length; }
  /// How far the run has come, ms.
  double now() const { return reached; }
  bool isFollowing() const { return follows; }
  const std::vector<TimeMark>& marks() const { return changes; }
  /// What is looked at instead of the newest; none: the newest is.
  std::optional<double> cursor() const { return looked; }

  void setNow(double time);
  void setMarks(std::vector<TimeMark> marks);
  void setCursor(std::optional<double> time);
  /// The time at `share` of the axis stays there.
  void zoom(double share, double factor);
  void move(double milliseconds);
  /// From 0 to the newest, with nothing beyond.
  void showAll();
  /// The newest so many milliseconds, from now on.
  void follow(double span);

signals:
  void changed();
  void cursorMoved(std::optional<double> time); ///< by a person

private:
  void place();

  static constexpr double kLeastSpan = 0.5; // ms
  static constexpr double kMostSpan = 1e7;

  double begin = 0;
  double length = 500; ///< ms
  double reached = 0;
  bool follows = true;
  std::optional<double> looked;
  std::vector<TimeMark> changes;
};

} // namespace hinesight::widgets
