#pragma once

#include "app/jobs/job_runner.hpp"

#include <QObject>

namespace hinesight::app {

class PlasticityPage;
class PlasticityPanel;

/// Joins the page of plasticity, its parameters and its files. The model has a thread of its own, and stands still
/// while something is measured.
class PlasticityController : public QObject
{
  Q_OBJECT

public:
  PlasticityController(JobRunner* runner, PlasticityPage* page, PlasticityPanel* panel, QObject* parent);

  /// Begins with a network that was formed or read.
  void growFrom(const FormationOutcome& outcome);

signals:
  void saved(const QString& path);
  void failed(const QString& sentence);
  /// In words.
  void opened(const QString& result);

private:
  void askWhatToOpen();
  void askWhereToExport();
  void exportTo(const QString& path, const QString& filter);

  PlasticityPage* page;
  PlasticityPanel* panel;
};

} // namespace hinesight::app
