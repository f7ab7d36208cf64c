#include "core/files.hpp"
#include "core/text.hpp"
#include "morphology/swc.hpp"

#include <charconv>

namespace hinesight::morphology {

namespace {

void appendComment(std::string& text, const std::string& comment)
{
  text += '#';
  // A line end inside a comment would start a row: it starts another comment line instead.
  for (const char c : comment) {
    text += c == '\r' ? '\n' : c;
    if (c == '\n' || c == '\r')
      text += '#';
  }
  text += '\n';
}

void appendSample(std::string& text, const Morphology& morphology, std::size_t sample)
{
  appendText(text, morphology.id[sample]);
  text += ' ';
  appendText(text, morphology.type[sample]);
  for (const double real :
       {morphology.x[sample], morphology.y[sample], morphology.z[sample], morphology.radius[sample]}) {
    text += ' ';
    appendText(text, real);
  }
  text += ' ';
  const std::int32_t parent = morphology.parent[sample];
  appendText(text, parent < 0 ? std::int64_t{-1} : morphology.id[parent]);
  text += '\n';
}

} // namespace

void writeSwc(const Morphology& morphology, std::ostream& stream)
{
  constexpr std::size_t kFlushAt = std::size_t{1} << 20; // bytes
  std::string text;
  const auto flush = [&] {
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    text.clear();
  };
  for (const std::string& comment : morphology.comments)
    appendComment(text, comment);
  for (std::size_t sample = 0; sample < morphology.samples(); ++sample) {
    appendSample(text, morphology, sample);
    if (text.size() >= kFlushAt)
      flush();
  }
  flush();
}

void writeSwc(const Morphology& morphology, const std::filesystem::path& path)
{
  writeFileAtomically(path, [&](std::ostream& stream) { writeSwc(morphology, stream); });
}

} // namespace hinesight::morphology
