#include "widgets/cells/morphology/tube_buffers.hpp"

#include "widgets/cells/morphology/tube_actor.hpp"

#include <vtkOpenGLState.h>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace hinesight::widgets {

namespace {

/// So many tubes are laid out for the device at once.
constexpr std::size_t kTubesOfUpload = 65'536;
constexpr std::size_t kTubesOfPart = 2 * kTubesOfUpload;

constexpr std::size_t kFloatsOfTube = 8; // its ends and their radii
constexpr std::array<std::size_t, kTubeUnits> kBytesOfTube{kFloatsOfTube * sizeof(float), 2 * sizeof(std::uint32_t),
                                                           sizeof(std::int32_t), 2 * sizeof(std::int32_t)};
constexpr std::array<GLenum, kTubeUnits> kFormats{GL_RGBA32F, GL_RGBA8, GL_R32I, GL_R32I};

/// The ends of the lines of a level that end in a part. Lines come in the order of the tubes that they end in.
std::span<const std::uint32_t> endsIn(const TubeBuffers::Part& part, const std::vector<std::uint32_t>& level)
{
  const auto firstFrom = [&level](std::size_t tube) {
    std::size_t low = 0;
    for (std::size_t high = level.size() / 2; low < high;) {
      const std::size_t middle = (low + high) / 2;
      if (level[2 * middle + 1] / 2 < tube)
        low = middle + 1;
      else
        high = middle;
    }
    return 2 * low;
  };
  const std::size_t begin = firstFrom(part.begin);
  return std::span(level).subspan(begin, firstFrom(part.end) - begin);
}

} // namespace

void TextureBuffer::make(QOpenGLExtraFunctions& gl, vtkOpenGLState& state, std::size_t unit, GLenum format)
{
  gl.glGenBuffers(1, &buffer);
  gl.glGenTextures(1, &texture);
  bind(gl, state, unit);
  gl.glBindBuffer(GL_TEXTURE_BUFFER, buffer);
  gl.glTexBuffer(GL_TEXTURE_BUFFER, format, buffer);
}

void TextureBuffer::bind(QOpenGLExtraFunctions& gl, vtkOpenGLState& state, std::size_t unit) const
{
  state.vtkglActiveTexture(static_cast<unsigned>(GL_TEXTURE0 + unit));
  gl.glBindTexture(GL_TEXTURE_BUFFER, texture);
}

void TextureBuffer::drop(QOpenGLExtraFunctions& gl)
{
  gl.glDeleteBuffers(1, &buffer);
  gl.glDeleteTextures(1, &texture);
  *this = {};
}

void TubeBuffers::setDrawing(std::shared_ptr<const TubeDrawing> next)
{
  const bool areSame =
      drawing && next && next->geometry == drawing->geometry && next->places.empty() == drawing->places.empty();
  drawing = std::move(next);
  const std::size_t tubes = drawing ? drawing->geometry->tubes() : 0;
  count = (tubes + kTubesOfPart - 1) / kTubesOfPart;
  made.resize(std::max(made.size(), count));
  for (std::size_t i = 0; i < count && !areSame; ++i) {
    made[i].begin = i * kTubesOfPart;
    made[i].end = std::min(tubes, (i + 1) * kTubesOfPart);
    made[i].hasEnds = false;
  }
  nextPart = nextTube = 0;
}

std::size_t TubeBuffers::upload(QOpenGLExtraFunctions& gl, vtkOpenGLState& state, bool all)
{
  bytes = 0;
  while (made.size() > count) {
    drop(&gl, made.back());
    made.pop_back();
  }
  while (hasToUpload()) {
    takeStep(gl, state);
    if (!all)
      break;
  }
  return bytes;
}

void TubeBuffers::release(QOpenGLExtraFunctions* gl)
{
  for (Part& part : made)
    drop(gl, part);
  nextPart = nextTube = 0;
}

