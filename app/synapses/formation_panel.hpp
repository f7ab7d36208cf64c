#pragma once

#include "app/files/openable_files.hpp"
#include "app/forms/field_form.hpp"
#include "app/jobs/device_report.hpp"
#include "app/synapses/formation_outcome.hpp"
#include "widgets/synapse/octree_scene.hpp"

#include <QWidget>

#include <vector>

namespace hinesight::app {

class SourceRow;

/// The parameters of a formation of synapses, and what of it is drawn. A view of study::FormationRequest and
/// widgets::OctreeLook, whose fields are the rows.
class FormationPanel : public QWidget
{
  Q_OBJECT

public:
  explicit FormationPanel(QWidget* parent = nullptr);

  study::FormationRequest request() const;
  /// Shows it without emitting `edited`.
  void setRequest(const study::FormationRequest& request);
  const widgets::OctreeLook& look() const { return drawn; }
  void setDevices(const DeviceReport& report);
  /// Neurons of a file; empty: at random. As if a person had chosen it.
  void setFile(const QString& path);
  /// The synapses of a file, and the neurons that belong to it; where nothing says where these are, those that the
  /// panel shows. As if a person had chosen it.
  void setNetwork(const NetworkFile& file);
  /// Everything that makes the network back to its default; what is drawn stays.
  void resetAll();

signals:
  /// What makes the network was changed by a person. `settled`: no slider is being dragged.
  void edited(bool settled);
  void lookChanged();

private:
  std::vector<BoundField> fields();
  void addSources();
  void refresh();
  void clearNetwork();
  void clearFile();
  void takeEdit(bool settled);

  study::FormationRequest current; ///< but the seed of its source
  study::FormationRequest told;    ///< what `edited` was last emitted for
  widgets::OctreeLook drawn;
  widgets::OctreeLook shownLook;
  FieldForm* form = nullptr;
  SourceRow* neurons = nullptr; ///< of a file
  SourceRow* network = nullptr; ///< its synapses
};

} // namespace hinesight::app
