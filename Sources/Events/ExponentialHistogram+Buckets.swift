// Which bucket a value is in, and what stands for a bucket, in whole numbers: a logarithm would cost more than all else
// that is done for a value, and would err at the bounds.

import Citation

extension ExponentialHistogram {
  /// Of values from 1 to 2^63 - 1.
  package static let buckets = -1..<504

  /// 2^(k/8) in units of 2^-63, rounded down, k from 1 on. None of them is whole, so that a value in those units, which is,
  /// is above one exactly if it is above the number here. In the last eighth of an octave there is none.
  private static let bounds: [8 of UInt64] = [
    0x8B95_C1E3_EA8B_D6E6, 0x9837_F051_8DB8_A96F, 0xA5FE_D6A9_B151_38EA, 0xB504_F333_F9DE_6484,
    0xC567_2A11_5506_DADD, 0xD744_FCCA_D69D_6AF4, 0xEAC0_C6E7_DD24_392E, .max,
  ]

  /// What errs least on either side of a bucket, the harmonic mean of its bounds: 2^(k/8) · 2g/(1+g) in units of 2^-63, k
  /// from 0 on and g = 2^(1/8). It is 4.4 % from both.
  private static let middles: [8 of UInt64] = [
    0x858A_AD93_2058_AA15, 0x91A0_D634_B4BF_03B9, 0x9ECF_0A6E_66B2_4F26, 0xAD2E_A2E4_FBF0_22AE,
    0xBCDB_4382_F7CC_A65A, 0xCDF3_109F_B241_0F60, 0xE096_E8F5_FAF9_C688, 0xF4EA_A4D9_BF4E_ABD5,
  ]

  /// The one i with 2^(i/8) < value ≤ 2^((i+1)/8), for a value above 0.
  ///
  /// Of the eight equal parts of an octave, each but the last has exactly one bound of a bucket inside, and the part says
  /// which: it takes one comparison.
  @inline(__always)
  package static func bucket(of value: UInt64) -> Int {
    let zeros = value.leadingZeroBitCount
    let scaled = value << UInt64(zeros)
    let part = Int(scaled >> 60) & 7
    let isAbove = scaled > bounds[part] ? 1 : 0
    // A power of two is the upper bound of the bucket before.
    let isBound = scaled == 1 << 63 ? 1 : 0
    return (63 - zeros) << 3 + part + isAbove - isBound
  }

  /// The whole number next to what stands for a bucket.
  static func middle(of bucket: Int) -> Int64 {
    // The only whole number in it.
    guard bucket >= 0 else { return 1 }
    let shift = UInt64(63 - bucket >> 3)
    let scaled = middles[bucket & 7]
    guard shift > 0 else { return .max }
    return Int64(clamping: scaled >> shift + (scaled >> (shift - 1)) & 1)
  }
}
