#include "app/projection/population_texts.hpp"

#include "io/networks/neuron_files.hpp"
#include "widgets/theme.hpp"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <array>

namespace hinesight::app {

namespace {

using projection::PopulationKind;
using projection::PopulationParameters;

QString tr(const char* text)
{
  return QCoreApplication::translate("PopulationTexts", text);
}

QString counted(std::uint64_t count)
{
  return widgets::formatNumber(static_cast<double>(count));
}

} // namespace

std::string_view circuitUnitOf(std::string_view parameter)
{
  static constexpr std::array<std::string_view, 17> kLengths = {
      "spacing", "origin", "extent", "radius",         "sigma", "sigma-y",          "sigma-z",    "sigma-m",   "e2",
      "sigma-0", "fshift", "region", "surround-sigma", "decay", "expression-reach", "field-size", "wavelength"};
  if (parameter == "velocity")
    return "µm/ms";
  const bool isLength = parameter.starts_with("offset-") || std::ranges::find(kLengths, parameter) != kLengths.end();
  return isLength ? "µm" : "";
}

QString describePopulation(const study::PopulationChoice& choice)
{
  const PopulationParameters& parameters = choice.parameters;
  switch (parameters.kind) {
  case PopulationKind::Grid: {
    QString text = QStringLiteral("%1 \u00d7 %2").arg(counted(parameters.size[0]), counted(parameters.size[1]));
    if (parameters.size[2] > 1)
      text += QStringLiteral(" \u00d7 %1").arg(counted(parameters.size[2]));
    return tr("%1 grid").arg(text);
  }
  case PopulationKind::Box:
    return tr("%1 in a box").arg(counted(parameters.count));
  case PopulationKind::Sphere:
    return tr("%1 in a sphere").arg(counted(parameters.count));
  case PopulationKind::File: {
    const QString name = QFileInfo(QString::fromStdString(parameters.file)).fileName();
    return choice.nodes.empty() ? name : QStringLiteral("%1: %2").arg(name, QString::fromStdString(choice.nodes));
  }
  case PopulationKind::Given: {
    const std::uint64_t neurons = choice.given ? choice.given->count() : 0;
    if (choice.isSomata)
      return neurons == 1 ? tr("1 soma") : tr("%1 somata").arg(counted(neurons));
    return choice.given ? tr("%1 neurons of a table").arg(counted(neurons)) : tr("positions unknown");
  }
  }
  return {};
}

QString describePlacing(const study::PopulationChoice& choice)
{
  switch (choice.parameters.kind) {
  case PopulationKind::Grid:
    return tr("Neurons on a grid that begins at the origin, the spacing apart.");
  case PopulationKind::Box:
  case PopulationKind::Sphere:
    return tr("Neurons at random, the same for the same seed.");
  case PopulationKind::File:
    return io::isSonataFile(choice.parameters.file) ? tr("Neurons at x, y and z of the nodes of a SONATA file.")
                                                    : tr("Neurons at the x, y and z of a text file, a line each.");
  case PopulationKind::Given:
    break;
  }
  if (choice.isSomata)
    return tr("A neuron for each open cell, shown or hidden, or for those that are chosen. It lies at the centre of "
              "its soma, in the coordinates of its file, usually \u00b5m, moved by what is given here. Without a soma "
              "it lies where the tree begins.");
  return choice.given ? tr("Neurons where the opened table has them.")
                      : tr("The opened table does not say where its neurons are; a new table needs "
                           "another population.");
}

} // namespace hinesight::app
