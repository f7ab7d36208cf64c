#include "core/error.hpp"

#include <utility>

namespace hinesight {

namespace {

std::string describe(const std::string& message, const std::string& file, std::int64_t line)
{
  if (file.empty())
    return message;
  return line > 0 ? file + ":" + std::to_string(line) + ": " + message : file + ": " + message;
}

} // namespace

std::string_view errorCodeName(ErrorCode code)
{
  switch (code) {
  case ErrorCode::FileNotFound:
    return "fileNotFound";
  case ErrorCode::FileUnreadable:
    return "fileUnreadable";
  case ErrorCode::BadFormat:
    return "badFormat";
  case ErrorCode::BadParameter:
    return "badParameter";
  case ErrorCode::NoDevice:
    return "noDevice";
  case ErrorCode::OutOfMemory:
    return "outOfMemory";
  case ErrorCode::Cancelled:
    return "cancelled";
  case ErrorCode::WriteFailed:
    return "writeFailed";
  case ErrorCode::DeviceFailure:
    return "deviceFailure";
  case ErrorCode::VerificationFailed:
    return "verificationFailed";
  case ErrorCode::Unexpected:
    return "unexpected";
  }
  return "unknown";
}

Error::Error(ErrorCode code, std::string message, std::string file, std::int64_t line)
    : std::runtime_error(describe(message, file, line)), errorCode(code), sentence(std::move(message)),
      path(std::move(file)), lineNumber(line)
{}

} // namespace hinesight
