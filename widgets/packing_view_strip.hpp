#pragma once

#include "widgets/packing_view_layout.hpp"

#include <QListView>
#include <QRgb>

#include <functional>
#include <memory>

namespace hinesight::widgets {

/// Small pictures of all blocks at one scale, identical ones once with their number, each with its occupancy. Choosing
/// one emits `chosen`.
class PackingStrip : public QListView
{
  Q_OBJECT

public:
  explicit PackingStrip(QWidget* parent = nullptr);
  ~PackingStrip() override;

  /// The colour of a branch (in its schedule) of a block.
  using BranchColor = std::function<QRgb(std::size_t block, std::int32_t branch)>;

  void setPlan(std::shared_ptr<const hines::SolvePlan> plan, LaneOrder order, Sweep sweep, BranchColor color);
  const std::vector<BlockGroup>& groups() const;
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
