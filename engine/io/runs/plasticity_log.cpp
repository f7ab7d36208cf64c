#include "io/runs/plasticity_log.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "io/csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <type_traits>
#include <vector>

namespace hinesight::io {

namespace {

/// "grown POOL,connected POOL" for every pool.
std::string poolColumns()
{
  std::string columns;
  for (const char* pool : synapse::kPoolNames)
    columns += std::string(",grown ") + pool + ",connected " + pool;
  return columns;
}

/// A number or a text.
template <typename Field>
void append(std::string& row, const Field& field)
{
  if constexpr (std::is_arithmetic_v<Field>)
    appendText(row, field);
  else
    row += field;
}

template <typename... Fields>
void addRow(std::string& rows, const Fields&... fields)
{
  const char* separator = "";
  ((rows += separator, append(rows, fields), separator = ","), ...);
}

/// Where the line that names the columns begins: behind the comments.
std::size_t columnsAt(std::string_view text)
{
  std::size_t at = 0;
  while (at < text.size() && text[at] == '#')
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  return at;
}

/// How much of the file is rows up to `step`, whole ones. `bytes` begins behind the columns.
std::size_t lengthUpTo(std::string_view bytes, std::uint32_t step)
{
  std::size_t kept = 0;
  for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n', kept)) {
    std::uint32_t rowStep = 0;
    const auto [stop, failure] = std::from_chars(bytes.data() + kept, bytes.data() + end, rowStep);
    if (failure != std::errc{} || *stop != ',' || rowStep > step)
      break;
    kept = end + 1;
  }
  return kept;
}

} // namespace

StepLog::StepLog(const std::filesystem::path& file, std::string_view head) : path(file)
{
  requireWritable(path);
  open(std::ios::trunc);
  write(std::string(head) + '\n');
}

StepLog::StepLog(const std::filesystem::path& file, std::string_view head, std::uint32_t step) : path(file)
{
  const std::string whole = std::string(head) + '\n';
  requireWritable(path);
  const std::string before = isThere(path) ? readFile(path) : std::string();
  // A file whose head was not even written yet has nothing to go on with.
  if (std::string_view(whole).starts_with(before)) {
    open(std::ios::trunc);
    write(whole);
    return;
  }
  const std::size_t columns = columnsAt(before);
  if (!std::string_view(before).substr(columns).starts_with(std::string_view(whole).substr(columnsAt(whole))))
    throw Error(ErrorCode::BadFormat, "has other columns than this run writes; name another file", path.string());
  const std::size_t rows = before.find('\n', columns) + 1;
  const std::size_t length = rows + lengthUpTo(std::string_view(before).substr(rows), step);
  std::error_code failure;
  std::filesystem::resize_file(path, length, failure);
  if (failure)
    throw Error(ErrorCode::WriteFailed, "cannot be shortened: " + failure.message(), path.string());
  open(std::ios::app);
}

void StepLog::open(std::ios::openmode mode)
{
  stream.open(path, std::ios::binary | std::ios::out | mode);
  requireGood();
}

void StepLog::write(std::string_view rows)
{
  stream.write(rows.data(), static_cast<std::streamsize>(rows.size()));
  requireGood();
}

void StepLog::flush()
{
  stream.flush();
  requireGood();
}

void StepLog::flushToDisk()
{
  flush();
  hinesight::flushToDisk(path);
}

void StepLog::requireGood() const
{
  if (!stream)
    throw Error(ErrorCode::WriteFailed, "cannot be written: the disk is full or the device failed", path.string());
}

void writeCheckpoint(const synapse::PlasticityModel& model, const std::filesystem::path& path,
                     std::span<StepLog* const> logs)
{
  for (StepLog* const log : logs)
    log->flushToDisk();
  synapse::writeCheckpoint(model, path);
}

std::string logHead(const synapse::PlasticityModel& model, std::string_view columns, const std::string& network)
{
  std::vector<Setting> settings = settingsOf(scienceOf(fieldsOf(model.parameters())));
  addMissing(settings, model.population().origin);
  if (!network.empty())
    settings.push_back({"network", network});
  return parameterComments(settings) + std::string(columns);
}

std::string_view recordColumns()
{
  static const std::string columns =
      "step,fired,enabled,least calcium,mean calcium,most calcium,target calcium" + poolColumns() + ",created,deleted";
  return columns;
}

std::string recordRow(const synapse::StepRecord& r)
{
  std::string row;
  addRow(row, r.step, r.fired, r.enabled, r.calcium.least, r.calcium.mean, r.calcium.most, r.target, r.grown[0],
         r.connected[0], r.grown[1], r.connected[1], r.grown[2], r.connected[2], r.created, r.deleted);
  return row + '\n';
}

std::string_view neuronColumns()
{
  static const std::string columns =
      "step,neuron,enabled,fired,membrane,recovery,calcium,target calcium" + poolColumns();
  return columns;
}

std::string neuronRows(std::uint32_t step, const synapse::NeuronState& s, std::span<const std::uint32_t> neurons)
{
  std::string rows;
  for (const std::uint32_t i : neurons) {
    addRow(rows, step, i, int{s.enabled[i]}, int{s.fired[i]}, s.membrane[i], s.recovery[i], s.calcium[i], s.target[i],
           s.grown[0][i], s.connected[0][i], s.grown[1][i], s.connected[1][i], s.grown[2][i], s.connected[2][i]);
    rows += '\n';
  }
  return rows;
}

std::string_view areaColumns()
{
  static const std::string columns = "step,area,neurons,fired,mean calcium" + poolColumns();
  return columns;
}

std::string areaRows(std::uint32_t step, const synapse::NeuronState& state, const synapse::NeuronPopulation& population)
{
  struct Area
  {
    std::uint64_t neurons = 0, fired = 0; // that are enabled
    double calcium = 0;
    std::array<double, 3> grown = {};
    std::array<std::uint64_t, 3> connected = {};
  };
  std::vector<Area> areas(population.areaNames.size());
  for (std::size_t i = 0; i < population.size(); ++i) {
    if (state.enabled[i] == 0)
      continue;
    Area& area = areas[population.area[i]];
    ++area.neurons;
    area.fired += state.fired[i];
    area.calcium += state.calcium[i];
    for (std::size_t pool = 0; pool < area.grown.size(); ++pool) {
      area.grown[pool] += state.grown[pool][i];
      area.connected[pool] += state.connected[pool][i];
    }
  }
  std::string rows;
  for (std::size_t i = 0; i < areas.size(); ++i) {
    const Area& a = areas[i];
    const double mean = a.neurons > 0 ? a.calcium / static_cast<double>(a.neurons) : 0;
    addRow(rows, step, quoteCsv(population.areaNames[i]), a.neurons, a.fired, mean, a.grown[0], a.connected[0],
           a.grown[1], a.connected[1], a.grown[2], a.connected[2]);
    rows += '\n';
  }
  return rows;
}

} // namespace hinesight::io
