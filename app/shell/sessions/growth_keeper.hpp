#pragma once

#include "synapse/plasticity/plasticity.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <optional>

namespace hinesight::app {

class Jobs;
class KeptSessions;
class PlasticityPage;
struct KeptNetwork;

/// Says when the network of the page Plasticity is kept for the case that the program is killed: now and then while it
/// grows, and where it comes to a stop. It is written in the pauses of its growth.
class GrowthKeeper : public QObject
{
  Q_OBJECT

public:
  /// `keepSession`: what is open, which has how far the network has grown.
  GrowthKeeper(KeptSessions* kept, Jobs* jobs, PlasticityPage* page, std::function<void()> keepSession,
               QObject* parent);

  /// From one time to the next while it grows, ms; longer where to write it takes more than a twentieth of the time.
  void setPause(int milliseconds) { pause = milliseconds; }

signals:
  /// Once, where the network cannot be kept.
  void failed(const QString& sentence);

private:
  void follow();
  void begin(std::uint32_t step);
  void write();
  void take(const KeptNetwork& written);

  KeptSessions* kept;
  Jobs* jobs;
  PlasticityPage* page;
  std::function<void()> keepSession;
  QTimer timer; ///< until it is written
  QElapsedTimer sinceWritten;
  int pause;
  double cost = 0;                                        ///< ms that writing took
  std::uint32_t keptStep = 0;                             ///< 0: no network is kept
  std::optional<synapse::PlasticityParameters> keptModel; ///< with what is kept; none: not known
  bool isWriting = false;
  std::uint64_t runs = 0; ///< that there were
  bool hasFailed = false;
};

} // namespace hinesight::app
