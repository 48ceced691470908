import Foundation
import ObjectModel

/// Reads the fields of a column as stored values of an attribute.
///
/// What a text means is decided by the attribute, as in the editors; the column only says how dates
/// and numbers are written.
struct AttributeReader: Sendable {
  /// A value, or why there is none.
  enum Outcome {
    /// A stored value, at the bytes of the field or a number.
    case field(StoredField)
    case value(Value)
    case problem(String)
  }

  /// How a column writes dates.
  enum DateForm: Hashable, Sendable {
    /// ISO 8601.
    case iso
    case pattern(DatePattern)
    /// Seconds, or parts of them, since 1970.
    case sinceUnixEpoch(perSecond: Double)
    /// Seconds since 2001.
    case sinceReferenceDate
    /// The numbers that the attribute stores.
    case stored
  }

  private enum Fast { case text, integer(ClosedRange<Int64>), double, boolean, date, slow }

  let attribute: AttributeDescription
  var dates = DateForm.iso
  var numbers = NumberStyle.plain
  /// Whether an empty field without quotes is empty text instead of NULL.
  var emptyIsText = false
  /// Whether text like ="00123", by which Excel keeps the zeros, is what is in the quotes.
  var readsFormulas = false
  /// The attribute of the store, where that of the file stores its values in another way.
  var target: AttributeDescription?
  /// The folder with the values that are files; nil for none.
  var files: OpenFolder?
  private let fast: Fast
  /// Whether a day in ISO 8601 is stored as it is.
  private let storesDays: Bool

  init(_ attribute: AttributeDescription) {
    self.attribute = attribute
    storesDays =
      attribute.encoding == .isoText
      && (try? attribute.encode(.date(Date(timeIntervalSinceReferenceDate: 0)))) == "2001-01-01"
    fast =
      switch (attribute.type, attribute.encoding) {
      case (.string, .native): .text
      case (.integer16, .native): .integer(Int64(Int16.min)...Int64(Int16.max))
      case (.integer32, .native): .integer(Int64(Int32.min)...Int64(Int32.max))
      case (.integer64, .native): .integer(.min ... .max)
      case (.double, .native), (.float, .native): .double
      case (.boolean, .booleanInteger): .boolean
      case (.date, _): .date
      default: .slow
      }
  }

  /// Reads a field.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the field.
  ///   - kind: How it stands in the file; not missing.
  /// - Returns: The stored value, which may lie in the bytes.
  func read(_ bytes: UnsafeBufferPointer<UInt8>, _ kind: ImportRecord.Kind) -> Outcome {
    guard let target else { return readOwn(bytes, kind) }
    let own: Value
    switch readOwn(bytes, kind) {
    case .field(let field): own = field.value
    case .value(let value): own = value
    case .problem(let reason): return .problem(reason)
    }
    do { return .value(try target.encode(attribute.decode(own))) } catch {
      return .problem(error.reasonWords)
    }
  }

  private func readOwn(
    _ bytes: UnsafeBufferPointer<UInt8>, _ kind: ImportRecord.Kind
  ) -> Outcome {
    if kind == .null { return .field(.null) }
    if kind == .structure { return structure(bytes) }
    var bytes = bytes
    if bytes.isEmpty {
      if kind == .bare, !emptyIsText { return .field(.null) }
      switch attribute.type {
      case .string, .undefined: return .field(.text(bytes))
      case .binaryData, .transformable: return .field(.bytes(bytes))
      default: return .field(.null)
      }
    } else if readsFormulas, bytes[0] == 0x3D, bytes.count >= 3, bytes[1] == 0x22,
      bytes[bytes.count - 1] == 0x22
    {
      bytes = UnsafeBufferPointer(rebasing: bytes[2..<bytes.count - 1])
    }
    switch fast {
    case .text:
      return bytes.isUTF8
        ? .field(.text(bytes)) : .problem("it is not UTF-8 (try: --encoding windows-1252)")
    case .integer(let range):
      if let number = Self.integer(bytes), range.contains(number) {
        return .field(.integer(number))
      }
    case .double:
      if numbers == .plain {
        let text = String(decoding: bytes, as: UTF8.self)
        if Number.isNumeric(text), let number = Double(text), number.isFinite {
          return .field(.double(number))
        }
      }
    case .boolean:
      if bytes.count == 1, bytes[0] == 0x30 || bytes[0] == 0x31 {
        return .field(.integer(Int64(bytes[0] - 0x30)))
      }
    case .date:
      if storesDays, bytes.count == 10, ISODate.referenceSeconds(utf8: bytes) != nil {
        return .field(.text(bytes))
      }
      return date(bytes)
    case .slow: break
    }
    return slow(String(storedText: bytes), kind)
  }

