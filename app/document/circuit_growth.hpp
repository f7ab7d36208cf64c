#pragma once

#include "app/document/document_parts.hpp"
#include "model/project.hpp"
#include "study/growth/growth_study.hpp"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::app {

class CircuitFormation;
class CircuitPopulations;
class PlacedNeurons;

/// Joins the page Plasticity with the circuit: its network begins with a formed connection of it, with the neurons of
/// populations, or with those of its own.
class CircuitGrowth : public QObject
{
  Q_OBJECT

public:
  CircuitGrowth(const DocumentParts& parts, const CircuitPopulations* populations, const CircuitFormation* formation,
                PlacedNeurons* neurons, ProjectNow project, QObject* parent);

  /// What the fields of the page say, to a project that has the connections of the circuit.
  void addTo(model::Project& project) const;
  /// How far the network has grown, to a project that has what the fields say. A connection that has changed since the
  /// network began with it is left out.
  void addRunTo(model::Project& project) const;
  /// Why a run of a project that was written (addRunTo) grows another network than the window has; empty: it grows the
  /// same.
  QString whatIsNotGrown(const model::Project& written) const;
  /// The page shows what the project says. What a run starts with stays, unless that is another connection of the
  /// circuit.
  void show(const model::Project& wanted);
  /// The project is another one now: neurons that grow follow their populations. Where one of these is gone, they are
  /// at random again.
  void follow(const model::Project& project);
  void renamePopulation(const std::string& before, const std::string& now);

signals:
  /// A person chose the populations of the page.
  void changed();
  /// As Document::tookOver.
  void tookOver(const std::function<void(hinesight::model::Project&)>& into);

private:
  std::string nameOfBegun(const model::Project& project) const;
  bool isAsBegun(const model::Project& project) const;
  void takeStart(const std::shared_ptr<const study::GrowthStart>& start);
  bool isSaid(study::GrowthRequest request) const;
  void beginWithCircuit();
  void askWhoGrows();

  DocumentParts parts;
  const CircuitPopulations* populations;
  const CircuitFormation* formation;
  PlacedNeurons* neurons;
  ProjectNow project;
  study::GrowthRequest standard; ///< that the window begins with
  model::Project grown;          ///< what the neurons that grow depend on, where they are populations of the circuit
  /// The formed connection that the network begins with, as it was then.
  struct BegunConnection
  {
    std::shared_ptr<const study::GrowthStart> start; ///< null: none, or on its way
    std::string connection;
    synapse::FormationParameters formation;
    model::Project part;
  };
  BegunConnection begun;
  bool isBeginning = false;           ///< its synapses are being formed
  std::vector<std::string> begunWith; ///< populations, unasked; the page does so once
};

} // namespace hinesight::app
