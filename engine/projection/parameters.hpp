#pragma once

#include "core/fields.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::projection {

class Population;

/// What the weight of a pair is a function of. d is the displacement from the source, moved by the offset, to the
/// destination: d = destination - source - offset; q = dx^2 + dy^2 + dz^2 its square, r = sqrt(q).
enum class KernelKind
{
  Gaussian,         ///< gain exp(-Q/2), Q = (u/sigma)^2 + (v/sigma-y)^2 + (dz/sigma-z)^2; (u, v) is d turned by angle
  WideningGaussian, ///< exp(-q / (2 sigma(y)^2)), sigma grows with the y of the source (James 2021; wideningSigma)
  Gabor,            ///< sine-gain sin(2 pi d'/wavelength) gain exp(-q / (2 sigma^2)), d' = d along the direction
  DifferenceOfGaussians, ///< gain exp(-q / (2 sigma^2)) - surround-gain exp(-q / (2 surround-sigma^2))
  Exponential,           ///< gain exp(-r / decay)
  OneToOne,              ///< gain where source and destination have the same index
  Nearest,               ///< gain where the destination is one of the `neighbours` nearest of the source, by q
  AllToAll,              ///< gain
  Expression             ///< what the user writes (expression.hpp)
};

inline constexpr Choice kKernels[] = {
    {"gaussian", "Gaussian", "A bell, round or elliptic."},
    {"widening-gaussian", "Widening Gaussian", "A bell that widens with the y of the source (James 2021)."},
    {"gabor", "Gabor", "A wave under a bell."},
    {"difference-of-gaussians", "Difference of Gaussians", "A bell less a wider one: centre and surround."},
    {"exponential", "Exponential", "Falls to 1/e over a distance."},
    {"one-to-one", "One to one", "Each source to the destination of the same index."},
    {"nearest", "Nearest neighbours", "Each source to the destinations that are nearest to it."},
    {"all-to-all", "All to all", "Every pair alike."},
    {"expression", "Expression", "A formula of your own."},
};
inline std::span<const Choice> tableOf(KernelKind)
{
  return kKernels;
}
inline std::string_view kernelName(KernelKind kind)
{
  return choiceName(kind);
}
/// Whether a kernel says which neurons are joined, all of them with one weight.
constexpr bool isJoin(KernelKind kind)
{
  return kind == KernelKind::OneToOne || kind == KernelKind::Nearest || kind == KernelKind::AllToAll;
}
/// Every kernel, in the order of the enumeration.
const std::vector<KernelKind>& allKernels();

/// How the kernel's value becomes a row of the table.
enum class ConnectionRule
{
  Weighted, ///< the value is the weight
  Random    ///< the value is the probability of a connection of weight `random-weight`
};

inline constexpr Choice kConnectionRules[] = {
    {"weighted", "The weight", "A pair has a row where |value| is above the threshold."},
    {"random", "A probability", "The value is the probability of a connection with the random weight."},
};
inline std::span<const Choice> tableOf(ConnectionRule)
{
  return kConnectionRules;
}

/// Everything that defines a projection but its populations. Lengths in the unit of the populations; visitFields has
/// names, units and ranges. Parameters that the chosen kernel and rule do not use are ignored.
struct ProjectionParameters
{
  KernelKind kernel = KernelKind::WideningGaussian;

  double sigma = 5;           ///< Gaussian (along u), Gabor, difference of Gaussians (centre)
  double sigmaY = 0;          ///< Gaussian: along v, 0 for sigma
  double sigmaZ = 0;          ///< Gaussian: along z, 0 for sigma
  double angle = 0;           ///< Gaussian: degrees from the x axis to u
  double gain = 1;            ///< all but widening Gaussian and expression
  double sigmaM = 100;        ///< widening Gaussian: how fast it widens
  double e2 = 2.5;            ///< widening Gaussian: E2 of the magnification
  double sigma0 = 3;          ///< widening Gaussian: sigma where it is narrowest
  double fshift = 4;          ///< widening Gaussian: 1 + y from where on it widens
  double fieldSize = 0;       ///< widening Gaussian: d of the magnification, 0 for the grid's number of rows
  double wavelength = 6;      ///< Gabor
  double sineGain = 1;        ///< Gabor
  double direction = 0;       ///< Gabor: degrees
  double region = 0;          ///< Gabor: |dx|, |dy|, |dz| at most so much, 0 for no limit
  double surroundSigma = 8;   ///< difference of Gaussians
  double surroundGain = 0.5;  ///< difference of Gaussians
  double decay = 5;           ///< exponential
  int neighbours = 1;         ///< nearest: destinations of a source; of equally near ones those of lower index
  std::string expression;     ///< expression
  double expressionReach = 0; ///< expression: pairs further apart (r) have no row, 0 for no limit