  private static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    let isNegative = bytes.first == 0x2D
    guard bytes.count - (isNegative ? 1 : 0) <= 18 else { return nil }
    var number: Int64 = 0
    for index in (isNegative ? 1 : 0)..<bytes.count {
      let digit = bytes[index] &- 0x30
      guard digit < 10 else { return nil }
      number = number * 10 + Int64(digit)
    }
    return bytes.count > (isNegative ? 1 : 0) ? (isNegative ? -number : number) : nil
  }

  private func slow(_ text: String, _ kind: ImportRecord.Kind) -> Outcome {
    var text = text
    if attribute.type == .undefined { return .value(Self.untyped(text, kind)) }
    if attribute.type.isNumeric, numbers != .plain {
      text = numbers.plainText(text.trimmingBlanks) ?? text
    }
    do {
      let value = try attribute.value(from: text)
      return .value(try attribute.encode(value))
    } catch {
      return .problem(error.reasonWords)
    }
  }

  /// A value of a column without a type: a number only if it is written as a number is.
  private static func untyped(_ text: String, _ kind: ImportRecord.Kind) -> Value {
    guard kind == .bare else { return .string(text) }
    if let whole = Int64(text), String(whole) == text { return .integer(whole) }
    if Number.isNumeric(text), let number = Double(text), "\(number)" == text {
      return .double(number)
    }
    return .string(text)
  }

  private func date(_ bytes: UnsafeBufferPointer<UInt8>) -> Outcome {
    let trimmed = bytes.trimmingBlanks
    var seconds = ISODate.referenceSeconds(utf8: trimmed)
    switch dates {
    case .iso: break
    case .pattern(let pattern): seconds = pattern.referenceSeconds(trimmed) ?? seconds
    case .sinceUnixEpoch(let perSecond):
      seconds = Double(String(decoding: trimmed, as: UTF8.self)).map {
        $0 / perSecond - Date.timeIntervalBetween1970AndReferenceDate
      }
    case .sinceReferenceDate: seconds = Double(String(decoding: trimmed, as: UTF8.self)) ?? seconds
    case .stored:
      let text = String(decoding: trimmed, as: UTF8.self)
      let number: Value? = Int64(text).map(Value.integer) ?? Double(text).map(Value.double)
      if let number, case .date = attribute.decode(number) { return .value(number) }
    }
    guard let seconds, seconds.isFinite else {
      return slow(String(storedText: trimmed), .quoted)
    }
    do {
      return .value(try attribute.encode(.date(Date(timeIntervalSinceReferenceDate: seconds))))
    } catch {
      return .problem(error.reasonWords)
    }
  }

  /// A value as an export writes what JSON has no form for: see ``StoredForm``.
  private func structure(_ bytes: UnsafeBufferPointer<UInt8>) -> Outcome {
    do throws(StoredForm.Failure) {
      return .value(try StoredForm.value(Array(bytes), of: attribute, files: files))
    } catch {
      return .problem(error.words)
    }
  }
}

extension ModelError {
  /// Why, without the name of the attribute, which stands beside it.
  var reasonWords: String {
    var words = description
    if words.hasSuffix(".") { words.removeLast() }
    return words
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The bytes without spaces and tabs around them.
  fileprivate var trimmingBlanks: Self {
    guard let first = firstIndex(where: { $0 != 0x20 && $0 != 0x09 }),
      let last = lastIndex(where: { $0 != 0x20 && $0 != 0x09 })
    else { return Self(rebasing: self[0..<0]) }
    return Self(rebasing: self[first...last])
  }
}
