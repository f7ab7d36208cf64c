#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace hinesight {

/// What kind of expected failure happened. Stable: `errorCodeName` is what scripts read from --json.
enum class ErrorCode
{
  FileNotFound,
  FileUnreadable,
  BadFormat,
  BadParameter,
  NoDevice,
  OutOfMemory,
  Cancelled,
  WriteFailed,
  DeviceFailure,
  VerificationFailed,
  Unexpected, ///< a defect of this program
};

/// The code's name in lower camel case, such as "badParameter".
std::string_view errorCodeName(ErrorCode code);

/// Every expected failure: one sentence that says what is wrong where and what to do about it.
/// `file` is empty and `line` 0 where they do not apply. what() is "file:line: message", parts that are missing left
/// out.
class Error : public std::runtime_error
{
public:
  Error(ErrorCode code, std::string message, std::string file = {}, std::int64_t line = 0);

  ErrorCode code() const { return errorCode; }
  const std::string& message() const { return sentence; }
  const std::string& file() const { return path; }
  std::int64_t line() const { return lineNumber; }

private:
  ErrorCode errorCode;
  std::string sentence;
  std::string path;
  std::int64_t lineNumber;
};

} // namespace hinesight