void TubeBuffers::drop(QOpenGLExtraFunctions* gl, Part& part)
{
  if (gl) {
    for (TextureBuffer& unit : part.units)
      unit.drop(*gl);
    gl->glDeleteBuffers(static_cast<GLsizei>(part.levels.size()), part.levels.data());
  }
  part.units = {};
  part.levels.clear();
  part.hasEnds = false;
}

void TubeBuffers::bind(QOpenGLExtraFunctions& gl, vtkOpenGLState& state, const Part& part)
{
  for (std::size_t unit = 0; unit < kTubeUnits; ++unit)
    part.units[unit].bind(gl, state, unit);
}

void TubeBuffers::drawLines(QOpenGLExtraFunctions& gl, const Part& part, int level)
{
  if (level < 0 || static_cast<std::size_t>(level) >= part.levels.size()) {
    gl.glDrawArrays(GL_LINES, 0, static_cast<GLsizei>(2 * part.tubes()));
    return;
  }
  gl.glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, part.levels[static_cast<std::size_t>(level)]);
  gl.glDrawElements(GL_LINES, part.endsOfLevel[static_cast<std::size_t>(level)], GL_UNSIGNED_INT, nullptr);
}

void TubeBuffers::takeStep(QOpenGLExtraFunctions& gl, vtkOpenGLState& state)
{
  Part& part = made[nextPart];
  if (part.hasEnds) {
    fillColors(gl, part, part.begin, part.end);
    fillGuestColors(gl, part);
    ++nextPart;
    return;
  }
  const std::size_t from = std::max(nextTube, part.begin);
  if (from == part.begin)
    makeRoom(gl, state, part);
  nextTube = std::min(from + kTubesOfUpload, part.end);
  fillEnds(gl, part, from, nextTube);
  fillColors(gl, part, from, nextTube);
  if (nextTube < part.end)
    return;
  fillGuests(gl, part);
  fillLevels(gl, part);
  part.hasEnds = true;
  ++nextPart;
}

void TubeBuffers::makeRoom(QOpenGLExtraFunctions& gl, vtkOpenGLState& state, Part& part)
{
  part.guests = guestsOf(part);
  for (std::size_t unit = 0; unit < kTubeUnits; ++unit) {
    TextureBuffer& room = part.units[unit];
    if (room.buffer == 0)
      room.make(gl, state, unit, kFormats[unit]);
    if (unit == TubePlaces && drawing->places.empty())
      continue;
    const std::size_t size = kBytesOfTube[unit] * (part.tubes() + part.guests.size());
    gl.glBindBuffer(GL_TEXTURE_BUFFER, room.buffer);
    gl.glBufferData(GL_TEXTURE_BUFFER, static_cast<GLsizeiptr>(size), nullptr, GL_STATIC_DRAW);
    bytes += size;
  }
}

/// `place`: of the first one in the buffer.
template <typename Value>
void TubeBuffers::fill(QOpenGLExtraFunctions& gl, const TextureBuffer& into, std::size_t place,
                       std::span<const Value> values)
{
  if (values.empty())
    return;
  gl.glBindBuffer(GL_TEXTURE_BUFFER, into.buffer);
  gl.glBufferSubData(GL_TEXTURE_BUFFER, static_cast<GLintptr>(sizeof(Value) * place),
                     static_cast<GLsizeiptr>(values.size_bytes()), values.data());
  bytes += values.size_bytes();
}

/// Calls `visit` with each unit that other colours may change, its values, and how many of these a tube has.
template <typename Visit>
void TubeBuffers::forColors(Visit visit) const
{
  visit(TubeColors, drawing->colors, std::size_t{2});
  visit(TubePlaces, drawing->places, std::size_t{2});
  visit(TubeBranches, drawing->branches, std::size_t{1});
}

void TubeBuffers::fillColors(QOpenGLExtraFunctions& gl, const Part& part, std::size_t from, std::size_t to)
{
  forColors([&](TubeUnit unit, const auto& all, std::size_t ofTube) {
    if (!all.empty())
      fill(gl, part.units[unit], ofTube * (from - part.begin),
           std::span(all).subspan(ofTube * from, ofTube * (to - from)));
  });
}

