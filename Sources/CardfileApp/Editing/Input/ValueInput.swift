import Foundation
import ObjectModel
import TerminalKit

/// Reads what a person types as a value of an attribute, and writes values to be edited.
nonisolated struct ValueInput {
  let attribute: AttributeDescription
  /// The decoded value that is edited.
  let former: Value
  /// The present, for relative dates.
  let now: Date

  /// Whether bytes are typed: in an attribute of bytes, and for bytes in one without a type.
  var takesBytes: Bool {
    if case .data = former { return attribute.type == .undefined || attribute.type == .binaryData }
    return attribute.type == .binaryData
  }

  /// Whether a line break can be a part of a value, or separate its bytes.
  var takesLineBreaks: Bool {
    takesBytes || attribute.type == .string || attribute.type == .undefined
  }

  /// The former value as text to be edited; empty for NULL, and for bytes that are many or are to be
  /// replaced by a value of another kind.
  var formerText: String {
    if case .data = former, !takesBytes { return "" }
    return Self.text(of: former) ?? ""
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
        ?? .success(reading)
    }
  }

  private func value(of text: String) -> Result<Reading, InputError> {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    if takesBytes {
      return BytesInput.bytes(from: trimmed).map {
        Reading(value: .data($0), note: "\(groupedDigits($0.count)) bytes")
      }
    }
    switch attribute.type {
    case .string where text.isEmpty, .undefined where text.isEmpty:
      return .success(Reading(value: .string(""), note: "empty text" + nullAdvice("; ")))
    case .string: return .success(Reading(value: .string(text), note: nil))
    case _ where trimmed.isEmpty && attribute.type != .undefined:
      return .failure(InputError("\(attribute.type.phrase) is needed" + nullAdvice("; ")))
    case .date:
      guard let date = DateInput(now: now, former: formerDate).date(from: trimmed) else {
        return .failure(InputError("a date is needed, such as \(DateInput.examples)"))
      }
      return .success(Reading(value: .date(date), note: DateInput.words(for: date)))
    case .undefined: return .success(untyped(text))
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      let plain = NumberInput.plain(trimmed)
      return typed(plain).map {
        Reading(value: $0, note: "\($0)" == trimmed ? nil : "\($0)")
      }.mapError { NumberInput.advice(for: trimmed).map { InputError($0) } ?? $0 }
    case .uri where trimmed.contains(where: \.isWhitespace):
      return .failure(InputError("a URL has no spaces: write %20"))
    case .boolean, .uuid, .uri, .binaryData, .transformable:
      return typed(trimmed).map { Reading(value: $0, note: nil) }
    }
  }

  /// How NULL is stored, which an empty text never is; empty if it cannot be.
  private func nullAdvice(_ separator: String) -> String {
    attribute.isOptional ? separator + "C-n makes it NULL" : ""
  }

  private func typed(_ text: String) -> Result<Value, InputError> {
    do {
      return .success(try attribute.value(from: text))
    } catch {
      return .failure(InputError(Self.message(of: error)))
    }
  }

  /// A value of an attribute without a type keeps the kind of the former one.
  private func untyped(_ text: String) -> Reading {
    if case .string = former { return Reading(value: .string(text), note: "text") }
    if case .bool = former, let flag = AttributeDescription.reading(text, as: .boolean) {
      return Reading(value: flag)
    }
    if case .integer(let number)? = AttributeDescription.reading(text, as: .undefined) {
      if case .double = former { return Reading(value: .double(Double(number)), note: "a number") }
      return Reading(value: .integer(number), note: "an integer")
    }
    if let number = AttributeDescription.reading(text, as: .double) {
      return Reading(value: number, note: "a number")
    }
    return Reading(value: .string(text), note: "text")
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