  ConnectionRule rule = ConnectionRule::Weighted;
  double randomWeight = 1;
  std::uint64_t seed = 1;

  double offsetX = 0; ///< offset in phi
  double offsetY = 0; ///< offset in r
  double offsetZ = 0;
  double cut = 0.001;          ///< a pair has a row where |value| > cut
  double boxCut = 0;           ///< and |dx|, |dy|, |dz| are below so many sigmas; 0: not asked
  bool wrap = false;           ///< the destination is a torus: of all images of d, the shortest
  bool selfConnections = true; ///< false: no row for a neuron and itself (leavesSelfOut)
  double delay = 1;            ///< ms
  double velocity =
      0; ///< unit of length per ms, 0: none; the delay is delay + distance / velocity, distance without offset

  bool operator==(const ProjectionParameters&) const = default;
};

/// The greatest length, factor and time of projections: its square is far below the greatest double.
inline constexpr double kMostOfProjection = 1e12;

/// What a pair's weight is a function of, with the numbers of each kernel.
template <typename Visitor>
void visitKernelFields(ProjectionParameters& p, Visitor&& visit)
{
  constexpr double kMost = kMostOfProjection;
  const auto of = [&p](auto... kernels) { return ((p.kernel == kernels) || ...); };
  using Kernel = KernelKind;
  visit(Field{.name = "kernel",
              .label = "Kernel",
              .help = "How the weight of a pair depends on its neurons.",
              .detail =
                  "Kernels are functions of the displacement from the source, moved by the offset, to the destination.",
              .section = {"Kernel", "The weight of a pair, by where its neurons are"}},
        p.kernel);
  visit(Field{.name = "expression",
              .label = "Formula",
              .help =
                  "The weight as a formula in dx, dy, dz, r, the coordinates xs, ys, zs of the source and xd, yd, zd "
                  "of the destination.",
              .detail = "Such as exp(-r / 5)."}
            .onlyWhen(of(Kernel::Expression)),
        p.expression);
  visit(
      Field{.name = "sigma",
            .label = "Sigma",
            .range = above(0, kMost),
            .slider = {0.5, 50, true},
            .help = "Width of a Gaussian (along its first axis), a Gabor, or the centre of a difference of Gaussians.",
            .detail = "A length, in the populations' unit: the standard deviation. A Gaussian weighs a neuron at the "
                      "distance d by exp(-d² / (2 sigma²)): 0.61 at one sigma, 0.14 at two."}
          .onlyWhen(of(Kernel::Gaussian, Kernel::Gabor, Kernel::DifferenceOfGaussians)),
      p.sigma);
  visit(Field{.name = "sigma-y",
              .label = "Sigma y",
              .range = from(0, kMost),
              .slider = {0, 50},
              .special = {0, "sigma"},
              .help = "Width of a Gaussian along its second axis.",
              .detail = "A length, in the populations' unit."}
            .onlyWhen(of(Kernel::Gaussian)),
        p.sigmaY);
  visit(Field{.name = "sigma-z",
              .label = "Sigma z",
              .range = from(0, kMost),
              .slider = {0, 50},
              .special = {0, "sigma"},
              .help = "Width of a Gaussian along z.",
              .detail = "A length, in the populations' unit."}
            .onlyWhen(of(Kernel::Gaussian)),
        p.sigmaZ);
  visit(Field{.name = "angle",
              .label = "Angle",
              .unit = "°",
              .range = from(-360, 360),
              .slider = {-180, 180},
              .help = "Angle from the x axis to the first axis of a Gaussian."}
            .onlyWhen(of(Kernel::Gaussian)),
        p.angle);
  visit(Field{.name = "gain",
              .label = "Gain",
              .range = from(-kMost, kMost),
              .slider = {-2, 2},
              .help = "Factor of the kernel, negative for inhibition."}
            .onlyWhen(!of(Kernel::WideningGaussian, Kernel::Expression)),
        p.gain);
  visit(Field{.name = "sigma-m",
              .label = "Sigma m",
              .range = from(0, kMost),
              .slider = {1, 500, true},
              .help = "How fast a widening Gaussian widens with the y of the source.",
              .detail = "A length, in the populations' unit (James 2021)."}
            .onlyWhen(of(Kernel::WideningGaussian)),
        p.sigmaM);
  visit(Field{.name = "e2",
              .label = "E2",
              .range = above(0, kMost),
              .slider = {0.1, 20, true},
              .help = "E2 of the magnification of a widening Gaussian.",
              .detail = "A length, in the populations' unit (James 2021)."}
            .onlyWhen(of(Kernel::WideningGaussian)),
        p.e2);
  visit(Field{.name = "sigma-0",
              .label = "Sigma 0",
              .range = above(0, kMost),
              .slider = {0.2, 20, true},
              .help = "Width of a widening Gaussian where it is narrowest.",
              .detail = "A length, in the populations' unit (James 2021)."}
            .onlyWhen(of(Kernel::WideningGaussian)),
        p.sigma0);
  visit(Field{.name = "fshift",
              .label = "Fshift",
              .range = from(0, kMost),
              .slider = {0, 30},
              .help = "Value of 1 + y from which on a widening Gaussian widens.",
              .detail = "A length, in the populations' unit (James 2021)."}
            .onlyWhen(of(Kernel::WideningGaussian)),
        p.fshift);
  visit(Field{.name = "field-size",
              .label = "Field size",
              .range = from(0, kMost),
              .slider = {0, 500},
              .special = {0, "grid's rows"},
              .help = "d of the magnification of a widening Gaussian.",
              .detail = "A length, in the populations' unit. Without it the rows of the source's grid are counted."}
            .onlyWhen(of(Kernel::WideningGaussian)),
        p.fieldSize);
  visit(Field{.name = "wavelength",
              .label = "Wavelength",
              .range = above(0, kMost),
              .slider = {1, 50, true},
              .help = "Wavelength of the sine of a Gabor.",
              .detail = "A length, in the populations' unit."}
            .onlyWhen(of(Kernel::Gabor)),
        p.wavelength);
  visit(Field{.name = "sine-gain",
              .label = "Sine gain",
              .range = from(-kMost, kMost),
              .slider = {-2, 2},
              .help = "Factor of the sine of a Gabor."}
            .onlyWhen(of(Kernel::Gabor)),
        p.sineGain);
  visit(Field{.name = "direction",
              .label = "Direction",
              .unit = "°",
              .range = from(-360, 360),
              .slider = {-180, 180},
              .help = "Direction of the sine of a Gabor, from the x axis."}
            .onlyWhen(of(Kernel::Gabor)),
        p.direction);
  visit(Field{.name = "region",
              .label = "Region",
              .range = from(0, kMost),
              .slider = {0, 50},
              .special = {0, "no limit"},
              .help = "Greatest distance along each axis at which a Gabor is not 0.",
              .detail = "A length, in the populations' unit."}
            .onlyWhen(of(Kernel::Gabor)),
        p.region);
  visit(Field{.name = "surround-sigma",
              .label = "Surround sigma",
              .range = above(0, kMost),
              .slider = {0.5, 50, true},
              .help = "Width of the surround of a difference of Gaussians.",
              .detail = "A length, in the populations' unit."}
            .onlyWhen(of(Kernel::DifferenceOfGaussians)),
        p.surroundSigma);
  visit(Field{.name = "surround-gain",
              .label = "Surround gain",
              .range = from(-kMost, kMost),
              .slider = {-2, 2},
              .help = "Factor of the surround of a difference of Gaussians."}
            .onlyWhen(of(Kernel::DifferenceOfGaussians)),
        p.surroundGain);
  visit(Field{.name = "decay",
              .label = "Decay",
              .range = above(0, kMost),
              .slider = {0.5, 50, true},
              .help = "Distance over which an exponential falls to 1/e.",
              .detail = "A length, in the populations' unit."}
            .onlyWhen(of(Kernel::Exponential)),
        p.decay);
  visit(Field{.name = "neighbours",
              .label = "Neighbours",
              .range = from(1, 1'000'000),
              .slider = {1, 100, true},
              .help = "How many destinations each source connects to: those nearest to it.",
              .detail = "1 is the nearest neighbour. Distances are measured from the source moved by the offset, on "
                        "the torus where there is one. Of equally near destinations, those of lower index are taken."}
            .onlyWhen(of(Kernel::Nearest)),
        p.neighbours);
  visit(Field{.name = "expression-reach",
              .label = "Expression reach",
              .range = from(0, kMost),
              .slider = {0, 100},
              .special = {0, "no limit"},
              .help = "Greatest distance at which a formula has a row.",
              .detail = "A length, in the populations' unit. It bounds the pairs that are looked at: without it every "
                        "pair is."}
            .onlyWhen(of(Kernel::Expression)),
        p.expressionReach);
}

