extension FetchPredicate.Node {
  /// The condition with everything computed that no object has a part in: `5 + 5`, and `now()`, which
  /// is one moment for all objects then.
  package var computingConstants: FetchPredicate.Node { replacing(\.computed) }
}

extension FetchPredicate.Expression {
  /// The value of a function, a cast or an element whose operands are constants; any other
  /// expression unchanged.
  fileprivate var computed: FetchPredicate.Expression {
    let operands: [FetchPredicate.Expression]
    switch self {
    case .function(let name, _) where PredicateFunction(written: name) == .random: return self
    case .function(_, let arguments): operands = arguments
    case .cast(let operand, _): operands = [operand]
    case .element(.list(let items), .index(let index)): operands = items + [index]
    case .element(.list(let items), _): operands = items
    default: return self
    }
    guard operands.allSatisfy(\.isConstant) else { return self }
    let evaluator = PredicateEvaluator(subject: NoSubject(), variables: [:])
    guard case .value(let value)? = try? evaluator.operand(self) else { return self }
    return .constant(value)
  }

  private var isConstant: Bool {
    switch self {
    case .constant: true
    case .list(let items): items.allSatisfy(\.isConstant)
    default: false
    }
  }
}

/// The subject of expressions without keys.
private struct NoSubject: PredicateSubject {
  var objectID: ObjectID { ObjectID(storeIdentifier: "", entityName: "", key: .temporary(0)) }

  func operand(forKey key: String) -> PredicateOperand { .missing }
}
