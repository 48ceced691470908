/// The kind of a value; values of different kinds are never equal.
enum PredicateKind: Hashable {
  /// An integer, a double, a decimal or a boolean.
  case number
  /// Text or a URL.
  case text
  case date, data, uuid
  /// Any, as of an attribute without a type.
  case any

  /// The kind of a value; nil for null.
  init?(_ value: Value) {
    switch value {
    case .null: return nil
    case .integer, .double, .decimal, .bool: self = .number
    case .string, .url: self = .text
    case .date: self = .date
    case .data: self = .data
    case .uuid: self = .uuid
    }
  }

  /// The kind of an attribute's values.
  init(_ type: AttributeType) {
    switch type {
    case .undefined: self = .any
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: self = .number
    case .string, .uri: self = .text
    case .date: self = .date
    case .binaryData, .transformable: self = .data
    case .uuid: self = .uuid
    }
  }

  /// Whether values of the kinds can be equal.
  func isComparable(with other: PredicateKind) -> Bool {
    self == other || self == .any || other == .any
      || [.data, .uuid].contains(self) && [.data, .uuid].contains(other)
  }

  /// The kind with its article, for error messages.
  var phrase: String {
    switch self {
    case .number: "a number"
    case .text: "text"
    case .date: "a date"
    case .data: "bytes"
    case .uuid: "a UUID"
    case .any: "a value of any kind"
    }
  }
}

/// The static type of an expression, as far as the model determines it.
enum PredicateType {
  /// A value, and the attribute that it is of; no attribute for a computed value or a literal.
  case value(PredicateKind, of: AttributeDescription?)
  /// An object of an entity.
  case object(EntityDescription)
  /// A composite attribute of an object that a key path leads to; `keys` ends in its name.
  case composite(EntityDescription, keys: [String])
  /// A collection reached through a to-many relationship.
  indirect case collection(of: PredicateType)
  /// A list.
  case list
  /// NULL.
  case null

  var isCollection: Bool { if case .collection = self { true } else { false } }

  /// The type of a collection's members; any other type itself.
  var member: PredicateType { if case .collection(let member) = self { member } else { self } }

  /// The type of a collection with such members; nested collections are flattened.
  var collected: PredicateType { isCollection ? self : .collection(of: self) }

  /// The kind of a value; nil for anything else.
  var kind: PredicateKind? { if case .value(let kind, _) = self { kind } else { nil } }

  /// The attribute of a value; nil for anything else.
  var attribute: AttributeDescription? {
    if case .value(_, let attribute) = self { attribute } else { nil }
  }

  /// What an expression of this type is, for error messages.
  var phrase: String {
    switch self {
    case .value(_, let attribute?) where attribute.type != .undefined: attribute.type.phrase
    case .value(let kind, _): kind.phrase
    case .object(let entity): "an object (\(entity.name))"
    case .composite: "a composite attribute"
    case .collection: "a collection"
    case .list: "a list"
    case .null: "NULL"
    }
  }
}