/// Which pairs have a row in the table.
template <typename Visitor>
void visitRowFields(ProjectionParameters& p, Visitor&& visit)
{
  constexpr double kMost = kMostOfProjection;
  const bool hasWidth = !isJoin(p.kernel) && p.kernel != KernelKind::Expression;
  const bool isRandom = p.rule == ConnectionRule::Random;
  visit(Field{.name = "cut",
              .label = "Weight threshold",
              .range = from(0, kMost),
              .slider = {0, 0.2},
              .help = "A pair has a row where the absolute value of the kernel is above this threshold.",
              .section = {"Rows", "Which pairs have a row in the table"}},
        p.cut);
  visit(Field{.name = "box-cut",
              .label = "Box limit",
              .unit = "sigmas",
              .range = from(0, kMost),
              .slider = {0, 6},
              .special = {0, "no limit"},
              .help = "A pair has a row only within this many widths of the kernel along each axis."}
            .onlyWhen(hasWidth),
        p.boxCut);
  visit(Field{.name = "rule",
              .label = "Value is",
              .help = "What the kernel's value means.",
              .detail = "As a probability it is compared with a random number of the pair, the same on every machine."},
        p.rule);
  visit(Field{.name = "random-weight",
              .label = "Random weight",
              .range = from(-kMost, kMost),
              .slider = {-2, 2},
              .help = "Weight of a random connection."}
            .onlyWhen(isRandom),
        p.randomWeight);
  visit(Field{.name = "seed",
              .label = "Seed",
              .range = from(0, kBoundless),
              .slider = {0, 100},
              .help = "Seed of the random connections.",
              .detail = "The same seed gives the same rows on every machine."}
            .onlyWhen(isRandom),
        p.seed);
  visit(Field{.name = "self-connections",
              .label = "Self",
              .help = "Rows from a neuron to itself.",
              .detail = "Without them a population that projects to itself has no connection of a neuron to itself.",
              .former = "self"},
        p.selfConnections);
}

