import Foundation
import TestSupport

extension Data {
  /// The bytes, or their beginning, with up to three bits that are others.
  func damaged(using random: inout SeededGenerator) -> Data {
    var bytes =
      Bool.random(using: &random) ? self : prefix(Int.random(in: 0..<count, using: &random))
    for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
    }
    return bytes
  }
}
