#pragma once

#include "hines/schedule.hpp"

#include <QImage>
#include <QListView>
#include <QRgb>

#include <functional>
#include <optional>
#include <vector>

namespace hinesight::widgets {

/// A bar of a small picture.
struct SmallBar
{
  std::int32_t lane = 0;
  std::int64_t step = 0;
  std::int64_t steps = 0;
  QRgb color = 0;
};

/// Bars as a picture of `pixels`, summed up where they are smaller than a pixel.
QImage paintSmall(const QSize& pixels, std::int32_t lanes, std::int64_t steps, const std::vector<SmallBar>& bars);

/// Small pictures of all units of a plan at one scale of steps, identical ones once with their number, each with its
/// occupancy. Choosing one emits `chosen`.
class PackingStrip : public QListView
{
  Q_OBJECT

public:
  explicit PackingStrip(QWidget* parent = nullptr);
  ~PackingStrip() override;

  /// A small picture of a group, and what it says.
  struct Picture
  {
    QImage image;
    double occupancy = 0; ///< 0 to 1
    QString figures;      ///< the tooltip
  };
  /// Called when a group comes into sight; nullopt: it is on its way, `setPicture` will bring it.
  using Draw = std::function<std::optional<Picture>(int group, const QSize& pixels)>;

  /// `name`: of a unit, such as "Block".
  void setGroups(std::vector<hines::UnitGroup> groups, const QString& name, Draw draw);
  void setPicture(int group, Picture picture);
  QSize pictureSize() const;
  const std::vector<hines::UnitGroup>& groups() const;
  void choose(int group); ///< without a signal
  int chosenGroup() const;
  /// Flat pictures with one line of text, for a view with little height.
  void setCompact(bool compact);

signals:
  void chosen(int group);

protected:
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
  class Model;
  class Delegate;
  void fitHeight();

  Model* blocks;
  Delegate* painter;
};

} // namespace hinesight::widgets
