package import Foundation

extension PropertyListValue {
  /// The value as a binary property list (`bplist00`).
  ///
  /// Equal texts, numbers and bytes are written once; keys are written in the order of their bytes: the same value always
  /// gives the same bytes.
  package func binaryPropertyList() -> Data {
    var writer = BinaryPropertyListWriter()
    let top = writer.place(of: self)
    return writer.data(top: top)
  }
}

/// Gathers the objects of a binary property list.
private struct BinaryPropertyListWriter {
  private enum Object {
    case leaf([UInt8])
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private var objects: [Object] = []
  /// By their bytes, because texts that look the same and 0 and -0 are equal as values.
  private var leaves: [[UInt8]: Int] = [:]

  /// The place of a value among the objects; containers come before what they hold.
  mutating func place(of value: PropertyListValue) -> Int {
    switch value {
    case .array(let values):
      let place = add(.array([]))
      objects[place] = .array(values.map { self.place(of: $0) })
      return place
    case .dictionary(let values):
      let place = add(.dictionary(keys: [], values: []))
      let sorted = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      let keys = sorted.map { self.place(of: .string($0.key)) }
      objects[place] = .dictionary(keys: keys, values: sorted.map { self.place(of: $0.value) })
      return place
    default:
      var output = Output()
      output.write(value)
      if let place = leaves[output.bytes] { return place }
      let place = add(.leaf(output.bytes))
      leaves[output.bytes] = place
      return place
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
      case .array(let places):
        output.marker(0xA0, count: places.count)
        for place in places { output.number(UInt64(place), size: size) }
      case .dictionary(let keys, let values):
        output.marker(0xD0, count: keys.count)
        for place in keys + values { output.number(UInt64(place), size: size) }
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

  /// The bytes, and how numbers and markers are written.
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

    /// Numbers of 1, 2 and 4 bytes have no sign, so a negative one takes 8.
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
      case .uid(let place):
        let size = BinaryPropertyListWriter.size(of: place)
        bytes.append(0x80 | UInt8(size - 1))
        number(UInt64(place), size: size)
      }
    }
  }
}
