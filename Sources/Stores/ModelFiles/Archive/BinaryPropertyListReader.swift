import Foundation

/// Reads binary property lists (`bplist00`) from untrusted files.
///
/// Each object is read once and then shared, objects must not overlap, and elements and depth are
/// bounded: time and memory are linear in the size of the input. An object that contains itself is
/// an error.
struct BinaryPropertyListReader {
  static let signature = Array("bplist0".utf8)

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let top: Int
  private let table: Int
  /// The objects read so far, by byte offset (several indexes may share one); nil while the object
  /// is being read.
  private var objects: [Int: PropertyListValue?] = [:]
  private var bytesLeft: Int
  private var elementsLeft = PropertyListValue.maximumElements

  /// Reads a property list.
  ///
  /// - Throws: ``ModelFileError`` when the data is not a binary property list, is damaged, or
  ///   exceeds a limit.
  static func value(of data: Data) throws(ModelFileError) -> PropertyListValue {
    var reader = try BinaryPropertyListReader(data)
    return try reader.object(reader.top, depth: 0)
  }

  private init(_ data: Data) throws(ModelFileError) {
    let bytes = Array(data)
    self.bytes = bytes
    guard bytes.starts(with: Self.signature) else {
      throw Self.malformed("it is not a binary property list")
    }
    let trailer = bytes.count - 32
    guard trailer > 8 else { throw Self.malformed("it ends before its trailer") }
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    let numbers = [8, 16, 24].map { Self.number(bytes, at: trailer + $0, size: 8) }
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Int(exactly: numbers[0]), let top = Int(exactly: numbers[1]),
      let table = Int(exactly: numbers[2]), top < count, table >= 9, table <= trailer,
      count <= (trailer - table) / offsetSize
    else { throw Self.malformed("its trailer does not match its length") }
    (objectCount, self.top, self.table) = (count, top, table)
    bytesLeft = table
  }

  private static func malformed(_ detail: String) -> ModelFileError {
    ModelFileError(.malformed, detail: detail)
  }

  private static func tooLarge(_ detail: String) -> ModelFileError {
    ModelFileError(.tooLarge, detail: detail)
  }

