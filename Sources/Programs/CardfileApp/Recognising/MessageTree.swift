import Foundation
import ObjectModel

/// Shows bytes as the fields of a protobuf message, which has no header: they are one if all of
/// them can be read as fields.
nonisolated enum MessageTree {
  private static let deepest = 20
  private static let mostFields = 10_000
  private static let longest = 16 << 20
  /// The largest number that a field of a known message has.
  private static let largestNumber: UInt64 = 20_000

  /// A field: its number and its value.
  private struct Field {
    let number: Int
    let content: ValueTree.Content
  }

  /// Returns the tree of a message; nil if the bytes are not one.
  static func tree(of data: Data) -> ValueTree? {
    guard data.count >= 2, data.count <= longest else { return nil }
    var budget = mostFields
    return node("", Array(data), depth: 0, budget: &budget)
  }

  private static func node(
    _ label: String, _ bytes: [UInt8], depth: Int, budget: inout Int
  ) -> ValueTree? {
    guard let fields = fields(bytes, depth: depth, budget: &budget) else { return nil }
    return ValueTree(
      label,
      .members("message", count: fields.count) {
        fields.map { ValueTree("\($0.number)", $0.content) }
      })
  }

  /// The fields of a message; nil if the bytes cannot all be read as fields.
  private static func fields(_ bytes: [UInt8], depth: Int, budget: inout Int) -> [Field]? {
    var reader = ByteReader(Data(bytes))
    var fields: [Field] = []
    while reader.left > 0 {
      budget -= 1
      guard budget >= 0, let key = reader.varint(), key >> 3 >= 1, key >> 3 <= largestNumber,
        let content = content(of: Int(key & 7), &reader, depth: depth, budget: &budget)
      else { return nil }
      fields.append(Field(number: Int(key >> 3), content: content))
    }
    return fields.isEmpty ? nil : fields
  }

  private static func content(
    of wireType: Int, _ reader: inout ByteReader, depth: Int, budget: inout Int
  ) -> ValueTree.Content? {
    switch wireType {
    case 0: return reader.varint().map { .plain("\($0)") }
    case 1:
      guard reader.left >= 8 else { return nil }
      let bits = reader.bytes[reader.offset..<reader.offset + 8].reversed()
        .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      reader.offset += 8
      return .plain("\(Double(bitPattern: bits))  (64 bits: \(bits))")
    case 5:
      guard let bits = reader.littleEndian(reader.offset, size: 4) else { return nil }
      reader.offset += 4
      return .plain("\(Float(bitPattern: UInt32(bits)))  (32 bits: \(bits))")
    case 2:
      guard let length = reader.varint(), length <= UInt64(reader.left) else { return nil }
      let part = Array(reader.bytes[reader.offset..<reader.offset + Int(length)])
      reader.offset += Int(length)
      return value(of: part, depth: depth, budget: &budget)
    default: return nil
    }
  }

  /// A value of a given length: a text, a message or bytes.
  private static func value(of bytes: [UInt8], depth: Int, budget: inout Int) -> ValueTree.Content {
    if let text = TextBytes.text(of: Data(bytes)) { return .text(text) }
    if depth < deepest, bytes.count >= 2,
      let node = node("", bytes, depth: depth + 1, budget: &budget)
    {
      return node.content
    }
    return .bytes(Data(bytes))
  }
}

/// Recognises bytes that are text.
nonisolated enum TextBytes {
  /// The text of bytes that are UTF-8 without control characters other than tabs and line breaks,
  /// or UTF-16 with a byte order mark; nil otherwise.
  static func text(of data: Data) -> String? {
    if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) {
      return String(data: data, encoding: .utf16)
    }
    let isText = data.withUnsafeBytes { bytes in
      bytes.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }
    return isText ? String(data: data, encoding: .utf8) : nil
  }
}
