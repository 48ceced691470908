import Foundation

#if PostgreSQL
  import CPostgreSQL
  import ObjectModel

  /// A row that the server sent; valid while its statement runs.
  struct ServerRow {
    let result: OpaquePointer
    let index: Int32

    /// Whether a value is NULL.
    func isNull(_ column: Int) -> Bool { PQgetisnull(result, index, Int32(column)) == 1 }

    /// A value as text; nil for NULL.
    func text(_ column: Int) -> String? {
      isNull(column) ? nil : String(decoding: bytes(column), as: UTF8.self)
    }

    /// A whole number; nil for NULL, and for what is none.
    func integer(_ column: Int) -> Int64? {
      if isNull(column) { return nil }
      var (number, isNegative): (Int64, Bool) = (0, false)
      for byte in bytes(column) {
        if byte == UInt8(ascii: "-") {
          isNegative = true
          continue
        }
        guard (0x30...0x39).contains(byte) else { return nil }
        let digit = Int64(byte - 0x30)
        let (product, isTooLong) = number.multipliedReportingOverflow(by: 10)
        let (sum, isTooLarge) = product.subtractingReportingOverflow(digit)
        guard !isTooLong, !isTooLarge else { return nil }
        number = sum
      }
      // Counted downwards, because the least number has no positive one.
      return isNegative ? number : number == .min ? nil : -number
    }

    /// A truth value; false for NULL.
    func flag(_ column: Int) -> Bool { text(column) == "t" }

    /// The bytes of a `bytea`, which is sent as hexadecimal digits; nil for NULL.
    func data(_ column: Int) -> Data? {
      text(column).flatMap { Data(hexDigits: $0.dropFirst(2)) }
    }

    private func bytes(_ column: Int) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(
        start: PQgetvalue(result, index, Int32(column)),
        count: Int(PQgetlength(result, index, Int32(column))))
    }
  }
#else
  /// A row that a server sent.
  struct ServerRow {
    func isNull(_ column: Int) -> Bool { true }
    func text(_ column: Int) -> String? { nil }
    func integer(_ column: Int) -> Int64? { nil }
    func flag(_ column: Int) -> Bool { false }
    func data(_ column: Int) -> Data? { nil }
  }
#endif
