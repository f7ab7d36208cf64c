#pragma once

namespace hinesight::tests {

/// How many times as long as usual a test waits before it gives up: 1, or more where sanitizers slow programs down.
inline constexpr int kSlowness = HINESIGHT_TEST_SLOWNESS;

} // namespace hinesight::tests