/// Where the kernel lies, and how late the connections are.
template <typename Visitor>
void visitPlacementFields(ProjectionParameters& p, Visitor&& visit)
{
  constexpr double kMost = kMostOfProjection;
  visit(Field{.name = "offset-phi",
              .label = "Offset phi",
              .range = from(-kMost, kMost),
              .slider = {-50, 50},
              .help = "Moves the projection along x.",
              .detail = "A length, in the populations' unit.",
              .section = {"Placement and delay", "Where the kernel lies, and the delays"}},
        p.offsetX);
  visit(Field{.name = "offset-r",
              .label = "Offset r",
              .range = from(-kMost, kMost),
              .slider = {-50, 50},
              .help = "Moves the projection along y.",
              .detail = "A length, in the populations' unit."},
        p.offsetY);
  visit(Field{.name = "offset-z",
              .label = "Offset z",
              .range = from(-kMost, kMost),
              .slider = {-50, 50},
              .help = "Moves the projection along z.",
              .detail = "A length, in the populations' unit."},
        p.offsetZ);
  visit(Field{.name = "wrap",
              .label = "Torus",
              .help = "Opposite edges of the destination meet.",
              .detail = "The shortest of all images of a displacement counts."},
        p.wrap);
  visit(Field{.name = "delay",
              .label = "Delay",
              .unit = "ms",
              .range = from(0, kMost),
              .slider = {0, 20},
              .help = "Delay of every connection."},
        p.delay);
  visit(Field{.name = "velocity",
              .label = "Velocity",
              .range = from(0, kMost),
              .slider = {0, 10},
              .special = {0, "none"},
              .help = "Adds distance / velocity to the delay.",
              .detail = "In the populations' unit of length per ms. The distance is that of the neurons, without the "
                        "offset."},
        p.velocity);
}

template <typename Visitor>
void visitFields(ProjectionParameters& p, Visitor&& visit)
{
  visitKernelFields(p, visit);
  visitRowFields(p, visit);
  visitPlacementFields(p, visit);
}

/// Throws Error(BadParameter) that names the parameter, its value and its range: those that apply are looked at, and
/// the expression is parsed.
void validate(const ProjectionParameters& parameters);

/// The same, and what depends on the populations: a box that closes to a torus, the size of the field.
void validate(const ProjectionParameters& parameters, const Population& source, const Population& destination);

/// Whether every pair has a row, wherever its neurons are.
bool keepsEveryPair(const ProjectionParameters& parameters);

/// Whether without a cut every pair would have a row although the kernel falls off: what a user rarely wants.
bool needsCut(const ProjectionParameters& parameters);

/// Every parameter that applies: what files carry.
std::vector<Setting> describe(const ProjectionParameters& parameters);

/// Of the widening Gaussian for a source at `y` (James 2021, code A): sigma-m/M(y) - sigma-m/M(f) + sigma-0 with
/// M(y) = d / (e2 ln((1 + y)/(2 e2) + 1)) and 1 + y taken as f = fshift where it is less.
double wideningSigma(const ProjectionParameters& parameters, double fieldSize, double y);

} // namespace hinesight::projection
