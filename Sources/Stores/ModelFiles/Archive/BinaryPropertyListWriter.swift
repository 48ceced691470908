package import Foundation

extension PropertyListValue {
  /// Returns the value as a binary property list (`bplist00`).
  ///
  /// Equal strings, numbers and data are written once, and keys are sorted by their UTF-8 bytes, so
  /// that the same value always gives the same bytes.
  package func binaryPropertyList() -> Data {
    var writer = BinaryPropertyListWriter()
    let top = writer.index(of: self)
    return writer.data(top: top)
  }
}

/// Collects the objects of a binary property list.
private struct BinaryPropertyListWriter {
  private enum Object {
    case leaf([UInt8])
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private var objects: [Object] = []
  /// The indexes of leaves by their encoded bytes, because canonically equivalent strings, and 0
  /// and -0, are equal as values.
  private var leaves: [[UInt8]: Int] = [:]

  /// Adds a value and returns its index; a container comes before its members.
  mutating func index(of value: PropertyListValue) -> Int {
    switch value {
    case .array(let values):
      let index = add(.array([]))
      objects[index] = .array(values.map { self.index(of: $0) })
      return index
    case .dictionary(let values):
      let index = add(.dictionary(keys: [], values: []))
      let sorted = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      let keys = sorted.map { self.index(of: .string($0.key)) }
      objects[index] = .dictionary(keys: keys, values: sorted.map { self.index(of: $0.value) })
      return index
    default:
      var output = Output()
      output.write(value)
      if let index = leaves[output.bytes] { return index }
      let index = add(.leaf(output.bytes))
      leaves[output.bytes] = index
      return index
    }
  }

  private mutating func add(_ object: Object) -> Int {
    objects.append(object)
    return objects.count - 1
  }

  func data(top: Int) -> Data {
    var output = Output(bytes: Array("bplist00".utf8))
    let size = Self.size(of: objects.count)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(output.bytes.count)
      switch object {
      case .leaf(let bytes): output.bytes += bytes
      case .array(let indexes):
        output.marker(0xA0, count: indexes.count)
        for index in indexes { output.number(UInt64(index), size: size) }
      case .dictionary(let keys, let values):
        output.marker(0xD0, count: keys.count)
        for index in keys + values { output.number(UInt64(index), size: size) }
      }
    }
    let table = output.bytes.count
    let offsetSize = Self.size(of: table)
    for offset in offsets { output.number(UInt64(offset), size: offsetSize) }
    output.bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(size)]
    for number in [objects.count, top, table] { output.number(UInt64(number), size: 8) }
    return Data(output.bytes)
  }

  private static func size(of number: Int) -> Int {
    number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
  }

  /// The output bytes, with methods that append numbers, markers and leaves.
  private struct Output {
    var bytes: [UInt8] = []

    mutating func number(_ value: UInt64, size: Int) {
      for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
        bytes.append(shift >= 64 ? 0 : UInt8(truncatingIfNeeded: value >> UInt64(shift)))
      }
    }

    mutating func marker(_ kind: UInt8, count: Int) {
      if count < 15 {
        bytes.append(kind | UInt8(count))
      } else {
        bytes.append(kind | 0x0F)
        integer(Int64(count))
      }
    }

    /// Appends an integer; sizes of 1, 2 and 4 bytes are unsigned, so a negative number takes 8.
    mutating func integer(_ value: Int64) {
      let size = value < 0 ? 8 : BinaryPropertyListWriter.size(of: Int(value))
      bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
      number(UInt64(bitPattern: value), size: size)
    }

    mutating func write(_ value: PropertyListValue) {
      switch value {
      case .null, .array, .dictionary: bytes.append(0x00)
      case .bool(let truth): bytes.append(truth ? 0x09 : 0x08)
      case .integer(let value): integer(value)
      case .unsigned(let value):
        bytes.append(0x14)
        number(value, size: 16)
      case .real(let value):
        bytes.append(0x23)
        number(value.bitPattern, size: 8)
      case .date(let seconds):
        bytes.append(0x33)
        number(seconds.bitPattern, size: 8)
      case .data(let data):
        marker(0x40, count: data.count)
        bytes += data
      case .string(let text) where text.utf8.allSatisfy { $0 < 0x80 }:
        marker(0x50, count: text.utf8.count)
        bytes += text.utf8
      case .string(let text):
        marker(0x60, count: text.utf16.count)
        for unit in text.utf16 { number(UInt64(unit), size: 2) }
      case .uid(let index):
        let size = BinaryPropertyListWriter.size(of: index)
        bytes.append(0x80 | UInt8(size - 1))
        number(UInt64(index), size: size)
      }
    }
  }
}
