/// Ten bytes whose order is the order of numbers: the double nearest to the number, and what an
/// integer differs from it by.
///
/// Rounding keeps the order, so that numbers with different doubles are in their order, and those
/// with equal doubles in that of their differences.
struct NumberImage {
  private let double: UInt64
  private let difference: UInt16

  init(_ number: Int64) {
    let nearest = Double(number)
    self.init(nearest, difference: Int128(number) - Int128(nearest))
  }

  init(_ number: Double) { self.init(number, difference: 0) }

  private init(_ number: Double, difference: Int128) {
    let bits = (number + 0).bitPattern  // -0 is 0
    double = bits >> 63 == 1 ? ~bits : bits | 1 << 63
    self.difference = UInt16(0x8000 + Int(difference))
  }

  /// Writes the bytes.
  func append(to bytes: inout GrowingBuffer<UInt8>) {
    withUnsafeBytes(of: double.bigEndian) { bytes.append($0.assumingMemoryBound(to: UInt8.self)) }
    bytes.append(UInt8(difference >> 8))
    bytes.append(UInt8(difference & 0xFF))
  }
}
