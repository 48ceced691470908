extension PredicateOperand {
  /// The value; null for an object, a collection, or a missing key.
  package var single: Value {
    if case .value(let value) = self { value } else { .null }
  }

  /// The members of a collection; a single value or object is its own only member, null has none.
  package var members: [PredicateOperand] {
    switch self {
    case .collection(let objects): objects.map { .object($0) }
    case .values(let values): values
    case .missing, .value(.null): []
    case .value, .object: [self]
    }
  }

  /// Whether this is a collection.
  var isCollection: Bool {
    switch self {
    case .collection, .values: true
    case .value, .object, .missing: false
    }
  }

  /// Evaluates a key path, which may contain collection operators, from this operand.
  package func operand(at keys: ArraySlice<String>) -> PredicateOperand {
    var current = self
    for index in keys.indices {
      let key = keys[index]
      if key.utf8.first == UInt8(ascii: "@"), let calculation = CollectionOperator(rawValue: key) {
        return current.calculate(calculation, keys[(index + 1)...])
      }
      current = current.operand(forKey: key)
    }
    return current
  }

  private func operand(forKey key: String) -> PredicateOperand {
    switch self {
    case .object(let object): object.operand(forKeyOrEntity: key)
    case .collection(let objects): .flattened(objects.map { $0.operand(forKeyOrEntity: key) })
    case .values(let values): .flattened(values.map { $0.operand(forKey: key) })
    case .value(let value) where key == VirtualKey.length:
      .value(PredicateFunction.length.value([value]))
    case .value, .missing: .missing
    }
  }

  /// A collection of operands, with members that are collections replaced by their members.
  private static func flattened(_ operands: [PredicateOperand]) -> PredicateOperand {
    .values(operands.flatMap { $0.isCollection ? $0.members : [$0] })
  }

  private func calculate(
    _ calculation: CollectionOperator, _ keys: ArraySlice<String>
  ) -> PredicateOperand {
    if let function = calculation.function {
      return .value(function.value(operand(at: keys).members.map(\.single)))
    }
    let end = keys.firstIndex { $0.hasPrefix("@") } ?? keys.endIndex
    let members = operand(at: keys[..<end]).members
    let union = calculation == .unionOfObjects ? members : Self.distinct(members)
    return PredicateOperand.values(union).operand(at: keys[end...])
  }

  /// The distinct members except nulls, in the order of their first occurrence.
  private static func distinct(_ members: [PredicateOperand]) -> [PredicateOperand] {
    var values: Set<Value> = []
    var objects: Set<ObjectID> = []
    return members.filter { member in
      switch member {
      case .value(let value): !value.isNull && values.insert(value).inserted
      case .object(let object): objects.insert(object.objectID).inserted
      case .collection, .values, .missing: false
      }
    }
  }
}

/// The keys that objects and values have without being properties of a model.
package enum VirtualKey {
  /// The name of an object's entity; `entity.name` is the same.
  package static let entity = "entity"
  /// The length of a text in UTF-16 units.
  package static let length = "length"
  /// The object itself.
  static let objectID = "objectID"
}

extension PredicateSubject {
  /// The operand of a property; the name of the object's entity for `entity` if it has no property
  /// of that name.
  fileprivate func operand(forKeyOrEntity key: String) -> PredicateOperand {
    let operand = operand(forKey: key)
    if case .missing = operand, key == VirtualKey.entity {
      return .value(.string(objectID.entityName))
    }
    return operand
  }
}

/// The collection operators of a key path, such as `@count`.
enum CollectionOperator: String, CaseIterable, Sendable {
  case count = "@count"
  case sum = "@sum"
  case min = "@min"
  case max = "@max"
  case average = "@avg"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfObjects = "@unionOfObjects"

  /// The aggregate function of the operator; nil if its result is a collection.
  var function: PredicateFunction? {
    switch self {
    case .count: .count
    case .sum: .sum
    case .min: .min
    case .max: .max
    case .average: .average
    case .distinctUnionOfObjects, .unionOfObjects: nil
    }
  }
}
