#pragma once

#include "widgets/orbit/orbit_camera.hpp"

#include <QColor>
#include <QFont>
#include <QString>
#include <QWidget>

#include <vector>

class QPainter;

namespace hinesight::widgets {

/// A place whose potential is recorded, in the colour and by the name of its trace.
struct PlaceMark
{
  Vec3 at{};
  QColor color;
  QString label;
};

/// What stands over the cells: the clock, and marks where potentials are recorded. Takes no mouse events.
class VoltageOverlay : public QWidget
{
  Q_OBJECT

public:
  explicit VoltageOverlay(QWidget* canvas);

  void setCamera(const OrbitCamera& camera);
  void setMarks(std::vector<PlaceMark> marks);
  /// `note` stands below the clock in small letters.
  void setClock(const QString& clock, const QString& note);
  const std::vector<PlaceMark>& marks() const { return shownMarks; }
  const QString& clock() const { return clockText; }
  const QString& note() const { return noteText; }
  /// Where the clock stands.
  QRect clockRect() const;
  /// The same at any time of a run, with a line below the clock.
  QRect clockRoom() const;

  /// Where the name of each mark stands, apart from the others; empty: there is no room for it, or it is behind.
  static std::vector<QRectF> nameRects(const OrbitCamera& camera, const std::vector<PlaceMark>& marks,
                                       const QFont& font);
  const OrbitCamera& camera() const { return eye; }
  /// As it is on the screen, for a camera of an area. On any thread.
  static void paint(QPainter& painter, const OrbitCamera& camera, const std::vector<PlaceMark>& marks,
                    const QString& clock, const QFont& font);

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  OrbitCamera eye;
  std::vector<PlaceMark> shownMarks;
  QString clockText, noteText;
};

} // namespace hinesight::widgets
