import Foundation
import ObjectModel
import TerminalApplications
import TerminalKit

/// Reads what a person types as a value of an attribute, and writes values to be edited.
nonisolated struct ValueInput {
  let attribute: AttributeDescription
  /// The decoded value that is edited.
  let former: Value
  /// The present, for relative dates.
  let now: Date

  /// Whether bytes are typed: in an attribute of bytes, for bytes in one of text or without a type;
  /// not where they are text in UTF-8.
  var takesBytes: Bool {
    switch (former, attribute.type) {
    case (.data(let data), .binaryData), (.data(let data), .undefined): Self.text(in: data) == nil
    case (.data, .string), (.data, .uri): true
    case (.string, .binaryData): false
    default: attribute.type == .binaryData || attribute.type == .transformable
    }
  }

  /// Whether text is typed that may have several lines.
  var takesText: Bool {
    takesUTF8 || [.string, .undefined, .uri].contains(attribute.type)
      || attribute.type == .binaryData && !takesBytes
  }

  /// Whether text is typed that is stored as bytes.
  private var takesUTF8: Bool {
    if case .data = former, attribute.type == .binaryData || attribute.type == .undefined {
      !takesBytes
    } else {
      false
    }
  }

  /// Whether a line break can be a part of a value, or separate its bytes.
  var takesLineBreaks: Bool {
    takesBytes || takesText && attribute.type != .uri
  }

  /// The former value as text to be edited; empty for NULL, and for bytes that are many or are to be
  /// replaced by a value of another kind.
  var formerText: String {
    guard case .data(let data) = former, !takesBytes else { return Self.text(of: former) ?? "" }
    return takesUTF8 ? Self.text(in: data) ?? "" : ""
  }

  /// Bytes that are text in UTF-8 without control characters; nil for others.
  private static func text(in data: Data) -> String? {
    guard !data.isEmpty, let text = String(validating: data, as: UTF8.self) else { return nil }
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) || "\n\r\t".unicodeScalars.contains($0)
    }
    return isPlain ? text : nil
  }

  /// A value, and what to say of how it was understood; nil if there is nothing to say.
  struct Reading: Hashable {
    var value: Value
    var note: String?
  }

  /// Reads a text, and checks the value against the attribute's rules.
  func reading(of text: String) -> Result<Reading, InputError> {
    value(of: text).flatMap { reading in
      AttributeRules(attribute).problem(with: reading.value).map { .failure(InputError($0)) }
        ?? stored(reading, typed: text)
    }
  }

  private func value(of text: String) -> Result<Reading, InputError> {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    if takesBytes { return bytes(from: trimmed) }
    if takesUTF8 { return utf8(text) }
    switch attribute.type {
    case .string where text.isEmpty, .binaryData where text.isEmpty,
      .undefined where text.isEmpty:
      return .success(Reading(value: .string(""), note: "empty text" + nullAdvice("; ")))
    case .string, .binaryData: return .success(Reading(value: .string(text), note: nil))
    case _ where trimmed.isEmpty && attribute.type != .undefined:
      return .failure(InputError("\(attribute.type.phrase) is needed" + nullAdvice("; ")))
    case .date: return date(from: trimmed)
    case .undefined: return .success(untyped(text))
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      return number(from: trimmed)
    case .uri where trimmed.contains(where: \.isWhitespace):
      return .failure(InputError("a URL has no spaces: write %20"))
    case .boolean: return flag(from: trimmed)
    case .uuid, .uri, .transformable:
      return typed(trimmed).map { Reading(value: $0, note: nil) }.flatMapError { kept(text, $0) }
    }
  }

  /// How NULL is stored, which an empty text never is; empty if it cannot be.
  private func nullAdvice(_ separator: String) -> String {
    attribute.isOptional ? separator + "C-n makes it NULL" : ""
  }

  private func flag(from text: String) -> Result<Reading, InputError> {
    typed(text).map {
      Reading(value: $0, note: text.isNumber ? ($0 == true ? "yes" : "no") : nil)
    }.flatMapError { error in
      if let number = plainNumber(text) {
        return .success(Reading(value: number, note: "a number, neither yes nor no"))
      }
      return kept(text, error)
    }
  }

  /// Hex digits, the bytes of a file or those of a UUID; text in quotes where text can be stored.
  private func bytes(from text: String) -> Result<Reading, InputError> {
    let canBeText = ![.binaryData, .transformable].contains(attribute.type)
    if canBeText, text.count >= 2, text.hasPrefix("'"), text.hasSuffix("'") {
      let content = String(text.dropFirst().dropLast()).replacing("''", with: "'")
      return .success(Reading(value: .string(content), note: "text instead of bytes"))
    }
    if text.isEmpty, case .data(let data) = former, !data.isEmpty {
      return .failure(
        InputError("\(counted(data.count, "byte")) stay; x'' writes none, C-n NULL"))
    }
    return BytesInput.bytes(from: text).map {
      let kind = attribute.type == .transformable ? ", \(BytesKind($0)?.name ?? "no archive")" : ""
      return Reading(value: .data($0), note: counted($0.count, "byte") + kind)
    }.mapError {
      canBeText && !text.hasPrefix("@") ? InputError("\($0.message), or text in single quotes") : $0
    }
  }

  /// Text that stays bytes; a blob literal is other bytes.
  private func utf8(_ text: String) -> Result<Reading, InputError> {
    if let data = BytesInput.literal(text) {
      return .success(Reading(value: .data(data), note: counted(data.count, "byte")))
    }
    let data = Data(text.utf8)
    return .success(
      Reading(value: .data(data), note: "text, stored as \(counted(data.count, "byte"))"))
  }

  private func date(from text: String) -> Result<Reading, InputError> {
    if let date = DateInput(now: now, former: formerDate).date(from: text) {
      return .success(Reading(value: .date(date), note: DateInput.words(for: date)))
    }
    if let number = plainNumber(text) {
      guard case .date(let date) = attribute.decode(number) else {
        return .success(Reading(value: number, note: "a number, no date"))
      }
      return .success(Reading(value: number, note: DateInput.words(for: date)))
    }
    return kept(text, InputError("a date is needed, such as \(DateInput.examples)"))
  }

  private func number(from text: String) -> Result<Reading, InputError> {
    let plain = NumberInput.plain(text)
    return typed(plain).flatMap { value in
      guard Self.isExact(value, plain) else { return .failure(Self.rounding(to: value)) }
      return .success(Reading(value: value, note: "\(value)" == text ? nil : "\(value)"))
    }.flatMapError { error in
      if former.number?.exact != nil, let number = plainNumber(plain) {
        return .success(Reading(value: number, note: "a number"))
      }
      return kept(text, NumberInput.advice(for: text).map { InputError($0) } ?? error)
    }
  }

  /// A number in a column of a plain database that takes any; nil for other text.
  private func plainNumber(_ text: String) -> Value? {
    guard attribute.reading != nil, text.isNumber else { return nil }
    if let whole = Int64(text) { return .integer(whole) }
    return Double(text).map(Value.double).flatMap { Self.isExact($0, text) ? $0 : nil }
  }

  /// Text that replaces text which is not of the attribute's type, in a plain database; otherwise
  /// the error.
  private func kept(_ text: String, _ error: InputError) -> Result<Reading, InputError> {
    guard attribute.reading != nil, case .string = former else { return .failure(error) }
    return .success(Reading(value: .string(text), note: "text, not \(attribute.type.phrase)"))
  }

  private func typed(_ text: String) -> Result<Value, InputError> {
    do {
      return .success(try attribute.value(from: text))
    } catch {
      return .failure(InputError(Self.message(of: error)))
    }
  }

  /// A value of an attribute without a type keeps the kind of the former one; digits that are no
  /// number's own, as 001, are text.
  private func untyped(_ text: String) -> Reading {
    if case .string = former { return Reading(value: .string(text), note: "text") }
    if case .bool = former, let flag = AttributeDescription.reading(text, as: .boolean) {
      return Reading(value: flag)
    }
    if let number = Int64(text), String(number) == text {
      if case .double = former { return Reading(value: .double(Double(number)), note: "a number") }
      return Reading(value: .integer(number), note: "an integer")
    }
    let digits = text.drop { $0 == "-" }
    if text.isNumber, !text.hasPrefix("+"), !digits.hasPrefix("0") || digits.hasPrefix("0."),
      let number = Double(text), Self.isExact(.double(number), text)
    {
      return Reading(value: .double(number), note: "a number")
    }
    return Reading(value: .string(text), note: "text")
  }

  // MARK: What is stored

  /// Refuses a value that would be stored as another one, and says in which form a UUID is written.
  private func stored(_ reading: Reading, typed text: String) -> Result<Reading, InputError> {
    guard !reading.value.isNull else { return .success(reading) }
    let conversion = attribute.reading?.conversion ?? .none
    var reading = reading
    if case .string(let text) = reading.value, let written = attribute.uniform(text) {
      reading = Reading(value: .string(written), note: "stored as \(written)")
    }
    guard let encoded = try? attribute.encode(reading.value, like: storedFormer) else {
      return .success(reading)
    }
    let kept = conversion.stored(encoded)
    let back = attribute.decode(kept)
    let isSame =
      switch (reading.value, back) {
      case (.date(let date), .date(let other)): abs(date.timeIntervalSince(other)) < 0.001
      case (.string(let text), .string(let other)): text.hasSameBytes(as: other)
      case (.string(let text), _): kept.description.hasSameBytes(as: text)
      default: reading.value.number.map { Self.isSame($0, kept) } ?? true
      }
    guard isSame else {
      return .failure(Self.rounding(to: kept))
    }
    if case (.uuid, .string(let written)) = (reading.value, kept), written != text {
      reading.note = "stored as \(written)"
    }
    return .success(reading)
  }

  /// The stored form of the former value; NULL if its kind does not determine it.
  private var storedFormer: Value {
    switch former {
    case .integer, .double, .string, .data: former
    default: .null
    }
  }

  private static func rounding(to stored: Value) -> InputError {
    InputError("it would be stored as \(stored): type that if it will do")
  }

  private static func isSame(_ number: Number, _ stored: Value) -> Bool {
    guard let exact = number.exact else { return number == stored.number }
    let text = stored.text.flatMap { Number.decimal(text: $0) }
    return (stored.number?.exact ?? text) == exact
  }

  /// Whether a number is what a text says, with all digits.
  private static func isExact(_ value: Value, _ text: String) -> Bool {
    guard let number = value.number, number.approximation.isFinite else { return false }
    let digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber).drop { $0 == "0" }
    guard let exact = Number.decimal(text: text) else {
      // Beyond what a decimal can be; a double has 15 digits in any case.
      return digits.count <= 15 && (number.approximation != 0 || digits.isEmpty)
    }
    return digits.count <= 38 && number.exact == exact
  }

  private var formerDate: Date? {
    if case .date(let date) = former { date } else { nil }
  }

  /// The sentence of a model's error, without its subject and its full stop.
  static func message(of error: ModelError) -> String {
    switch error.reason {
    case .unreadable(_, _, let type), .wrongType(_, _, let type):
      "\(type.phrase) is needed, such as \(type.example)"
    case .outOfRange(_, _, let type): "\(type.phrase) is needed: this is out of range"
    default: String(describing: error)
    }
  }

  // MARK: Writing

  /// A value as text to be edited; empty for NULL, nil if it can only be replaced.
  static func text(of value: Value) -> String? {
    switch value {
    case .bool(let flag): flag ? "yes" : "no"
    case .data(let data): data.count > 64 ? nil : BytesInput.hex(data)
    default: value.description
    }
  }
}

nonisolated extension String {
  /// Whether the text is a number, and nothing else.
  fileprivate var isNumber: Bool { Number.isNumeric(self) }
}
