#include "app/cli/session.hpp"

#include "core/stage_timings.hpp"

#include <iostream>
#include <mutex>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>
#include <unistd.h>

namespace hinesight::cli {

/// One line on the terminal that says how far the work is. Callable from any thread.
class ProgressLine
{
public:
  void show(std::string_view stage, double fraction)
  {
    constexpr double kMillisecondsBetween = 100;
    const std::lock_guard lock(mutex);
    if (!onTerminal || sinceShown.elapsed() < kMillisecondsBetween)
      return;
    sinceShown.lap();
    std::cerr << "\r\033[K" << stage << ' ' << static_cast<int>(100 * fraction) << " %" << std::flush;
    shown = true;
  }

  void clear()
  {
    const std::lock_guard lock(mutex);
    if (shown)
      std::cerr << "\r\033[K" << std::flush;
    shown = false;
  }

private:
  std::mutex mutex;
  Stopwatch sinceShown;
  const bool onTerminal = ::isatty(STDERR_FILENO) == 1;
  bool shown = false;
};

Session::Session(std::string programName)
    : program(std::move(programName)), progress(std::make_shared<ProgressLine>()),
      runControl([line = progress](std::string_view stage, double fraction) { line->show(stage, fraction); })
{}

Session::~Session() = default;

std::ostream& Session::results()
{
  progress->clear();
  return std::cout;
}

std::ostream& Session::messages()
{
  progress->clear();
  return std::cerr;
}

namespace {

std::string errorJson(std::string_view code, const std::string& message, const std::string& file, std::int64_t line)
{
  const nlohmann::ordered_json document = {
      {"error", {{"code", code}, {"message", message}, {"file", file}, {"line", line}}}};
  return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace

void Session::printWarning(const std::string& sentence)
{
  messages() << program << ": warning: " << sentence << std::endl;
}

void Session::printError(const Error& error)
{
  if (json)
    messages() << errorJson(errorCodeName(error.code()), error.message(), error.file(), error.line()) << std::endl;
  else
    messages() << program << ": " << error.what() << std::endl;
}

void Session::printError(const char* code, const std::string& message)
{
  if (json)
    messages() << errorJson(code, message, {}, 0) << std::endl;
  else
    messages() << program << ": " << message << std::endl;
}

} // namespace hinesight::cli
