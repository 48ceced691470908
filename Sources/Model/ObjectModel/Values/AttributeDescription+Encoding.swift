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
  ///     lower case of a UUID. Without one it is the form of the column's other values.
  /// - Returns: The value to store. Dates keep the full precision of `Date`, except as whole parts
  ///   of a second, as seconds since 1970 (a quarter of a microsecond) and as Julian days (some 40
  ///   microseconds).
  /// - Throws: ``ModelError`` with the attribute's name when the value has another type or is out
  ///   of range.
  package func encode(_ value: Value, like old: Value = .null) throws(ModelError) -> Value {
    if value.isNull || !old.isNull && value == decode(old) { return value.isNull ? .null : old }
    if let stored = storedAsItIs(value, replacing: old) { return stored }
    let typed = try checked(value)
    let model = old.isNull || isForeign(decode(old)) ? reading?.example ?? .null : old
    switch (encoding, typed) {
    case (.isoText, .date(let date)): return .string(try isoText(date, like: model))
    case (_, .date(let date)) where encoding.isNumberOfDate:
      guard let number = number(date, like: model) else {
        throw ModelError(.outOfRange(attribute: name, value: value, type: type))
      }
      return number
    case (_, .date(let date)): return .double(date.timeIntervalSinceReferenceDate)
    case (_, .bool(let truth)): return .integer(truth ? 1 : 0)
    case (.decimalText, .decimal(let decimal)): return .string(decimal.description)
    case (_, .decimal(let decimal)): return Self.number(decimal, like: old)
    case (.uuidData, .uuid(let id)): return .data(withUnsafeBytes(of: id.uuid) { Data($0) })
    case (_, .uuid(let id)):
      guard case .string(let text) = model, let form = UUIDForm.read(text)?.form else {
        return .string(id.uuidString)
      }
      return .string(form.text(id))
    case (_, .url(let url)): return .string(url.absoluteString)
    case (.externalData, .data(let bytes)): return .data([1] + bytes)
    default: return typed
    }
  }

  /// A value that a column of a plain database takes as it is although it is of another kind than
  /// the attribute: a number among dates and booleans, and what replaces a value of its kind; nil
  /// for any other.
  private func storedAsItIs(_ value: Value, replacing old: Value) -> Value? {
    guard reading != nil, isForeign(value) || type == .binaryData else { return nil }
    switch (value, old) {
    case (.integer, _), (.double, _), (.decimal, _):
      guard type == .date || type == .boolean || old.number != nil else { return nil }
      if case .decimal(let decimal) = value { return Self.number(decimal, like: old) }
      return value
    case (.string, .string), (.data, .data): return value
    default: return nil
    }
  }

  private func isoText(_ date: Date, like model: Value) throws(ModelError) -> String {
    var form = ISODate.standard
    if case .string(let text) = model, let read = ISODate(text) { form = read }
    let seconds = date.timeIntervalSinceReferenceDate
    guard let text = form.exactText(referenceSeconds: seconds) else {
      throw ModelError(.outOfRange(attribute: name, value: .date(date), type: type))
    }
    return text
  }

  /// A date as the number of the encoding; nil if it is out of range.
  private func number(_ date: Date, like model: Value) -> Value? {
    if encoding == .calendarNumber {
      guard let day = CivilDate(secondsSince1970: date.timeIntervalSince1970)?.calendarNumber
      else { return nil }
      if case .string = model { return .string(String(day)) }
      return .integer(day)
    }
    // Core Data's own dates are doubles, whatever SQLite made of the last one.
    let isCoreData = encoding == .referenceSeconds && reading == nil
    return encoding.clock?.stored(date, like: isCoreData ? .double(0) : model)
  }

  private static func number(_ decimal: Decimal, like old: Value) -> Value {
    if case .double = old { return .double(Number.decimal(decimal).approximation) }
    return Int64(decimal.description).map(Value.integer)
      ?? .double(Number.decimal(decimal).approximation)
  }
}
