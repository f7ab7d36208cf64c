#include "io/runs/scaling_report.hpp"

#include "core/choices.hpp"
#include "core/files.hpp"
#include "io/fields.hpp"
#include "io/runs/run_record.hpp"

#include <array>
#include <cstdio>

namespace hinesight::scaling {

namespace {

std::string hexOf(std::uint64_t number)
{
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return text.data();
}

} // namespace

/// Every field with its name, for the writers of both formats.
template <typename Visitor>
void visitFields(const ScalingPoint& point, Visitor&& visit)
{
  visit("work", std::string(choiceName(point.work)));
  visit("scaling", std::string(choiceName(point.growth)));
  visit("ranks", point.ranks);
  visit("size", point.size);
  visit("amount", point.amount);
  visit("device", point.device);
  visit("ms", point.milliseconds.median);
  visit("lowerQuartileMs", point.milliseconds.lowerQuartile);
  visit("upperQuartileMs", point.milliseconds.upperQuartile);
  visit("exchangeMs", point.exchange);
  visit("oneRankMs", point.oneRank);
  visit("speedUp", point.speedUp());
  visit("efficiency", point.efficiency());
  visit("sameBytes", std::string(point.isSame ? "yes" : "no"));
  visit("hash", hexOf(point.hash));
}

} // namespace hinesight::scaling

namespace hinesight::io {

void writeScalingJson(std::span<const scaling::ScalingPoint> points, std::ostream& stream)
{
  writeJson("points", fieldTable(points), stream);
}

void writeScaling(std::span<const scaling::ScalingPoint> points, const std::filesystem::path& path)
{
  const bool asJson = isTimingsJson(path);
  writeFileAtomically(path, [&](std::ostream& stream) {
    if (asJson)
      writeScalingJson(points, stream);
    else
      writeCsv(fieldTable(points), stream);
  });
}

} // namespace hinesight::io
