#include "morphology/swc_numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace hinesight::morphology {

namespace {

std::string_view withoutPlus(std::string_view text)
{
  // std::from_chars refuses a leading plus; "+-1" must stay refused.
  if (text.size() > 1 && text[0] == '+' && (isDigit(text[1]) || text[1] == '.'))
    text.remove_prefix(1);
  return text;
}

/// Whether a decimal number that a double cannot hold is too large rather than too small.
bool overflows(std::string_view text)
{
  const std::size_t exponentMark = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, exponentMark);
  const std::size_t firstDigit = digits.find_first_of("123456789");
  if (firstDigit == std::string_view::npos)
    return false;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  double magnitude =
      firstDigit < point ? static_cast<double>(point - firstDigit) : -static_cast<double>(firstDigit - point);
  if (exponentMark != std::string_view::npos) {
    const std::string_view exponent = text.substr(exponentMark + 1);
    double value = 0;
    for (const char c : exponent)
      value = isDigit(c) ? std::min(value * 10 + (c - '0'), 1e18) : value;
    magnitude += exponent.starts_with('-') ? -value : value;
  }
  return magnitude > 0;
}

} // namespace

NumberStatus parseReal(std::string_view text, double& value)
{
  text = withoutPlus(text);
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || failure == std::errc::invalid_argument)
    return NumberStatus::NotANumber;
  if (failure == std::errc::result_out_of_range) {
    if (overflows(text))
      return NumberStatus::OutOfRange;
    value = text.starts_with('-') ? -0.0 : 0.0;
    return NumberStatus::Plain;
  }
  if (!std::isfinite(value))
    return NumberStatus::NotFinite;
  return std::abs(value) > kLargestLength ? NumberStatus::OutOfRange : NumberStatus::Plain;
}

NumberStatus parseWhole(std::string_view text, std::int64_t& value)
{
  text = withoutPlus(text);
  const char* last = text.data() + text.size();
  const auto [end, failure] = std::from_chars(text.data(), last, value);
  if (failure == std::errc{} && end == last)
    return NumberStatus::Plain;
  double real = 0;
  const NumberStatus status = parseReal(text, real);
  if (status == NumberStatus::NotANumber || status == NumberStatus::NotFinite)
    return status;
  if (failure == std::errc::result_out_of_range || status == NumberStatus::OutOfRange)
    return NumberStatus::OutOfRange;
  // "720575940661139073.000": the digits before the point are exact where the double is not.
  if (failure == std::errc{} && *end == '.' && std::all_of(end + 1, last, [](char c) { return c == '0'; }))
    return NumberStatus::WholeDecimal;
  if (real != std::floor(real))
    return NumberStatus::NotWhole;
  if (std::abs(real) > static_cast<double>(kLargestExactWhole))
    return NumberStatus::OutOfRange;
  value = static_cast<std::int64_t>(real);
  return NumberStatus::WholeDecimal;
}

} // namespace hinesight::morphology
