#pragma once

namespace hinesight {

/// Multiply-adds in double precision a second that the processor does with its widest vectors on so many threads (0:
/// all): the best of several loops of 5 ms that touch no memory. Without fused ones a multiplication and an addition
/// count as one.
double measureArithmeticRate(int threads = 0);

} // namespace hinesight
