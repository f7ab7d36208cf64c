#pragma once

#include "app/forms/field_form.hpp"
#include "app/jobs/device_report.hpp"
#include "study/growth/growth_study.hpp"

#include <QWidget>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::app {

class FileRow;
class SourceRow;
struct FileContent;

/// How fast elements grow and calcium follows the spikes.
enum class GrowthSpeed
{
  Watched,   ///< growth 100 times and calcium 10 times as fast as published: it settles while one looks on
  Published, ///< as RELeARN has it
  Own        ///< as the rows say
};

inline constexpr Choice kGrowthSpeeds[] = {
    {"watched", "To be watched",
     "Growth 100 times, calcium 10 times as fast as published; axons grow from calcium 0.1."},
    {"published", "Published", "1e-5 elements a ms, a decay of 10,000 ms, 0.001 a spike; axons grow from calcium 0.4."},
    {"own", "Own", "The values in the rows of growth and of calcium."},
};
inline std::span<const Choice> tableOf(GrowthSpeed)
{
  return kGrowthSpeeds;
}

/// Several parameters of a model at once.
struct GrowthPreset
{
  GrowthSpeed speed = GrowthSpeed::Watched;
};

template <typename Visitor>
void visitFields(GrowthPreset& p, Visitor&& visit)
{
  visit(Field{.name = "speed",
              .label = "Rates",
              .help = "How fast elements grow and calcium follows the spikes.",
              .detail =
                  "With the published rates nothing settles for hundreds of thousands of steps (Rinke et al. 2018).",
              .section = {"Growth"}},
        p.speed);
}

/// The parameters of a plasticity model: a view of study::GrowthRequest, whose fields are the rows. By default the
/// model goes faster than RELeARN's, so that a person sees it settle.
class PlasticityPanel : public QWidget
{
  Q_OBJECT

public:
  explicit PlasticityPanel(QWidget* parent = nullptr);

  study::GrowthRequest request() const;
  /// Shows it without emitting `edited`.
  void setRequest(const study::GrowthRequest& request);
  void setDevices(const DeviceReport& report);
  void resetAll();
  /// A network to begin with, with the search and kernel that formed it and calcium at its target, as if a person had
  /// chosen it; null: neurons at random, without synapses and calcium.
  void setStart(std::shared_ptr<const study::GrowthStart> start);

signals:
  /// By a person, no slider being dragged and no number being typed.
  void edited();
  /// By a person: the button that asks which populations of the circuit grow.
  void populationsWanted();
  /// A slider is being dragged: `edited` follows when it is let go.
  void dragged();

private:
  std::vector<BoundField> fields();
  QWidget* makeListRow(const BoundField& field, ParameterText text);
  FileRow* addFile(const ParameterText& text, std::function<FileContent(const std::string& path)> read,
                   std::function<void(synapse::PlasticityParameters&)> forget);
  FileRow* addCalciumFile(const ParameterText& text);
  FileRow* addBackgroundFile(const ParameterText& text);
  FileRow* addInterruptFile(const ParameterText& text);
  void addStart();
  void showStartOf(const study::GrowthRequest& request);
  void takeSpeed();
  void takeTargetDecay();
  void change(const std::function<void(synapse::PlasticityParameters&)>& how);
  void refresh();
  /// What there is of files that were read, after all values were set.
  void showFiles();
  void takeEdit(bool settled);

  study::GrowthRequest current;           ///< but the seed of its source
  study::GrowthRequest told;              ///< what `edited` was last emitted for
  synapse::PlasticityParameters standard; ///< the defaults beside what is chosen
  GrowthPreset preset;
  GrowthSpeed shownSpeed = GrowthSpeed::Watched;
  std::array<double, 3> decayAmounts{}; ///< of each kind of target decay, for when it is chosen again
  FieldForm* form = nullptr;
  ChoiceRow* background = nullptr;
  FileRow* calciumFile = nullptr;
  FileRow* backgroundFile = nullptr;
  FileRow* interruptFile = nullptr;
  // What the rows said when a file was chosen that sets them too: what is edited while it is read stays.
  double initialWhenChosen = 0;
  double targetWhenChosen = 0;
  synapse::BackgroundKind kindWhenChosen = synapse::BackgroundKind::None;
  SourceRow* start = nullptr; ///< in place of random neurons
};

} // namespace hinesight::app
