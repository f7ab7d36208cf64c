#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
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
  AllToAll,              ///< gain
  Expression             ///< what the user writes (expression.hpp)
};

/// "gaussian", "widening-gaussian", "gabor", "difference-of-gaussians", "exponential", "one-to-one", "all-to-all",
/// "expression": also the names on the command line and in files.
std::string_view kernelName(KernelKind kind);
/// Every kernel, in the order of the enumeration.
const std::vector<KernelKind>& allKernels();

/// How the kernel's value becomes a row of the table.
enum class ConnectionRule
{
  Weighted, ///< the value is the weight
  Random    ///< the value is the probability of a connection of weight `random-weight`
};

/// "weighted", "random".
std::string_view ruleName(ConnectionRule rule);

/// Everything that defines a projection but its populations. Lengths in the unit of the populations; visitParameters
/// has names, units and ranges. Parameters that the chosen kernel does not use are ignored.
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

/// The name of a parameter on the command line and in files, what it is, its unit ("" for none, "length" for the
/// populations' unit), its range and the kernels that use it.
struct ParameterInfo
{
  const char* name;
  const char* help;
  const char* unit;
  double least;
  double greatest;
  bool above;       ///< the value must be above `least`, not equal to it
  unsigned kernels; ///< bit 1 << kernel
};

constexpr unsigned kEveryKernel = ~0u;
constexpr unsigned kernelBit(KernelKind kind)
{
  return 1u << static_cast<unsigned>(kind);
}

/// Calls visit(ParameterInfo, field) for every number (double) of the parameters, in the order in which they are shown.
/// The one list that validation, command line, panels and the files' metadata go by.
template <typename Parameters, typename Visitor>
void visitParameters(Parameters& p, Visitor&& visit)
{
  constexpr double kMost = 1e12;
  constexpr unsigned kGaussian = kernelBit(KernelKind::Gaussian);
  constexpr unsigned kWidening = kernelBit(KernelKind::WideningGaussian);
  constexpr unsigned kGabor = kernelBit(KernelKind::Gabor);
  constexpr unsigned kDifference = kernelBit(KernelKind::DifferenceOfGaussians);
  constexpr unsigned kExponential = kernelBit(KernelKind::Exponential);
  constexpr unsigned kExpression = kernelBit(KernelKind::Expression);
  constexpr unsigned kGain = ~(kWidening | kExpression);
  constexpr unsigned kWithWidth = kGaussian | kWidening | kGabor | kDifference | kExponential;
  using Info = ParameterInfo;
  visit(Info{"sigma", "Width of the kernel, of its centre, or along its first axis", "length", 0, kMost, true,
             kGaussian | kGabor | kDifference},
        p.sigma);
  visit(Info{"sigma-y", "Width along the second axis, 0 for sigma", "length", 0, kMost, false, kGaussian}, p.sigmaY);
  visit(Info{"sigma-z", "Width along z, 0 for sigma", "length", 0, kMost, false, kGaussian}, p.sigmaZ);
  visit(Info{"angle", "From the x axis to the first axis", "degrees", -360, 360, false, kGaussian}, p.angle);
  visit(Info{"gain", "Factor of the kernel, negative for inhibition", "", -kMost, kMost, false, kGain}, p.gain);
  visit(Info{"sigma-m", "How fast the kernel widens with the y of the source", "length", 0, kMost, false, kWidening},
        p.sigmaM);
  visit(Info{"e2", "E2 of the magnification", "length", 0, kMost, true, kWidening}, p.e2);
  visit(Info{"sigma-0", "Width where the kernel is narrowest", "length", 0, kMost, true, kWidening}, p.sigma0);
  visit(Info{"fshift", "1 + y from where on the kernel widens", "length", 0, kMost, false, kWidening}, p.fshift);
  visit(Info{"field-size", "d of the magnification, 0 for the rows of the source's grid", "length", 0, kMost, false,
             kWidening},
        p.fieldSize);
  visit(Info{"wavelength", "Of the sine", "length", 0, kMost, true, kGabor}, p.wavelength);
  visit(Info{"sine-gain", "Factor of the sine", "", -kMost, kMost, false, kGabor}, p.sineGain);
  visit(Info{"direction", "In which the sine runs, from the x axis", "degrees", -360, 360, false, kGabor}, p.direction);
  visit(Info{"region", "Greatest distance along each axis, 0 for no limit", "length", 0, kMost, false, kGabor},
        p.region);
  visit(Info{"surround-sigma", "Width of the surround", "length", 0, kMost, true, kDifference}, p.surroundSigma);
  visit(Info{"surround-gain", "Factor of the surround", "", -kMost, kMost, false, kDifference}, p.surroundGain);
  visit(Info{"decay", "Distance over which the value falls to 1/e", "length", 0, kMost, true, kExponential}, p.decay);
  visit(Info{"expression-reach", "Greatest distance, 0 for no limit; bounds the pairs that are looked at", "length", 0,
             kMost, false, kExpression},
        p.expressionReach);
  visit(Info{"random-weight", "Weight of a random connection", "", -kMost, kMost, false, kEveryKernel}, p.randomWeight);
  visit(Info{"offset-phi", "Moves the projection along x", "length", -kMost, kMost, false, kEveryKernel}, p.offsetX);
  visit(Info{"offset-r", "Moves the projection along y", "length", -kMost, kMost, false, kEveryKernel}, p.offsetY);
  visit(Info{"offset-z", "Moves the projection along z", "length", -kMost, kMost, false, kEveryKernel}, p.offsetZ);
  visit(Info{"cut", "A pair has a row where |value| is above this", "", 0, kMost, false, kEveryKernel}, p.cut);
  visit(Info{"box-cut", "A pair has a row only within so many sigmas along each axis, 0 for no limit", "sigmas", 0,
             kMost, false, kWithWidth},
        p.boxCut);
  visit(Info{"delay", "Of every connection", "ms", 0, kMost, false, kEveryKernel}, p.delay);
  visit(
      Info{"velocity", "Adds distance / velocity to the delay, 0 for none", "length/ms", 0, kMost, false, kEveryKernel},
      p.velocity);
}

/// Throws Error(BadParameter) that names the parameter, its value and its range: those of the chosen kernel and those
/// of every kernel are looked at, and the expression is parsed.
void validate(const ProjectionParameters& parameters);

/// The same, and what depends on the populations: a box that closes to a torus, the size of the field.
void validate(const ProjectionParameters& parameters, const Population& source, const Population& destination);

/// Whether every pair has a row, wherever its neurons are.
bool keepsEveryPair(const ProjectionParameters& parameters);

/// Whether without a cut every pair would have a row although the kernel falls off: what a user rarely wants.
bool needsCut(const ProjectionParameters& parameters);

/// Every parameter that the kernel uses, by name, as text that reads back to the same value: what files carry.
std::vector<std::pair<std::string, std::string>> describe(const ProjectionParameters& parameters);

/// The shortest text that reads back to the same number.
std::string shortText(double value);

/// Of the widening Gaussian for a source at `y` (James 2021, code A): sigma-m/M(y) - sigma-m/M(f) + sigma-0 with
/// M(y) = d / (e2 ln((1 + y)/(2 e2) + 1)) and 1 + y taken as f = fshift where it is less.
double wideningSigma(const ProjectionParameters& parameters, double fieldSize, double y);

} // namespace hinesight::projection
