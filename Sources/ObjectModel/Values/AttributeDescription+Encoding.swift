import Foundation

extension AttributeDescription {
  /// Encodes a value for storage.
  ///
  /// If the value equals the decoded old value, the old stored value is returned unchanged, so that
  /// reading and saving a row does not rewrite it in another form.
  ///
  /// - Parameters:
  ///   - value: The decoded value; null is stored as NULL.
  ///   - old: The stored value to be replaced. Its form is kept: a date with or without a time, `T`
  ///     or a space as the separator, the time zone, a number with or without a fraction, upper or
  ///     lower case of a UUID.
  /// - Returns: The value to store. Dates keep the full precision of `Date`, except as whole
  ///   milliseconds, as seconds since 1970 (a quarter of a microsecond) and as Julian days (some 40
  ///   microseconds).
  /// - Throws: ``ModelError`` with the attribute's name when the value has another type or is out
  ///   of range.
  public func encode(_ value: Value, like old: Value = .null) throws(ModelError) -> Value {
    if value.isNull || !old.isNull && value == decode(old) { return value.isNull ? .null : old }
    let typed = try checked(value)
    switch (encoding, typed) {
    case (.isoText, .date(let date)):
      return .string(try isoText(date, like: old))
    case (.unixSeconds, .date(let date)): return Self.seconds(date.timeIntervalSince1970, like: old)
    case (.unixMilliseconds, .date(let date)):
      let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
      return Int64(exactly: milliseconds).map(Value.integer) ?? .double(milliseconds)
    case (.referenceSeconds, .date(let date)): return .double(date.timeIntervalSinceReferenceDate)
    case (.julianDay, .date(let date)):
      return .double(date.timeIntervalSince1970 / 86_400 + Value.julianDayOf1970)
    case (_, .date(let date)): return .double(date.timeIntervalSinceReferenceDate)
    case (_, .bool(let truth)): return .integer(truth ? 1 : 0)
    case (.decimalText, .decimal(let decimal)): return .string(decimal.description)
    case (_, .decimal(let decimal)): return Self.number(decimal, like: old)
    case (.uuidData, .uuid(let id)): return .data(withUnsafeBytes(of: id.uuid) { Data($0) })
    case (_, .uuid(let id)):
      if case .string(let text) = old, text.hasSameBytes(as: text.lowercased()) {
        return .string(id.uuidString.lowercased())
      }
      return .string(id.uuidString)
    case (_, .url(let url)): return .string(url.absoluteString)
    case (.externalData, .data(let bytes)): return .data([1] + bytes)
    default: return typed
    }
  }

  private func isoText(_ date: Date, like old: Value) throws(ModelError) -> String {
    var form = ISODate.standard
    if case .string(let text) = old, let read = ISODate(text) { form = read }
    let seconds = date.timeIntervalSinceReferenceDate
    guard let text = form.exactText(referenceSeconds: seconds) else {
      throw ModelError(.outOfRange(attribute: name, value: .date(date), type: type))
    }
    return text
  }

  private static func seconds(_ seconds: Double, like old: Value) -> Value {
    if case .double = old { return .double(seconds) }
    return Int64(exactly: seconds).map(Value.integer) ?? .double(seconds)
  }

  private static func number(_ decimal: Decimal, like old: Value) -> Value {
    if case .double = old { return .double(Number.decimal(decimal).approximation) }
    return Int64(decimal.description).map(Value.integer)
      ?? .double(Number.decimal(decimal).approximation)
  }
}
