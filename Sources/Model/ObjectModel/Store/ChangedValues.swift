/// The stored values that a save writes of one object, by attribute name.
///
/// Those of a new object are its row, which is not copied; of an updated one they are a dictionary.
public struct ChangedValues: Sendable {
  private enum Storage: Sendable {
    case named([String: Value])
    case row(RowValues, names: [String], unset: Set<Int>)
  }

  private var storage: Storage

  /// Creates a set of values.
  ///
  /// - Parameter values: The stored values by attribute name.
  package init(_ values: [String: Value] = [:]) { storage = .named(values) }

  /// Creates the values of a new row.
  ///
  /// - Parameters:
  ///   - row: The values of all attributes.
  ///   - names: The names of the attributes.
  ///   - unset: The indexes of those that were not set: their columns get their defaults.
  package init(row: RowValues, names: [String], unset: Set<Int>) {
    storage = .row(row, names: names, unset: unset)
  }

  /// The values of all attributes, and which of them were not set; nil if there are only some.
  package var row: (values: RowValues, unset: Set<Int>)? {
    if case .row(let values, _, let unset) = storage { (values, unset) } else { nil }
  }

  /// The values by attribute name.
  package var dictionary: [String: Value] {
    switch storage {
    case .named(let values): return values
    case .row(let row, let names, let unset):
      var values: [String: Value] = [:]
      values.reserveCapacity(row.count)
      for (index, (name, value)) in zip(names, row).enumerated() where !unset.contains(index) {
        values[name] = value
      }
      return values
    }
  }

  /// The names of the attributes.
  package var keys: Set<String> { Set(dictionary.keys) }

  /// The value of an attribute; nil if it is not written.
  public subscript(name: String) -> Value? {
    get {
      switch storage {
      case .named(let values): values[name]
      case .row(_, let names, _): names.firstIndex(of: name).flatMap { value(at: $0, name) }
      }
    }
    set {
      var values = dictionary
      storage = .named([:])
      values[name] = newValue
      storage = .named(values)
    }
  }

  /// The value of an attribute of which the index in its entity is known too.
  package func value(at index: Int, _ name: String) -> Value? {
    guard case .row(let row, _, let unset) = storage else { return self[name] }
    return row.indices.contains(index) && !unset.contains(index) ? row[index] : nil
  }
}

extension ChangedValues: Hashable {
  /// Compares names and values.
  public static func == (lhs: ChangedValues, rhs: ChangedValues) -> Bool {
    lhs.dictionary == rhs.dictionary
  }

  /// Hashes names and values.
  public func hash(into hasher: inout Hasher) { hasher.combine(dictionary) }
}

extension ChangedValues: ExpressibleByDictionaryLiteral {
  /// Creates a set of values from a list of names and values.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
