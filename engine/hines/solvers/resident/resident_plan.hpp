#pragma once

#include "core/device_model.hpp"
#include "core/run_control.hpp"
#include "hines/batch.hpp"
#include "hines/precision.hpp"
#include "hines/schedule.hpp"
#include "hines/solvers/resident/resident.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace hinesight::hines {

// The resident solver's plan. Every cell is read once, kept on chip while it is solved, and written once: in registers
// what these can hold, the rest and the junctions in shared memory. Its order of
// elimination has a depth of the logarithm of the cell's size, whatever its shape:
//
//  1. Contract. The branches are cut into pieces of a few compartments, and each lane eliminates the inside of one
//  piece
//     (exact domain decomposition, vooturi 2019, section III: the compartment at a piece's end is the junction). What
//     is left is a tree of one node a piece; pieces that end in a tip leave no node.
//  2. Reduce. In rounds, every leaf of that tree and an independent set of its nodes with one child are eliminated
//  (rake
//     and compress, Miller and Reif 1985); substitution runs through the rounds backwards.
//  3. Expand. Each lane substitutes inside its piece, whose ends are known by now.

/// How the thread blocks on a multiprocessor share out its registers, and what makes them fast: measured, see
/// docs/notes/resident.md. Each form is a kernel of its own.
struct ResidentForm
{
  std::int32_t rows;          ///< most compartments of a piece that a lane can keep
  std::int32_t warps;         ///< that a multiprocessor of 65,536 registers has enough for
  std::int32_t leastTogether; ///< least and most blocks that share it
  std::int32_t mostTogether;
  bool inClusters = false;   ///< whether it is for blocks of clusters, or for those that have a unit alone
  bool takesSeveral = false; ///< a block solves several units of one schedule, one after the other
  bool readsTables = false;  ///< past the copy of them, so that values are asked for sooner
  bool leavesCache = false;  ///< what was read is the next to leave the L2 cache
  bool startsInTurn = false; ///< blocks that could start together do so a little apart
};

/// In double precision the blocks of a cluster have fewer lanes with longer pieces: messages need registers too, and
/// fewer junctions are left between blocks.
inline constexpr ResidentForm kDoubleResidentForms[] = {
    {.rows = 12,
     .warps = 16,
     .leastTogether = 1,
     .mostTogether = 2,
     .readsTables = true,
     .leavesCache = true,
     .startsInTurn = true},
    {.rows = 16, .warps = 12, .leastTogether = 1, .mostTogether = 2, .inClusters = true}};
/// In single precision units that do not fit a third of a multiprocessor have longer pieces.
inline constexpr ResidentForm kSingleResidentForms[] = {
    {.rows = 12,
     .warps = 24,
     .leastTogether = 3,
     .mostTogether = 3,
     .takesSeveral = true,
     .readsTables = true,
     .leavesCache = true},
    {.rows = 16, .warps = 20, .leastTogether = 1, .mostTogether = 2, .leavesCache = true},
    {.rows = 12, .warps = 24, .leastTogether = 1, .mostTogether = 3, .inClusters = true}};

constexpr std::span<const ResidentForm> residentForms(Precision precision)
{
  if (precision == Precision::Single)
    return kSingleResidentForms;
  return kDoubleResidentForms;
}

/// The most rows of any form.
inline constexpr std::int32_t kMostResidentRows = 16;

/// Valid: pieceLength 0 to 512, unitCompartments 0 to 65,536, 16 KB to 256 KB of shared memory a block (places on chip
/// have 16 bits).
struct ResidentParameters
{
  std::int32_t pieceLength = 0;      ///< most compartments of a piece; 0: as many as a lane can keep, 32 of cells too
                                     ///< large for the chip
  std::int32_t unitCompartments = 0; ///< small cells share a unit up to this size; 0: half a multiprocessor's
  Precision precision = Precision::Double;           ///< of the values kept on chip
  ResidentOrder order = ResidentOrder::Schedule;     ///< of the values in device memory
  DeviceModel device = knownDevice(Gpu::H200).model; ///< that is planned for