  /// An unsigned big-endian number of up to 8 bytes.
  private static func number(_ bytes: [UInt8], at offset: Int, size: Int) -> UInt64 {
    bytes[offset..<offset + size].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func object(_ index: Int, depth: Int) throws(ModelFileError) -> PropertyListValue
  {
    guard depth <= PropertyListValue.maximumDepth else {
      throw Self.tooLarge("it is nested deeper than \(PropertyListValue.maximumDepth) levels")
    }
    guard index < objectCount else {
      throw Self.malformed("it refers to object \(index), but has only \(objectCount)")
    }
    let entry = Self.number(bytes, at: table + index * offsetSize, size: offsetSize)
    guard let offset = Int(exactly: entry), offset >= 8, offset < table else {
      throw Self.malformed("object \(index) is outside the object area")
    }
    if let found = objects[offset] {
      guard let found else { throw Self.malformed("object \(index) contains itself") }
      return found
    }
    objects[offset] = .some(nil)
    let value = try value(at: offset, depth: depth)
    objects[offset] = value
    return value
  }

  private mutating func value(
    at offset: Int, depth: Int
  ) throws(ModelFileError) -> PropertyListValue {
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker {
    case 0x00, 0x0F:
      try spend(1, at: offset)
      return .null
    case 0x08, 0x09:
      try spend(1, at: offset)
      return .bool(marker == 0x09)
    case 0x10...0x14: return try integer(at: offset, size: 1 << low)
    case 0x22: return .real(Double(Float(bitPattern: UInt32(try number(at: offset, size: 4)))))
    case 0x23: return .real(Double(bitPattern: try number(at: offset, size: 8)))
    case 0x33: return .date(Double(bitPattern: try number(at: offset, size: 8)))
    case 0x40...0x4F: return .data(Data(bytes[try payload(at: offset, of: 1)]))
    case 0x50...0x5F:
      return .string(String(decoding: bytes[try payload(at: offset, of: 1)], as: UTF8.self))
    case 0x60...0x6F: return .string(text(bytes[try payload(at: offset, of: 2)]))
    case 0x80...0x87:
      guard let index = Int(exactly: try number(at: offset, size: low + 1)) else {
        throw Self.malformed("the UID at byte \(offset) is out of range")
      }
      return .uid(index)
    case 0xA0...0xCF: return .array(try elements(at: offset, depth: depth))
    case 0xD0...0xDF: return .dictionary(try members(at: offset, depth: depth))
    default: throw Self.malformed("byte \(offset) is not an object marker")
    }
  }

  /// Counts the bytes of an object: the sum over all objects cannot exceed the object area unless
  /// they overlap.
  private mutating func spend(_ size: Int, at offset: Int) throws(ModelFileError) {
    guard size <= table - offset else {
      throw Self.malformed("the object at byte \(offset) is truncated")
    }
    bytesLeft -= size
    guard bytesLeft >= 0 else { throw Self.malformed("its objects overlap") }
  }

  /// The unsigned number after the marker at an offset.
  private mutating func number(at offset: Int, size: Int) throws(ModelFileError) -> UInt64 {
    try spend(1 + size, at: offset)
    return Self.number(bytes, at: offset + 1, size: size)
  }

  /// An integer: unsigned in 1, 2 and 4 bytes, signed in 8 and 16.
  private mutating func integer(
    at offset: Int, size: Int
  ) throws(ModelFileError) -> PropertyListValue {
    guard size == 16 else {
      return .integer(Int64(bitPattern: try number(at: offset, size: size)))
    }
    try spend(17, at: offset)
    let high = Self.number(bytes, at: offset + 1, size: 8)
    let low = Self.number(bytes, at: offset + 9, size: 8)
    let isNegative = low > UInt64(Int64.max)
    if high == 0 { return isNegative ? .unsigned(low) : .integer(Int64(low)) }
    if high == UInt64.max, isNegative { return .integer(Int64(bitPattern: low)) }
    return .real(Double(Int64(bitPattern: high)) * 0x1p64 + Double(low))
  }

  /// The byte range of an object's payload, whose length is given by the marker, in units of some
  /// bytes.
  private mutating func payload(
    at offset: Int, of unit: Int
  ) throws(ModelFileError) -> Range<Int> {
    var start = offset + 1
    var length = UInt64(bytes[offset] & 0x0F)
    if length == 15 {
      guard start < table, bytes[start] & 0xF0 == 0x10, bytes[start] & 0x0F <= 3 else {
        throw Self.malformed("the object at byte \(offset) has no length")
      }
      let size = 1 << Int(bytes[start] & 0x0F)
      guard size < table - start else {
        throw Self.malformed("the object at byte \(offset) is truncated")
      }
      length = Self.number(bytes, at: start + 1, size: size)
      start += 1 + size
    }
    guard let exact = Int(exactly: length), exact <= (table - start) / unit else {
      throw Self.malformed("the object at byte \(offset) is truncated")
    }
    try spend(start - offset + exact * unit, at: offset)
    return start..<start + exact * unit
  }

  private func text(_ units: ArraySlice<UInt8>) -> String {
    let pairs = stride(from: units.startIndex, to: units.endIndex, by: 2)
    return String(
      decoding: pairs.map { UInt16(units[$0]) << 8 | UInt16(units[$0 + 1]) }, as: UTF16.self)
  }

  /// The indexes of the objects that a container refers to.
  private mutating func references(
    at offset: Int, perElement: Int
  ) throws(ModelFileError) -> [Int] {
    let range = try payload(at: offset, of: referenceSize * perElement)
    elementsLeft -= range.count / referenceSize
    guard elementsLeft >= 0 else {
      throw Self.tooLarge("it has more than \(PropertyListValue.maximumElements) elements")
    }
    return stride(from: range.lowerBound, to: range.upperBound, by: referenceSize).map {
      Int(clamping: Self.number(bytes, at: $0, size: referenceSize))
    }
  }

  private mutating func elements(
    at offset: Int, depth: Int
  ) throws(ModelFileError) -> [PropertyListValue] {
    try references(at: offset, perElement: 1).map { index throws(ModelFileError) in
      try object(index, depth: depth + 1)
    }
  }

  /// The members of a dictionary; the first of two equal keys wins.
  private mutating func members(
    at offset: Int, depth: Int
  ) throws(ModelFileError) -> [String: PropertyListValue] {
    let references = try references(at: offset, perElement: 2)
    let half = references.count / 2
    var members: [String: PropertyListValue] = [:]
    for (keyIndex, valueIndex) in zip(references[..<half], references[half...]) {
      guard case .string(let key) = try object(keyIndex, depth: depth + 1) else {
        throw Self.malformed("a key of the dictionary at byte \(offset) is not a string")
      }
      let value = try object(valueIndex, depth: depth + 1)
      if members[key] == nil { members[key] = value }
    }
    return members
  }
}
