#pragma once

namespace hinesight::cable {

/// A passive cable with sealed ends, into whose one end a current flows from t = 0 on (Rall 1969; Rallpack 1 is one).
struct SealedCable
{
  double length;              ///< um
  double diameter;            ///< um
  double axialResistivity;    ///< ohm m
  double membraneResistance;  ///< ohm m2
  double membraneCapacitance; ///< F/m2
  double rest;                ///< mV
  double current;             ///< nA

  double lengthConstant() const; ///< um
  double timeConstant() const;   ///< ms
  /// Of a cable without end, MOhm.
  double inputResistance() const;

  /// mV. `position`: um from the end with the current; `time`: ms.
  double voltage(double position, double time) const;
};

} // namespace hinesight::cable