void TubeBuffers::fillGuestColors(QOpenGLExtraFunctions& gl, const Part& part)
{
  forColors([&](TubeUnit unit, const auto& all, std::size_t ofTube) {
    if (all.empty())
      return;
    std::remove_cvref_t<decltype(all)> ofGuests;
    for (const std::size_t tube : part.guests)
      for (std::size_t i = 0; i < ofTube; ++i)
        ofGuests.push_back(all[ofTube * tube + i]);
    fill(gl, part.units[unit], ofTube * part.tubes(), std::span(std::as_const(ofGuests)));
  });
}

void TubeBuffers::addEnds(std::vector<float>& to, std::size_t tube) const
{
  const TubeGeometry& geometry = *drawing->geometry;
  to.insert(to.end(), &geometry.endA[3 * tube], &geometry.endA[3 * tube] + 3);
  to.push_back(geometry.radiusA[tube]);
  to.insert(to.end(), &geometry.endB[3 * tube], &geometry.endB[3 * tube] + 3);
  to.push_back(geometry.radiusB[tube]);
}

void TubeBuffers::fillEnds(QOpenGLExtraFunctions& gl, const Part& part, std::size_t from, std::size_t to)
{
  std::vector<float> ends;
  ends.reserve(kFloatsOfTube * (to - from));
  for (std::size_t tube = from; tube < to; ++tube)
    addEnds(ends, tube);
  fill(gl, part.units[TubeEnds], kFloatsOfTube * (from - part.begin), std::span(std::as_const(ends)));
}

void TubeBuffers::fillGuests(QOpenGLExtraFunctions& gl, const Part& part)
{
  std::vector<float> ends;
  for (const std::size_t tube : part.guests)
    addEnds(ends, tube);
  fill(gl, part.units[TubeEnds], kFloatsOfTube * part.tubes(), std::span(std::as_const(ends)));
  fillGuestColors(gl, part);
}

std::vector<std::uint32_t> TubeBuffers::guestsOf(const Part& part) const
{
  std::vector<std::uint32_t> guests;
  for (const std::vector<std::uint32_t>& level : drawing->lines)
    for (const std::uint32_t end : endsIn(part, level))
      if (end / 2 < part.begin)
        guests.push_back(end / 2);
  std::ranges::sort(guests);
  guests.erase(std::ranges::unique(guests).begin(), guests.end());
  return guests;
}

void TubeBuffers::fillLevels(QOpenGLExtraFunctions& gl, Part& part)
{
  const auto numberIn = [&part](std::uint32_t end) {
    const std::uint32_t tube = end / 2;
    const auto place = tube >= part.begin
                           ? tube - part.begin
                           : part.tubes() + static_cast<std::size_t>(std::ranges::lower_bound(part.guests, tube) -
                                                                     part.guests.begin());
    return static_cast<std::uint32_t>(2 * place + end % 2);
  };
  gl.glDeleteBuffers(static_cast<GLsizei>(part.levels.size()), part.levels.data());
  part.levels.resize(drawing->lines.size());
  part.endsOfLevel.clear();
  gl.glGenBuffers(static_cast<GLsizei>(part.levels.size()), part.levels.data());
  for (std::size_t level = 0; level < part.levels.size(); ++level) {
    std::vector<std::uint32_t> ends;
    for (const std::uint32_t end : endsIn(part, drawing->lines[level]))
      ends.push_back(numberIn(end));
    gl.glBindBuffer(GL_ARRAY_BUFFER, part.levels[level]);
    gl.glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(sizeof(std::uint32_t) * ends.size()), ends.data(),
                    GL_STATIC_DRAW);
    bytes += sizeof(std::uint32_t) * ends.size();
    part.endsOfLevel.push_back(static_cast<GLsizei>(ends.size()));
  }
  gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
}

} // namespace hinesight::widgets
