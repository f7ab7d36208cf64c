#pragma once

#include "app/forms/parameter_form.hpp"
#include "synapse/search/search.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <limits>

namespace hinesight::app {

/// The parameters of a search for synapses as rows of a panel.
struct SearchValues
{
  synapse::SearchParameters parameters;
  double cutoff = kNoCutoff; ///< of the linear kernel, um; that or more: none

  static constexpr double kNoCutoff = 1e6;

  /// As the engine wants them.
  synapse::SearchParameters search() const
  {
    synapse::SearchParameters result = parameters;
    result.kernel.cutoff = cutoff < kNoCutoff ? cutoff : std::numeric_limits<double>::infinity();
    return result;
  }
  void setSearch(const synapse::SearchParameters& search)
  {
    parameters = search;
    cutoff = std::min(search.kernel.cutoff, kNoCutoff);
  }
};

/// Texts of the rows, in the context of a panel.
class SearchTexts
{
  Q_DECLARE_TR_FUNCTIONS(SearchTexts)
};

/// Two groups of rows, whose ids begin with `prefix`. `values` gives the SearchValues of what the form shows.
template <typename Values, typename Member>
void addSearchRows(ParameterForm<Values>& form, const QString& prefix, Member values)
{
  using synapse::KernelKind;
  const auto tr = [](const char* text) { return SearchTexts::tr(text); };
  const auto text = [&](const char* id, const char* label, const char* help, const char* detail) {
    return ParameterText{prefix + QLatin1String(id), tr(label), tr(help), tr(detail)};
  };
  form.addGroup(prefix + QStringLiteral("Search"), tr("Search"), tr("How vacant elements find each other"));
  form.addChoice(
      text("Search", "Search", "Who seeks whom, and how exactly.",
           "Barnes-Hut weighs cells that are far enough away as a whole (Rinke et al. 2018)."),
      {{tr("Naive"), tr("Every neuron is weighed: the reference; its time grows with their square")},
       {tr("Barnes-Hut"), tr("Axons seek dendrites; far cells are weighed as a whole")},
       {tr("Inverse"), tr("The same, but dendrites seek axons")},
       {tr("Exact"), tr("The exact distribution at the cost of Barnes-Hut: cells are proposed by a bound")}},
      [values](Values & all) -> auto& { return values(all).parameters.kind; });
  form.addNumber(
      text("Theta", "Theta", "How large a cell may look to be weighed as a whole, above 0 to 0.5.",
           "A cell of edge L at distance d is accepted where L < theta d. Smaller is more exact and slower. "
           "On the page of synapses, select a neuron and move it: the accepted nodes follow."),
      {1e-3, 0.5, 0.1, 0.5, 0, false, {}}, [values](Values & all) -> auto& { return values(all).parameters.theta; });
  form.addNumber(
      text("Seed", "Seed", "Number of the random sequence, of places and of choices.",
           "The same seed gives the same network on every machine and any number of threads."),
      {0, 1e9, 0, 100, 1, false, {}}, [values](Values & all) -> auto& { return values(all).parameters.seed; });

  form.addGroup(prefix + QStringLiteral("Kernel"), tr("Kernel"), tr("How attraction falls with the distance d"));
  form.addChoice(
      text("Kernel", "Kernel", "What the attraction of a vacant element is a function of.",
           "A cell of W vacant elements attracts W times as much."),
      {{tr("Gaussian"), QStringLiteral("exp(-((d - mu) / sigma)\u00b2)")},
       {tr("Linear"), tr("1 - d / cutoff; without a cutoff all are alike")},
       {tr("Gamma"), tr("d^(k-1) exp(-d / theta), normalized")},
       {tr("Weibull"), QStringLiteral("b k d^(k-1) exp(-b d^k)")}},
      [values](Values & all) -> auto& { return values(all).parameters.kernel.kind; });
  const auto add = [&](KernelKind kind, const ParameterText& info, const NumberRange& range, auto member) {
    NumberRow* row = form.addNumber(info, range, member);
    form.showWhen(row, [kind, values](const Values& all) {
      return values(const_cast<Values&>(all)).parameters.kernel.kind == kind;
    });
  };
  const QString micrometres = QStringLiteral(" \u00b5m");
  add(
      KernelKind::Gaussian,
      text("Sigma", "Sigma", "Width of the bell, \u00b5m.", "Attraction falls to 1/e at this distance from mu."),
      {1e-3, 1e6, 10, 5000, 0, true, micrometres}, [values](Values & all) -> auto& {
        return values(all).parameters.kernel.sigma;
      });
  add(
      KernelKind::Gaussian,
      text("Mu", "Mu", "Distance of the greatest attraction, \u00b5m.", "0: the nearest attract most."),
      {-1e6, 1e6, 0, 1000, 0, false, micrometres}, [values](Values & all) -> auto& {
        return values(all).parameters.kernel.mu;
      });
  add(
      KernelKind::Linear,
      text("Cutoff", "Cutoff", "Distance at which the attraction ends, \u00b5m; 1,000,000 \u00b5m: nowhere.",
           "Without an end all vacant elements are alike, wherever they are."),
      {1, SearchValues::kNoCutoff, 10, SearchValues::kNoCutoff, 0, true, micrometres}, [values](Values & all) -> auto& {
        return values(all).cutoff;
      });
  add(
      KernelKind::Gamma, text("GammaK", "Shape k", "Shape of the gamma density, above 0.", "1: an exponential."),
      {1e-3, 1e3, 0.1, 20, 0, true, {}}, [values](Values & all) -> auto& {
        return values(all).parameters.kernel.gammaK;
      });
  add(
      KernelKind::Gamma,
      text("GammaTheta", "Scale", "Scale theta of the gamma density, \u00b5m.", "The mean distance is k times it."),
      {1e-3, 1e6, 1, 1000, 0, true, micrometres}, [values](Values & all) -> auto& {
        return values(all).parameters.kernel.gammaTheta;
      });
  add(
      KernelKind::Weibull, text("WeibullK", "Shape k", "Shape of the Weibull density, above 0.", "1: an exponential."),
      {1e-3, 1e3, 0.1, 20, 0, true, {}}, [values](Values & all) -> auto& {
        return values(all).parameters.kernel.weibullK;
      });
  add(
      KernelKind::Weibull,
      text("WeibullB", "Rate b", "Rate of the Weibull density, per \u00b5m to the k.", "Greater is nearer."),
      {1e-9, 1e3, 1e-6, 1, 0, true, {}}, [values](Values & all) -> auto& {
        return values(all).parameters.kernel.weibullB;
      });
}

} // namespace hinesight::app
