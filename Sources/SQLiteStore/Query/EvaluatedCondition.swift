import ObjectModel

/// A comparison that `cardfile_evaluate` hands to the evaluator of memory, its key paths replaced by places of arguments.
struct EvaluatedCondition: Hashable, Sendable {
  /// What arguments stand for.
  indirect enum Leaf: Hashable, Sendable {
    /// The stored value of an attribute: one argument.
    case attribute(AttributeDescription)
    /// An object by its key: an argument a key column, and one for its entity where several are possible.
    case object(
      storeIdentifier: String, entityName: String, entityNames: [Value: String], keyCount: Int,
      isRowid: Bool)
    /// What `cardfile_gather` gathered: one argument.
    case collection(of: Leaf, isObject: Bool)

    /// How many arguments it takes.
    var argumentCount: Int {
      switch self {
      case .attribute, .collection: 1
      case .object(_, _, let entityNames, let keyCount, _):
        keyCount + (entityNames.isEmpty ? 0 : 1)
      }
    }
  }

  /// The key under which an element of a collection gives its value.
  static let elementKey = "value"

  /// The comparison; its key paths begin with the place of a leaf.
  let predicate: FetchPredicate
  let leaves: [Leaf]

  /// Whether the condition holds for arguments.
  func holds(_ arguments: some Collection<Value>) -> Bool {
    var rest = arguments[...]
    let operands = leaves.map { leaf in
      let own = rest.prefix(leaf.argumentCount)
      rest = rest.dropFirst(leaf.argumentCount)
      return leaf.operand(Array(own))
    }
    return predicate.matches(Row(operands: operands))
  }

  /// The row that the evaluator sees: its keys are places.
  private struct Row: PredicateSubject {
    let operands: [PredicateOperand]

    var objectID: ObjectID { .ofNoObject }

    func operand(forKey key: String) -> PredicateOperand {
      guard let place = Int(key), operands.indices.contains(place) else { return .missing }
      return operands[place]
    }
  }
}

extension EvaluatedCondition.Leaf {
  /// An object of which only the ID and one value are known.
  private struct Element: PredicateSubject {
    var objectID = ObjectID.ofNoObject
    var value = PredicateOperand.missing

    func operand(forKey key: String) -> PredicateOperand {
      key == EvaluatedCondition.elementKey ? value : .missing
    }
  }

  /// What the arguments mean.
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
      let elements = GatheredValues(data).rows(of: leaf.argumentCount).map {
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
  /// Stands where there is an evaluation but no object.
  fileprivate static let ofNoObject = ObjectID(
    storeIdentifier: "", entityName: "", key: .temporary(0))

  /// Names an object by the stored values of its key; nil when one of them is null.
  ///
  /// A rowid that stands as text or a whole double in a foreign key is the integer that SQLite takes it for.
  init?(storeIdentifier: String, entityName: String, keyValues: [Value], isRowid: Bool) {
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
