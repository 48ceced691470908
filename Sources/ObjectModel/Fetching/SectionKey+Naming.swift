import Foundation

extension SectionKey {
  /// Parses a section key: a key path, optionally followed by a colon and `value`, `initial`,
  /// `day`, `month` or `year`.
  ///
  /// - Parameter text: The text, such as `surname` or `born:month`. The result is nil if the key
  ///   path is empty or the word after the colon is unknown.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else {
      guard !text.isEmpty else { return nil }
      self.init(text, .value)
      return
    }
    guard colon > text.startIndex,
      let transform = Transform(rawValue: text[text.index(after: colon)...].lowercased())
    else { return nil }
    self.init(String(text[..<colon]), transform)
  }

  /// Returns the name of the section for a value.
  ///
  /// - Parameter value: The decoded value at the key path.
  /// - Returns: The name; empty for null. A value that is not a date is its own day, month and
  ///   year.
  public func name(of value: Value) -> String {
    switch transform {
    case .value: return value.description
    case .initial:
      guard let text = value.text else { return value.isNull ? "" : "#" }
      return text.withBytes { utf8 in
        TextFolding.withFolded(utf8, .localized) { TextFolding.initial(ofFolded: $0) }
      }
    case .day, .month, .year:
      guard case .date(let date) = value,
        let civil = CivilDate(secondsSince1970: date.timeIntervalSince1970)
      else { return value.description }
      return transform == .day
        ? civil.dayText : transform == .month ? civil.monthText : civil.yearText
    }
  }
}

extension SectionKey: CustomStringConvertible {
  /// The text that parses back to an equal section key.
  public var description: String {
    transform == .value && !keyPath.contains(":") ? keyPath : "\(keyPath):\(transform.rawValue)"
  }
}
