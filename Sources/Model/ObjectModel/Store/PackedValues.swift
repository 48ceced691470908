/// Stored values in one piece of memory: their number, where each ends, of what kind each is, then
/// their bytes.
///
/// Numbers have 8 bytes, text and data the bytes that the database returned. Values as bytes have
/// four other forms, for other ends: `SortKeyEncoder` keeps their order, `RowDigest` only a hash;
/// `EncodedRows` is a stream that passes through a function of SQLite, and `SignatureBuilder` writes
/// decoded values too, for the key of a file.
package struct PackedValues: Hashable, Sendable {
  fileprivate enum Kind: UInt8 { case null, integer, double, text, bytes }

  private let bytes: [UInt8]

  fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

  /// Reads what ``append(to:)`` wrote.
  init(copying bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

  /// Appends the bytes as they are in memory, which only this process understands.
  func append(to other: inout [UInt8]) { other += bytes }

  /// The number of values.
  package var count: Int { withFields(\.count) }

  // A number of values, or the offset at which a value ends, takes as many bytes.
  fileprivate static let numberLength = MemoryLayout<UInt32>.size
  /// The length of what precedes the bytes of the values.
  fileprivate static func headerLength(_ count: Int) -> Int { kindOffset(0, count) + count }
  fileprivate static func endOffset(_ index: Int) -> Int { (1 + index) * numberLength }
  fileprivate static func kindOffset(_ index: Int, _ count: Int) -> Int { endOffset(count) + index }

  /// Whether both are the same memory, so that all values are equal.
  func isSame(as other: PackedValues) -> Bool {
    bytes.withUnsafeBufferPointer { own in
      other.bytes.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress }
    }
  }

  /// Whether a value is null.
  package func isNull(at index: Int) -> Bool { withFields { $0.kind(index) == .null } }

  /// Decodes a value.
  package subscript(index: Int) -> Value { withField(at: index, \.value) }

  /// Decodes a value; nil if there are not as many.
  subscript(ifPresent index: Int) -> Value? {
    withFields { index < $0.count ? $0[index].value : nil }
  }

  /// Whether a value equals another.
  func isEqual(to value: Value, at index: Int) -> Bool {
    withField(at: index) { field in value.withStoredField { $0 == field } } ?? false
  }

  /// Calls a closure with a value as it is stored.
  package func withField<Result>(
    at index: Int, _ body: (StoredField) throws -> Result
  ) rethrows -> Result {
    try withFields { try body($0[index]) }
  }

  /// Calls a closure with all values as they are stored.
  func withFields<Result>(_ body: (Fields) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBytes { all in try body(Fields(all: all)) }
  }

  /// Calls a closure with all values as they are stored, at no cost but the call: a generic one
  /// would look up types at run time in another module.
  package func readFields(_ body: (Fields) throws(StoreError) -> Void) throws(StoreError) {
    var failure: StoreError?
    bytes.withUnsafeBytes { all in
      do throws(StoreError) { try body(Fields(all: all)) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// The values as they are stored, valid during the call that they are passed to.
  package struct Fields {
    private let all: UnsafeRawBufferPointer
    let count: Int

    fileprivate init(all: UnsafeRawBufferPointer) {
      self.all = all
      count = Int(all.loadUnaligned(as: UInt32.self))
    }

    package subscript(index: Int) -> StoredField {
      let kind = kind(index)
      let start = index == 0 ? PackedValues.headerLength(count) : end(index - 1)
      let own = UnsafeRawBufferPointer(rebasing: all[start..<end(index)])
      return switch kind {
      case .integer: .integer(own.loadUnaligned(as: Int64.self))
      case .double: .double(own.loadUnaligned(as: Double.self))
      case .text: .text(own.assumingMemoryBound(to: UInt8.self))
      case .bytes: .bytes(own.assumingMemoryBound(to: UInt8.self))
      case .null: .null
      }
    }

    fileprivate func kind(_ index: Int) -> Kind {
      precondition(index >= 0 && index < count)
      return Kind(rawValue: all[PackedValues.kindOffset(index, count)]) ?? .null
    }

    private func end(_ index: Int) -> Int {
      let offset = PackedValues.endOffset(index)
      return Int(all.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
  }
}

/// Packs the values of one row after another, keeping its memory between rows.
package struct RowPacker: ~Copyable {
  private let count: Int
  /// The memory, of which the first bytes are used.
  ///
  /// An array would be checked for being shared at each value.
  private var memory: UnsafeMutableRawBufferPointer
  private var length: Int
  /// The values of a row that is too long to be packed; nil while it is not.
  private var unpacked: [Value]?

  /// The number of values that the row has so far.
  package private(set) var index = 0

  /// Makes a packer for rows of a number of values.
  package init(count: Int) {
    self.count = count
    length = PackedValues.headerLength(count)
    memory = .allocate(byteCount: length + count * 16, alignment: 1)
    memory.storeBytes(of: UInt32(count), as: UInt32.self)
  }

  deinit { memory.deallocate() }

  /// Adds the next value of the row.
  package mutating func append(_ field: StoredField) {
    guard unpacked == nil else {
      unpacked?.append(field.value)
      return index += 1
    }
    let kind: PackedValues.Kind
    switch field {
    case .null: kind = .null
    case .integer(let number):
      kind = .integer
      withUnsafeBytes(of: number) { append($0) }
    case .double(let number):
      kind = .double
      withUnsafeBytes(of: number) { append($0) }
    case .text(let text):
      kind = .text
      append(UnsafeRawBufferPointer(text))
    case .bytes(let data):
      kind = .bytes
      append(UnsafeRawBufferPointer(data))
    }
    guard let end = UInt32(exactly: length) else { return unpack(adding: field.value) }
    memory.storeBytes(of: end, toByteOffset: PackedValues.endOffset(index), as: UInt32.self)
    memory[PackedValues.kindOffset(index, count)] = kind.rawValue
    index += 1
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    if length + bytes.count > memory.count { grow(to: (length + bytes.count) * 2) }
    memory.baseAddress?.advanced(by: length).copyMemory(from: start, byteCount: bytes.count)
    length += bytes.count
  }

  private mutating func grow(to size: Int) {
    let old = memory
    memory = .allocate(byteCount: size, alignment: 1)
    memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: old[..<length]))
    old.deallocate()
  }

  /// Several gigabytes are not packed.
  private mutating func unpack(adding value: Value) {
    let packed = PackedValues(bytes: Array(row))
    unpacked = (0..<index).map { packed[$0] } + [value]
    index += 1
  }

  /// The bytes of the row so far.
  private var row: UnsafeBufferPointer<UInt8> {
    let start = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: length)
  }

  /// The digest of the row's values.
  package var digest: RowDigest {
    var digest = RowDigest()
    digest.add(kind: 0, length: length, row)
    return digest
  }

  /// The values of the row; then the next row begins.
  package mutating func finish() -> RowValues {
    precondition(index == count, "a row has a value for each attribute")
    defer { skip() }
    return if let unpacked { RowValues(unpacked) } else {
      RowValues(PackedValues(bytes: Array(row)))
    }
  }

  /// Begins the next row; the values of this one are not wanted.
  package mutating func skip() {
    (index, unpacked) = (0, nil)
    length = PackedValues.headerLength(count)
  }
}
