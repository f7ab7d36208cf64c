#pragma once

#include <QScrollArea>

namespace hinesight::app {

/// What a person can do on the page of simulations where nothing is open.
class SimulationWelcome : public QScrollArea
{
  Q_OBJECT

public:
  /// `ofCircuit`: what the button of the session's circuit says about itself.
  explicit SimulationWelcome(const QString& ofCircuit, QWidget* parent = nullptr);

signals:
  void circuitRequested(); ///< that of the session
  void sampleRequested(const QString& path);
};

} // namespace hinesight::app
