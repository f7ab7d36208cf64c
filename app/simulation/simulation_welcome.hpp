#pragma once

#include <QScrollArea>

namespace hinesight::app {

/// What a person can do on the page of simulations where nothing is open.
class SimulationWelcome : public QScrollArea
{
  Q_OBJECT

public:
  /// What the buttons that open a file and the session's circuit say about themselves.
  SimulationWelcome(const QString& ofFile, const QString& ofCircuit, QWidget* parent = nullptr);

signals:
  void openRequested();    ///< a file is to be chosen
  void circuitRequested(); ///< that of the session
  void sampleRequested(const QString& path);
};

} // namespace hinesight::app
