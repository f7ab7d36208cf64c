#pragma once

#include "core/stage_timings.hpp"
#include "widgets/cells/branch_choice.hpp"
#include "widgets/cells/coloring.hpp"
#include "widgets/cells/scene.hpp"
#include "widgets/figure/figure.hpp"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

namespace hinesight::widgets {

class LegendOverlay;
class TimingCard;
enum class AreaShape;

/// What every view has: a slim header (title, colour-by, its switches, save, maximize), a canvas, a legend bottom left,
/// the timing card top right, an empty state with two buttons. Views show a Scene, and what a person chose of its
/// branches.
///
/// A derived view calls setCanvas once, and overrides setScene and setChoice to redraw after calling View's own, or
/// what they consist of, and `recolored`. Names of the header's controls: "colorBy", "showTimings", "savePicture",
/// "maximize".
class View : public QWidget
{
  Q_OBJECT

public:
  explicit View(const QString& title, QWidget* parent = nullptr);
  ~View() override;

  virtual void setScene(std::shared_ptr<const Scene> scene);
  virtual void setChoice(const BranchChoice& choice);
  /// The two together, composed once.
  void showScene(std::shared_ptr<const Scene> scene, const BranchChoice& choice);
  /// Selects a branch alone; null: none.
  void setSelection(BranchId id);
  /// Per entry of the legend: whether all that has its colour is hidden. Figures leave these entries out.
  void setHiddenEntries(const std::vector<bool>& hidden);
  /// Colours of a large scene that were not made yet come later; until then it keeps those before.
  virtual void setColorBy(ColorBy colorBy);
  /// The same for the next scene; what is drawn stays.
  void takeColorBy(ColorBy colorBy);
  /// Shows everything; for a planar view the whole drawing.
  virtual void fit() = 0;
  /// The next drag with the left button draws that to select, as one with Shift does; nullopt: it does not.
  virtual void awaitArea(std::optional<AreaShape>) {}
  /// The canvas with its overlays as an image.
  virtual QImage grabPicture() = 0;
  /// Waits until what the view draws in the background is there, before it is grabbed with its window.
  virtual void settle();
  /// The drawing with its legend in any size, as pixels or lines and letters, without a change to the screen.
  Figure figure();

  QString title() const;
  TimingCard* timingCard() const { return card; }
  const Scene* scene() const { return currentScene.get(); }
  BranchId selection() const { return currentChoice.current; }
  const BranchChoice& choice() const { return currentChoice; }
  const Legend& shownLegend() const;
  ColorBy colorBy() const { return currentColorBy; }
  /// Whether the timing card is shown when it has something to show.
  void setTimingsShown(bool shown);
  /// The view stands beside another of its kind, whose header has all that is of both.
  void setBeside();

signals:
  /// Clicked; null: the background.
  void branchPicked(hinesight::widgets::BranchId id,
                    hinesight::widgets::PickMode how = hinesight::widgets::PickMode::Replace);
  /// Those in a box that was drawn.
  void branchesPicked(const std::vector<hinesight::widgets::BranchId>& ids, hinesight::widgets::PickMode how);
  /// The one that awaitArea waited for was drawn.
  void awaitedAreaDrawn();
  /// What the legend gives a colour to was clicked: an expression of docs/selection.md.
  void legendPicked(const QString& expression, Qt::KeyboardModifiers modifiers);
  /// Another one is shown, with nothing marked as hidden.
  void legendChanged();
  void colorByChanged(hinesight::widgets::ColorBy colorBy); ///< by the user
  void openRequested();                                     ///< the empty state's "Open SWC files"
  void samplesRequested();                                  ///< the empty state's "Load sample cells"
  void maximizeToggled();
  void figureRequested();
  void failed(const QString& sentence); ///< what is shown could not be drawn

protected:
  /// Paints the drawing in the colours of theme(), with `coloring` in them.
  virtual void paintFigure(QPainter& painter, const FigureArea& area) = 0;
  using StillPainter = std::function<void(QPainter& painter, const FigureArea& area, const Coloring& coloring)>;
  /// Paints the drawing as it is now in the colours of a theme, on any one thread and whatever becomes of the view.
  virtual StillPainter stillPainter(ThemeMode mode) = 0;
  using Recoloring = std::function<std::shared_ptr<const Coloring>()>;
  /// Colours what is shown anew, in the colours of theme() where it is called first.
  Recoloring recoloring() const;
  // What setScene and setColorBy do one after the other, for a view that makes its colours in the background.
  void takeScene(std::shared_ptr<const Scene> scene);
  void takeColoring(std::shared_ptr<const Coloring> made);
  /// Colours what is shown by colorBy(), in the colours of theme(), as setColorBy says; another theme calls it, too.
  virtual void recolor();
  /// Called when recolor has taken the colours, or they came after it.
  virtual void recolored() {}
  /// Whether the colours that are shown follow colorBy().
  void setColorByUsed(bool isUsed);
  /// Below the header; called once by the derived constructor.
  void setCanvas(QWidget* canvas);
  /// Puts one of the view's own in the header, right of those before and left of what every view has.
  void addSwitch(QWidget* control);
  /// What chooses the thing that the view shows: in a row of its own under the header, where the header's text then is.
  void addBesideText(QWidget* control);
  /// What the view shows, after the title: "4 cells, 1,510 compartments". `help`: its tooltip; empty: the text.
  void setHeaderText(const QString& text, const QString& help = {});
  /// From now on what is in menus, too, yields to the first part of that text in a narrow header.
  void keepHeaderText();
  /// A sentence in the middle of the canvas when there are cells but nothing to draw of them; empty: none.
  void setNotice(const QString& sentence);
  /// Called by the derived constructor of a view that draws visible cells only.
  void setLegendOf(LegendOf cells) { listed = cells; }
  /// Called by the derived constructor of a view that draws samples.
  void setColorsOf(ColorsOf colors) { colored = colors; }
  LegendOverlay* legendOverlay() const { return legend; }
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  /// How wide the legend may be in a canvas of that width, pixels.
  virtual int mostLegendWidth(int width) const;
  /// Whether the timing card has a place besides.
  virtual bool hasRoomForCard() const { return true; }
  /// Legend, card and what a derived view has beside them.
  void layOutOverlays();
  /// The derived view's part of it, after the others were placed.
  virtual void layOutOwnOverlays() {}

  std::shared_ptr<const Scene> currentScene;
  BranchChoice currentChoice;
  ColorBy currentColorBy = ColorBy::Type;
  std::shared_ptr<const Coloring> coloring = std::make_shared<const Coloring>();

private:
  std::function<Legend()> legendOfFigure(const Recoloring& recolored) const;
  void placeOverlays();
  void layOutEmptyState();
  void fitHeader();
  void fitText();
  void refreshColors();
  void refreshEmptyState();

  class Private;
  std::unique_ptr<Private> d;
  /// Makes colours of what is shown, by colorBy(); on any thread.
  std::function<std::shared_ptr<const Coloring>()> colorMaker() const;
  bool hasColors() const;

  LegendOf listed = LegendOf::AllCells;
  ColorsOf colored = ColorsOf::Branches;
  LegendOverlay* legend = nullptr;
  TimingCard* card = nullptr;
};

} // namespace hinesight::widgets
