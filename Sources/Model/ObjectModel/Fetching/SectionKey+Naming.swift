import Foundation

extension SectionKey {
  /// Parses a section key: a key path, optionally followed by a colon and the name of a
  /// ``Transform``.
  ///
  /// - Parameter text: The text, such as `surname` or `born:month`. The result is nil if the key
  ///   path is empty or the word after the colon is unknown.
  package init?(_ text: String) {
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
    case .value:
      if case .data = value { return "BLOB" }
      return value.description
    case .initial:
      guard let text = value.text else { return value.isNull ? "" : "#" }
      return Self.initial(of: text)
    default:
      guard case .date(let date) = value,
        let day = CivilDate(secondsSince1970: date.timeIntervalSince1970)
      else { return value.description }
      return transform.name(of: day) ?? value.description
    }
  }
}

extension SectionKey {
  /// Returns the name of the section for a value of an attribute.
  ///
  /// - Parameters:
  ///   - value: The decoded value.
  ///   - attribute: The attribute; nil if the key path leads nowhere.
  /// - Returns: The name. Values that are not of the attribute's kind have one section.
  package func name(of value: Value, _ attribute: AttributeDescription?) -> String {
    guard let attribute else { return name(of: value) }
    if attribute.isForeign(value), let kind = attribute.kind { return "≠ \(kind.rawValue)" }
    // Numbers that are equal have one name.
    switch (attribute.type, value) {
    case (.double, .integer(let number)), (.float, .integer(let number)):
      return name(of: Double(exactly: number).map(Value.double) ?? value)
    case (.integer16, .double(let number)), (.integer32, .double(let number)),
      (.integer64, .double(let number)):
      return name(of: Int64(exactly: number).map(Value.integer) ?? value)
    case (_, .decimal): return name(of: .double(value.number?.approximation ?? .nan))
    default: return name(of: value)
    }
  }

  /// Returns the name of the section for a value of an attribute in a list with an order.
  ///
  /// - Parameters:
  ///   - value: The decoded value.
  ///   - attribute: The attribute; nil if the key path leads nowhere.
  ///   - descriptors: The order, whose collation says which initials there are.
  /// - Returns: The name.
  package func name(
    of value: Value, _ attribute: AttributeDescription?, by descriptors: [FetchSortDescriptor]
  ) -> String {
    if transform == .initial, let first = descriptors.first, first.keyPath == keyPath,
      let collation = first.collation, let text = value.text, attribute?.isForeign(value) != true
    {
      return collation.initial(of: text)
    }
    return name(of: value, attribute)
  }

  /// The initial of a text: its first letter as a capital, without diacritics; `#` for a digit or a
  /// sign; empty for an empty text.
  static func initial(of text: String) -> String {
    text.withBytes { utf8 in
      TextFolding.withFolded(utf8, .localized) { TextFolding.initial(ofFolded: $0) }
    }
  }

  /// Whether the order of a fetch keeps sections together, whatever the values are.
  package func agrees(with descriptors: [FetchSortDescriptor], _ attribute: AttributeDescription)
    -> Bool
  {
    guard let first = descriptors.first, first.keyPath == keyPath else { return false }
    guard transform == .initial, attribute.kind == .text || attribute.kind == nil else {
      return true
    }
    return first.collation != nil || first.folding?.isSuperset(of: .localized) ?? false
  }
}

extension SectionKey: CustomStringConvertible {
  /// The text that parses back to an equal section key.
  public var description: String {
    transform == .value && !keyPath.contains(":") ? keyPath : "\(keyPath):\(transform.rawValue)"
  }
}

extension SectionKey {
  /// The sections of ordered rows.
  ///
  /// - Parameters:
  ///   - values: The decoded value of each row, and its attribute.
  ///   - descriptors: The order.
  /// - Returns: The runs of rows whose values have one name.
  package func runs(
    of values: some Sequence<(Value, AttributeDescription?)>, _ descriptors: [FetchSortDescriptor]
  ) -> [SectionRun] {
    var runs: [SectionRun] = []
    var names = SectionNames()
    for (value, attribute) in values {
      let name = name(of: value, attribute, by: descriptors)
      if let section = names.next(name) {
        let isAgreed = attribute.map { agrees(with: descriptors, $0) } ?? false
        runs.append(SectionRun(name: isAgreed ? section.name : name, count: 1))
      } else {
        runs[runs.count - 1].count += 1
      }
    }
    return runs
  }
}