  bool operator==(const ResidentParameters&) const = default;
};

void validate(const ResidentParameters& parameters);

/// A chain of compartments that one lane eliminates, in lane order: 32 that follow one another form a group. Row k of a
/// group holds the k-th compartment from the far end of each of its pieces that is so long.
struct ResidentPiece
{
  std::int32_t length = 0;       ///< compartments
  std::int32_t node = -1;        ///< of its far end; -1: a tip, the whole piece is eliminated
  std::int32_t parentNode = -1;  ///< that it hangs on; -1 at a root
  std::int32_t contribution = 0; ///< where it leaves what it adds to its parent
};

/// A junction, in the order of elimination.
struct ResidentNode
{
  std::int32_t parentNode = -1;       ///< when it is eliminated; -1: none
  std::int32_t childNode = -1;        ///< when it is eliminated; -1: none
  std::int32_t contribution = 0;      ///< where it adds what it leaves to its parent
  std::int32_t contributionBegin = 0; ///< what was left to it: up to the next node's contributionBegin
};

/// Every group's slots begin at a multiple of this, and are filled up to it: 128 bytes, a line of the caches, so that a
/// row of 32 lanes is two lines and not parts of three (docs/notes/resident.md).
std::int32_t residentAlignment(Precision precision);

/// A thread block's part of a unit. The nodes that only its own pieces end at or hang on are its own and eliminated by
/// it alone, side by side with the other blocks; then the first block eliminates what is left, the shared nodes.
struct ResidentRank
{
  std::int32_t groupBegin = 0;
  std::int32_t groupCount = 0;
  std::int32_t slotBegin = 0;
  std::int32_t slotCount = 0; ///< a multiple of residentAlignment
  std::int32_t nodeBegin = 0; ///< its own nodes
  std::int32_t nodeCount = 0;
  std::int32_t roundBegin = 0; ///< their rounds
  std::int32_t roundCount = 0;
  std::int32_t roots = 0;              ///< pieces that hang on nothing
  std::vector<std::int32_t> pulled;    ///< shared nodes whose x it needs
  std::int32_t owned = 0;              ///< so many of these, the first, are at the far end of a piece of its own
  std::vector<std::int32_t> forwarded; ///< places for contributions to shared nodes that it fills
};

/// What one or several thread blocks execute together. Units that hold the same shapes in the same order share it.
struct ResidentSchedule
{
  std::vector<std::uint32_t> cellShape; ///< per cell of the unit: index into HinesBatch::shapes

  std::vector<ResidentPiece> pieces;    ///< groups of 32, a group's rest filled with pieces of length 0
  std::vector<std::int32_t> rowBegin;   ///< per group: its first row in `rowSlot`; size groups + 1
  std::vector<std::int32_t> rowSlot;    ///< per row: slot of its first lane, counted from its rank's first slot
  std::vector<ResidentNode> nodes;      ///< of each rank, then the shared; one more, for the last contributionBegin
  std::vector<std::int32_t> roundBegin; ///< size rounds + 1: nodes of a round
  std::int32_t sharedBegin = 0;         ///< first shared node
  std::int32_t sharedRound = 0;         ///< and their first round
  std::int32_t contributions = 0;
  std::vector<ResidentRank> ranks; ///< thread blocks; empty: too large to stay on chip, spread over the device
  std::size_t form = 0;            ///< of residentForms
  std::int32_t warps = 1;          ///< of each; every warp keeps one of the block's first groups in registers

  // Per slot, rank after rank: where its values come from. -1: padding.
  std::vector<std::int32_t> slotCell;        ///< cell of the unit
  std::vector<std::int32_t> slotCompartment; ///< compartment of the HinesSystem

