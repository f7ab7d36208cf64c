#pragma once

#include "app/forms/parameter_form.hpp"

#include <QCoreApplication>

namespace hinesight::app {

/// Texts of rows that several panels have, in a context of their own.
class PanelTexts
{
  Q_DECLARE_TR_FUNCTIONS(PanelTexts)
};

/// Rows for neurons at random places, whose ids begin with `prefix`; they exist only while `condition` holds. `source`
/// gives the study::NeuronSource of what the form shows; `sliderMost` neurons are as many as are placed in no time.
template <typename Values, typename Member>
void addPlacementRows(ParameterForm<Values>& form, const QString& prefix, double sliderMost, Member source,
                      const typename ParameterForm<Values>::Condition& condition)
{
  const auto add = [&](const char* id, const QString& label, const QString& help, const QString& detail,
                       const NumberRange& range, auto member) {
    form.showWhen(form.addNumber({prefix + QLatin1String(id), label, help, detail}, range, member), condition);
  };
  add(
      "Neurons", PanelTexts::tr("Neurons"), PanelTexts::tr("How many neurons, 1 to 10,000,000."),
      PanelTexts::tr("One in each of so many cells of a cube, at a random point of it (RELeARN)."),
      {1, 1e7, 100, sliderMost, 1, true, {}}, [source](Values & values) -> auto& { return source(values).neurons; });
  add(
      "Spacing", PanelTexts::tr("Spacing"), PanelTexts::tr("Edge of each neuron's cell, \u00b5m."),
      PanelTexts::tr("Together with sigma it says how many neurons a synapse may choose from. RELeARN's papers have "
                     "26 \u00b5m."),
      {0.01, 1e6, 1, 1000, 0, true, QStringLiteral(" \u00b5m")}, [source](Values & values) -> auto& {
        return source(values).spacing;
      });
  add(
      "Excitatory", PanelTexts::tr("Excitatory"), PanelTexts::tr("Share of excitatory neurons, 0 to 1."),
      PanelTexts::tr("An excitatory axon seeks excitatory dendrites, an inhibitory one inhibitory ones."),
      {0, 1, 0, 1, 0, false, {}}, [source](Values & values) -> auto& { return source(values).excitatory; });
}

/// A group of rows that say where something is done, whose ids begin with `prefix`. `where` gives a reference to what
/// has a backend and threads. Returns the row of backends, whose CUDA is still being looked for.
template <typename Values, typename Member>
ChoiceRow* addComputeRows(ParameterForm<Values>& form, const QString& prefix, const QString& help, Member where)
{
  form.addGroup(prefix + QStringLiteral("Compute"), PanelTexts::tr("Compute"), help);
  ChoiceRow* backend = form.addChoice(
      {prefix + QStringLiteral("Backend"), PanelTexts::tr("Backend"), help + QLatin1Char('.'),
       PanelTexts::tr("Both give the same network.")},
      {{PanelTexts::tr("CPU"), PanelTexts::tr("The processor of this machine")},
       {PanelTexts::tr("CUDA"), PanelTexts::tr("The CUDA device")}},
      [where](Values & values) -> auto& { return where(values).backend; });
  backend->setUnavailable(static_cast<int>(Backend::Cuda), PanelTexts::tr("Looking for a CUDA device..."));
  form.showWhen(form.addNumber(
                    {prefix + QStringLiteral("Threads"),
                     PanelTexts::tr("Threads"),
                     PanelTexts::tr("Of the processor; 0: all of them."),
                     {}},
                    {0, 256, 0, 32, 1, false, {}}, [where](Values & values) -> auto& { return where(values).threads; }),
                [where](const Values& values) { return where(values).backend == Backend::Cpu; });
  return backend;
}

} // namespace hinesight::app
