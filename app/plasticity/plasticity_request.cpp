#include "app/plasticity/plasticity_request.hpp"

#include <QCoreApplication>

namespace hinesight::app {

namespace {

using synapse::GrowthParameters;
using synapse::PlasticityParameters;

/// Names as the panel has them.
class BeginningTexts
{
  Q_DECLARE_TR_FUNCTIONS(BeginningTexts)
};

/// Calls `visit(name, one, other)` for every parameter that a model has from its beginning: what it was made of, and
/// what its state already holds.
template <typename One, typename Visit>
void visitBeginning(One& one, const PlasticityParameters& other, const Visit& visit)
{
  visit(BeginningTexts::tr("model"), one.model, other.model);
  visit(BeginningTexts::tr("initial calcium"), one.calciumInitial, other.calciumInitial);
  visit(BeginningTexts::tr("calcium of single neurons"), one.calciumOf, other.calciumOf);
  visit(BeginningTexts::tr("target decay"), one.targetDecay, other.targetDecay);
  visit(BeginningTexts::tr("interrupts"), one.interrupts, other.interrupts);
  for (const auto pool : {&PlasticityParameters::axon, &PlasticityParameters::excitatoryDendrite,
                          &PlasticityParameters::inhibitoryDendrite})
    for (const auto bound : {&GrowthParameters::initialLeast, &GrowthParameters::initialMost})
      visit(BeginningTexts::tr("initial elements"), one.*pool.*bound, other.*pool.*bound);
  visit(BeginningTexts::tr("seed"), one.search.seed, other.search.seed);
}

template <typename One, typename Visit>
void visitBeginning(One& one, const PlasticityRequest& other, const Visit& visit)
{
  visit(BeginningTexts::tr("neurons"), one.start, other.start);
  visit(BeginningTexts::tr("neurons"), one.source.neurons, other.source.neurons);
  visit(BeginningTexts::tr("spacing"), one.source.spacing, other.source.spacing);
  visit(BeginningTexts::tr("share of excitatory neurons"), one.source.excitatory, other.source.excitatory);
  visit(BeginningTexts::tr("seed"), one.source.seed, other.source.seed);
  visitBeginning(one.model, other.model, visit);
}

constexpr auto kTake = [](const QString&, auto& member, const auto& from) { member = from; };

} // namespace

QStringList beginningsThatDiffer(const PlasticityRequest& run, const PlasticityRequest& fields)
{
  QStringList names;
  visitBeginning(run, fields, [&](const QString& name, const auto& ofRun, const auto& ofFields) {
    if (ofRun != ofFields && !names.contains(name))
      names << name;
  });
  return names;
}

PlasticityRequest goingOn(const PlasticityRequest& run, const PlasticityRequest& fields)
{
  PlasticityRequest next = fields;
  visitBeginning(next, run, kTake);
  return next;
}

PlasticityParameters goingOn(const PlasticityParameters& run, const PlasticityParameters& fields)
{
  PlasticityParameters next = fields;
  visitBeginning(next, run, kTake);
  return next;
}

} // namespace hinesight::app
