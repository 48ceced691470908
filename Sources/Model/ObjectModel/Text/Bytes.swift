import Foundation

extension String {
  /// Calls a closure with the text's bytes as they are stored: UTF-8, but where stored text is not.
  ///
  /// Swift's `==` on strings is canonical equivalence, but SQLite compares bytes.
  ///
  /// It is compiled into its callers, because generic code of another module costs more than what
  /// they do with most texts.
  @inlinable
  package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows
    -> Result
  {
    func withStored(_ utf8: UnsafeBufferPointer<UInt8>) throws -> Result {
      try StoredText.hasEscapes(utf8)
        ? StoredText.encode(utf8).withUnsafeBufferPointer(body) : body(utf8)
    }
    if let result = try utf8.withContiguousStorageIfAvailable(withStored) { return result }
    var copy = self
    return try copy.withUTF8(withStored)
  }

  /// The length in UTF-16 units, as NSString counts; a stored byte that belongs to no character is
  /// one.
  package var storedLength: Int {
    var copy = self
    // A character that stands for a byte has two units.
    return utf16.count - copy.withUTF8 { StoredText.escapeCount($0) }
  }

  /// Whether two texts have the same UTF-8 bytes.
  package func hasSameBytes(as other: String) -> Bool { compareBytes(with: other) == 0 }

  /// Compares the UTF-8 bytes of two texts: -1, 0 or 1.
  package func compareBytes(with other: String) -> Int {
    withBytes { a in
      other.withBytes { b in ByteOrder.compare(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b))
      }
    }
  }
}

/// The lexicographic order of byte sequences.
package enum ByteOrder {
  /// Compares two byte sequences: -1, 0 or 1.
  package static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    let common = min(a.count, b.count)
    if common > 0, let left = a.baseAddress, let right = b.baseAddress {
      let difference = memcmp(left, right, common)
      if difference != 0 { return difference < 0 ? -1 : 1 }
    }
    return a.count == b.count ? 0 : a.count < b.count ? -1 : 1
  }

  /// Compares two byte arrays: -1, 0 or 1.
  package static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.withUnsafeBytes { a in b.withUnsafeBytes { b in compare(a, b) } }
  }
}