  std::int32_t slotCount() const { return static_cast<std::int32_t>(slotCell.size()); }
  std::int32_t nodeCount() const { return static_cast<std::int32_t>(nodes.size()) - 1; }
  std::int32_t sharedCount() const { return nodeCount() - sharedBegin; }
  std::int32_t rounds() const { return static_cast<std::int32_t>(roundBegin.size()) - 1; }
  std::int32_t groups() const { return static_cast<std::int32_t>(rowBegin.size()) - 1; }
};

/// At the start of a thread block's shared memory: four barriers.
inline constexpr std::size_t kResidentHeadBytes = 32;

/// Where the nodes of a rank and what is left to them are in its shared memory, in numbers of the precision. A node is
/// three numbers, a contribution two.
struct ResidentMap
{
  std::size_t nodes = 0;         ///< its own, then those that it pulls
  std::size_t contributions = 0; ///< to its own nodes, then forwarded ones, then what its roots leave
  std::size_t sharedNodes = 0;   ///< in the first rank
  std::size_t sharedContributions = 0;
  std::size_t end = 0;
};

ResidentMap residentMap(const ResidentSchedule& schedule, std::size_t rank, Precision precision);

/// Slots of a rank's first groups, which are kept in registers.
std::int32_t residentHeldSlots(const ResidentSchedule& schedule, std::size_t rank);

/// Shared memory that a rank needs, bytes.
struct ResidentBytes
{
  std::size_t nodes = 0; ///< and barriers
  std::size_t tables = 0;
  std::size_t values = 0;

  std::size_t total() const { return nodes + tables + values; }
};

ResidentBytes residentBytes(const ResidentSchedule& schedule, std::size_t rank, Precision precision);

/// Warps of a form that a multiprocessor has registers and places for.
std::int32_t residentWarps(const ResidentForm& form, const DeviceModel& device);

/// Shared memory that a thread block may have when so many share a multiprocessor, bytes.
std::size_t residentShare(const DeviceModel& device, std::int32_t together);

/// Compartments that a multiprocessor keeps in registers and shared memory where so many blocks share it, without their
/// tables and junctions.
std::size_t residentCapacity(const DeviceModel& device, Precision precision, std::int32_t together);

struct ResidentUnit
{
  std::uint32_t schedule = 0;
  std::size_t slotBegin = 0; ///< in the arrays of the plan's layout; a multiple of 16
  std::size_t cellBegin = 0; ///< its cells are ResidentPlan::cellOrder[cellBegin ...]
};

/// As a schedule: first every lane runs down its piece, in groups of 32, the groups of several thread blocks side by
/// side; one step is one compartment. Then the junctions are eliminated in rounds, one step each, in the lanes of the
/// first thread block; rounds that fit into a warp need no barrier between them. A device may run several groups one
/// after another in the same warp.
struct ResidentPlan final : Schedule
{
  ResidentParameters parameters;
  std::vector<ResidentSchedule> schedules;
  std::vector<ResidentUnit> units; ///< largest first
  std::vector<std::uint32_t> cellOrder;
  std::size_t slotCount = 0;

  std::string_view unitName() const override { return "block"; }
  std::size_t unitCount() const override { return units.size(); }
  LaneChart chart(std::size_t unit, LaneOrder order = LaneOrder::AsExecuted) const override;
  std::size_t kindOf(std::size_t unit) const override { return units[unit].schedule; }
  std::optional<std::size_t> unitOfCell(std::size_t cell) const override;
  bool dividesCells() const override { return true; }

protected:
  std::size_t paddingBytes() const override;
  std::size_t bytesMoved() const override;
};

/// Linear in the compartments of distinct shapes and in cells. Throws Error(BadParameter), Error(OutOfMemory),
/// Error(Cancelled).
std::shared_ptr<const ResidentPlan> makeResidentPlan(std::shared_ptr<const HinesBatch> batch,
                                                     const ResidentParameters& parameters = {},
                                                     const RunControl& control = {});

} // namespace hinesight::hines
