package import ObjectModel

/// A comparison that `cardfile_evaluate` evaluates in memory, each key path replaced by the index
/// of an operand.
package struct EvaluatedCondition: Hashable, Sendable {
  /// An operand, and how it is decoded from the function's arguments.
  indirect enum Leaf: Hashable, Sendable {
    /// The stored value of an attribute: one argument.
    case attribute(AttributeDescription)
    /// An object: one argument for each key column, and one for the entity if there are several.
    case object(
      storeIdentifier: String, entityName: String, entityNames: [Value: String], keyCount: Int,
      isRowid: Bool)
    /// The result of `cardfile_group_rows`: one argument.
    case collection(of: Leaf, isObject: Bool)

    /// The number of arguments.
    var argumentCount: Int {
      switch self {
      case .attribute, .collection: 1
      case .object(_, _, let entityNames, let keyCount, _):
        keyCount + (entityNames.isEmpty ? 0 : 1)
      }
    }
  }

  /// The key of a collection element's value.
  static let elementKey = "value"

  /// The comparison; the first key of a key path is an index in ``leaves``.
  let predicate: FetchPredicate
  let leaves: [Leaf]

  /// Evaluates the comparison for arguments of the function.
  ///
  /// - Throws: ``FetchPredicateError`` if MATCHES fails.
  package func holds(_ arguments: some Collection<Value>) throws -> Bool {
    var rest = arguments[...]
    let operands = leaves.map { leaf in
      let own = rest.prefix(leaf.argumentCount)
      rest = rest.dropFirst(leaf.argumentCount)
      return leaf.operand(Array(own))
    }
    return try predicate.matches(Row(operands: operands))
  }

  /// The object that the predicate is evaluated on: its keys are indexes of operands.
  private struct Row: PredicateSubject {
    let operands: [PredicateOperand]

    var objectID: ObjectID { .ofNoObject }

    func operand(forKey key: String) -> PredicateOperand {
      guard let index = Int(key), operands.indices.contains(index) else { return .missing }
      return operands[index]
    }
  }
}

extension EvaluatedCondition.Leaf {
  /// A collection element, with its object ID or one value.
  private struct Element: PredicateSubject {
    var objectID = ObjectID.ofNoObject
    var value = PredicateOperand.missing

    func operand(forKey key: String) -> PredicateOperand {
      key == EvaluatedCondition.elementKey ? value : .missing
    }
  }

  /// The operand that the arguments encode.
  fileprivate func operand(_ arguments: [Value]) -> PredicateOperand {
    switch self {
    case .attribute(let attribute):
      return .value(attribute.decode(arguments.first ?? .null))
    case .object(let storeIdentifier, let declared, let entityNames, let keyCount, let isRowid):
      guard
        let id = ObjectID(
          storeIdentifier: storeIdentifier,
          entityName: arguments.last.flatMap { entityNames[$0] } ?? declared,
          keyValues: Array(arguments.prefix(keyCount)),
          isRowid: isRowid)
      else { return .value(.null) }
      return .object(Element(objectID: id))
    case .collection(let leaf, let isObject):
      guard case .data(let data)? = arguments.first else { return .collection([]) }
      let elements = EncodedRows(data).rows(of: leaf.argumentCount).map {
        row -> any PredicateSubject in
        let operand = leaf.operand(row)
        if isObject, case .object(let object) = operand { return object }
        return Element(value: operand)
      }
      return .collection(elements)
    }
  }
}

extension ObjectID {
  /// The ID of a subject that is not an object.
  fileprivate static let ofNoObject = ObjectID(
    storeIdentifier: "", entityName: "", key: .temporary(0))

  /// Creates an ID from the stored values of a key; nil if one of them is NULL.
  ///
  /// A rowid that a foreign key contains as text or as a whole double is converted to an integer,
  /// as SQLite does in a comparison.
  package init?(storeIdentifier: String, entityName: String, keyValues: [Value], isRowid: Bool) {
    guard !keyValues.contains(.null), !keyValues.isEmpty else { return nil }
    let key: ObjectKey
    if isRowid {
      switch keyValues.first {
      case .integer(let number)?: key = .integer(number)
      case .double(let number)?:
        guard let number = Int64(exactly: number) else { return nil }
        key = .integer(number)
      case .string(let text)?:
        guard let number = Int64(text) else { return nil }
        key = .integer(number)
      default: return nil
      }
    } else {
      key = .composite(keyValues)
    }
    self.init(storeIdentifier: storeIdentifier, entityName: entityName, key: key)
  }
}
