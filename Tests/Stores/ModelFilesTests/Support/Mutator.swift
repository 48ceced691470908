import Foundation
import TestSupport

@testable import ModelFiles

/// Damages data at random; equal seeds give equal damage.
struct Mutator {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func number(below end: Int) -> Int {
    end <= 0 ? 0 : Int.random(in: 0..<end, using: &random)
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }

  /// Returns a damaged copy of one of the inputs.
  mutating func damaged(_ inputs: [Data]) -> Data {
    var bytes = Array(pick(inputs))
    for _ in 0...number(below: 3) { damage(&bytes, others: inputs) }
    return Data(bytes)
  }

  private mutating func damage(_ bytes: inout [UInt8], others: [Data]) {
    guard !bytes.isEmpty else { return }
    let index = number(below: bytes.count)
    switch number(below: 9) {
    case 0: bytes.removeLast(bytes.count - index)
    case 1:
      for _ in 0...number(below: 8) { bytes[number(below: bytes.count)] ^= 1 << number(below: 8) }
    case 2:
      for _ in 0...number(below: 200) {
        bytes[number(below: bytes.count)] = UInt8(number(below: 256))
      }
    case 3: bytes.removeSubrange(index..<min(bytes.count, index + 1 + number(below: 64)))
    case 4:
      bytes.insert(
        contentsOf: (0...number(below: 32)).map { _ in UInt8(number(below: 256)) }, at: index)
    case 5:
      let other = Array(pick(others))
      let start = number(below: other.count)
      bytes.replaceSubrange(index..., with: other[start..<min(other.count, start + 4_096)])
    case 6:
      // The trailer of a binary property list, which contains its sizes.
      for _ in 0...number(below: 4) {
        let at = bytes.count - 1 - number(below: min(32, bytes.count))
        bytes[at] = pick([0, 1, 2, 4, 8, 127, 128, 255, UInt8(number(below: 256))])
      }
    case 7:
      // The offset table before the trailer.
      let at = max(0, bytes.count - 32 - number(below: min(4_096, bytes.count)))
      for step in at..<min(bytes.count, at + 8) { bytes[step] = UInt8(number(below: 256)) }
    default:
      // Object markers that are followed by a length.
      bytes[index] = pick([0x4F, 0x5F, 0x6F, 0xAF, 0xDF, 0x80, 0x13, 0x14])
    }
  }

  /// Returns an archive with some objects changed; it is still a readable property list.
  mutating func rewired(_ list: PropertyListValue) -> PropertyListValue {
    guard case .array(var objects)? = list["$objects"], case .dictionary(var all) = list,
      !objects.isEmpty
    else { return list }
    for _ in 0...number(below: 6) {
      let index = number(below: objects.count)
      objects[index] = changed(objects[index], count: objects.count)
    }
    all["$objects"] = .array(objects)
    return .dictionary(all)
  }

  private mutating func changed(_ value: PropertyListValue, count: Int) -> PropertyListValue {
    switch value {
    case .dictionary(var members):
      let key = members.keys.sorted()[safe: number(below: members.count)] ?? "$class"
      members[key] = number(below: 6) == 0 ? nil : changed(members[key] ?? .null, count: count)
      return .dictionary(members)
    case .array(var members) where !members.isEmpty:
      let index = number(below: members.count)
      switch number(below: 4) {
      case 0: members.remove(at: index)
      case 1: members += Array(repeating: members[index], count: number(below: 2_000))
      default: members[index] = changed(members[index], count: count)
      }
      return .array(members)
    case .uid:
      return pick([
        .uid(number(below: count)), .uid(0), .uid(count + 5), .string("x"), .integer(-1),
      ])
    case .integer:
      return pick([
        0, 1, -1, 100, 700, 1800, 2100, .integer(.max), .integer(.min), .unsigned(.max),
        .real(.nan),
      ])
    case .string(let text):
      return pick([
        .string(""), .string(text + text), .string("NSRelationshipDescription"), .null,
        .data(Data()),
      ])
    default: return pick([.null, .uid(number(below: count)), true, .date(.infinity), .real(1e300)])
    }
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
