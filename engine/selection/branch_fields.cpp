#include "selection/branch_fields.hpp"

#include "morphology/morphology.hpp"

#include <array>

namespace hinesight::selection {

namespace {

constexpr std::array<BranchField, kBranchFigures> kFields = {{
    {BranchFigure::Type, "type", "Type", "", "The SWC type of most of its samples: a word, or the number of the file.",
     FigureKind::Type},
    {BranchFigure::Order, "order", "Branch order", "",
     "Bifurcations between it and the root, the root itself not counted."},
    {BranchFigure::Level, "level", "Level", "", "Branches that have to be done before it, from the root on."},
    {BranchFigure::Block, "block", "Block", "", "The block of threads that solves it, from 1."},
    {BranchFigure::Length, "length", "Length", "µm", "Along it, without the segment that joins it with the soma."},
    {BranchFigure::PathDistance, "pathDistance", "Path distance", "µm",
     "Along the tree from the root, which is the soma, to its farther end."},
    {BranchFigure::PathStart, "pathStart", "Path distance of its start", "µm",
     "Along the tree from the root to its nearer end."},
    {BranchFigure::Distance, "distance", "Straight distance", "µm",
     "Straight from the centre of the soma to its farther end."},
    {BranchFigure::Diameter, "diameter", "Diameter", "µm", "Mean along this length."},
    {BranchFigure::Compartments, "compartments", "Compartments", "", "Compartments that it is cut into."},
    {BranchFigure::Children, "children", "Children", "", "Branches that hang on its end; 0 at a tip."},
    {BranchFigure::Subtree, "subtree", "Subtree", "", "Branches from it on to the tips, itself included."},
    {BranchFigure::Branch, "branch", "Branch", "", "Its number in its cell, from 1."},
    {BranchFigure::Cell, "cell", "Cell", "",
     "Its cell: a name in quotation marks, where * stands for any text, or the number in the list, from 1.",
     FigureKind::Name},
}};

using namespace morphology;

constexpr std::int32_t kUndefinedTypes[] = {kUndefined};
constexpr std::int32_t kSomaTypes[] = {kSoma};
constexpr std::int32_t kAxonTypes[] = {kAxon};
constexpr std::int32_t kBasalTypes[] = {kBasalDendrite};
constexpr std::int32_t kApicalTypes[] = {kApicalDendrite};
constexpr std::int32_t kDendriteTypes[] = {kBasalDendrite, kApicalDendrite};
constexpr std::int32_t kCustomTypes[] = {kCustom};
constexpr std::int32_t kUnspecifiedTypes[] = {kUnspecifiedNeurite};
constexpr std::int32_t kGliaTypes[] = {kGlia};

constexpr TypeWord kTypeWords[] = {
    {"soma", kSomaTypes, "1"},
    {"axon", kAxonTypes, "2"},
    {"dendrite", kDendriteTypes, "3 or 4"},
    {"basal", kBasalTypes, "3"},
    {"basal dendrite", kBasalTypes, "3"},
    {"apical", kApicalTypes, "4"},
    {"apical dendrite", kApicalTypes, "4"},
    {"custom", kCustomTypes, "5"},
    {"unspecified", kUnspecifiedTypes, "6"},
    {"unspecified neurite", kUnspecifiedTypes, "6"},
    {"glia", kGliaTypes, "7"},
    {"glia process", kGliaTypes, "7"},
    {"undefined", kUndefinedTypes, "0"},
};

} // namespace

std::span<const BranchField> branchFields()
{
  return kFields;
}

std::span<const TypeWord> typeWords()
{
  return kTypeWords;
}

const Vocabulary& branchVocabulary()
{
  static const Vocabulary vocabulary = [] {
    Vocabulary made{.fields = {},
                    .hasTypes = true,
                    .named = "cell",
                    .condition = "type == axon && length > 100",
                    .comparison = "length > 100",
                    .set = "branch in {1, 2, 3}"};
    for (const BranchField& field : kFields)
      made.fields.push_back({field.name, field.label, field.unit, field.help, field.kind});
    return made;
  }();
  return vocabulary;
}

} // namespace hinesight::selection
