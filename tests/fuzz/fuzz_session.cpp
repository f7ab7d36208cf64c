#include "fuzzing.hpp"
#include "model/session_file.hpp"

// Sessions. What was read is the same when it is written and read again; it may then be refused as a whole.

using namespace hinesight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  const std::string text(fuzz::textOf(bytes, size));
  return fuzz::attempt([&] {
    const auto textAgain = [](const std::string& session) {
      const model::ReadSession read = model::parseSession(session, "/folder", "a.hinesight");
      return model::sessionText(read.project, "/folder", read.view, read.runs);
    };
    const model::ReadSession read = model::parseSession(text, "/folder", "a.hinesight");
    const std::string written = model::sessionText(read.project, "/folder", read.view, read.runs);
    fuzz::whenAccepted(
        [&] { fuzz::require(textAgain(written) == written, "another session when written and read again"); });
    model::validate(read.project);
  });
}
