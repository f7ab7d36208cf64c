#pragma once

#include "app/job_runner.hpp"

#include <QObject>

namespace hinesight::app {

class PlasticityPage;
class PlasticityPanel;

/// Joins the page of plasticity, its parameters and the job runner. The model has a thread of its own, and stands still
/// while something is measured.
class PlasticityController : public QObject
{
  Q_OBJECT

public:
  PlasticityController(JobRunner* runner, PlasticityPage* page, PlasticityPanel* panel, QObject* parent);
};

} // namespace hinesight::app
