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

/// The part of time that charts below each other show. Until a person zooms or moves it, it follows the newest part of
/// a run that goes on, and shows all of one that stands still. While a time is looked at, it stays where that is seen.
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
  /// When the run is to end, ms; none: nobody says.
  void setEnd(std::optional<double> time);
  /// Whether the run goes on.
  void setRunning(bool goesOn);
  /// The run begins at 0 again; the span that a person chose stays.
  void restart();
  void setMarks(std::vector<TimeMark> marks);
  /// The axis moves to where it is seen.
  void setCursor(std::optional<double> time);
  /// The time at `share` of the axis stays there.
  void zoom(double share, double factor);
  void move(double milliseconds);
  /// From 0 to the newest, with nothing beyond.
  void showAll();
  /// The newest so many milliseconds, from now on.
  void follow(double span);
  /// What there is where no person has zoomed or moved it.
  void showUsual();

signals:
  void changed();
  void cursorMoved(std::optional<double> time); ///< by a person

private:
  double usualSpan() const;
  bool endsAtNewest() const;
  void fit();
  void place();
  void bring(double time);

  static constexpr double kUsualSpan = 500; // ms
  static constexpr double kLeastSpan = 0.5;
  static constexpr double kMostSpan = 1e7;

  double begin = 0;
  double length = kUsualSpan; ///< ms
  double reached = 0;
  std::optional<double> end;
  bool runs = false;
  bool isChosen = false; ///< a person zoomed or moved it
  bool follows = true;
  std::optional<double> looked;
  std::vector<TimeMark> changes;
};

} // namespace hinesight::widgets
