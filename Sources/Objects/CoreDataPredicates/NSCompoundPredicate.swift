package import ObjectModel

/// Predicates that are combined with AND or OR, or one that is negated.
///
/// Foundation's has no format, and is equal to any other one.
open class NSCompoundPredicate: NSPredicate {
  /// How predicates are combined.
  public enum LogicalType: UInt, Sendable {
    /// The only one is negated.
    case not
    /// All are true.
    case and
    /// One is true.
    case or
  }

  /// How the predicates are combined.
  public let compoundPredicateType: LogicalType
  /// The predicates.
  public let subpredicates: [NSPredicate]

  /// Combines predicates.
  ///
  /// - Parameters:
  ///   - type: How they are combined; `.not` takes one.
  ///   - subpredicates: The predicates.
  public init(type: LogicalType, subpredicates: [NSPredicate]) {
    precondition(type != .not || subpredicates.count == 1, "NOT is of one predicate.")
    compoundPredicateType = type
    self.subpredicates = subpredicates
    super.init(value: false)
  }

  /// Combines predicates with AND; without any the compound is true.
  public convenience init(andPredicateWithSubpredicates subpredicates: [NSPredicate]) {
    self.init(type: .and, subpredicates: subpredicates)
  }

  /// Combines predicates with OR; without any the compound is false.
  public convenience init(orPredicateWithSubpredicates subpredicates: [NSPredicate]) {
    self.init(type: .or, subpredicates: subpredicates)
  }

  /// Negates a predicate.
  public convenience init(notPredicateWithSubpredicate predicate: NSPredicate) {
    self.init(type: .not, subpredicates: [predicate])
  }

  package override var condition: FetchPredicate? {
    let parts = subpredicates.compactMap(\.condition)
    guard parts.count == subpredicates.count else { return nil }
    return switch compoundPredicateType {
    case .and: .all(parts)
    case .or: .any(parts)
    case .not: !.all(parts)
    }
  }

  /// Evaluates the parts, until one decides.
  open override func evaluate(
    with object: Any?, substitutionVariables bindings: [String: Any]?
  ) -> Bool {
    func isTrue(_ part: NSPredicate) -> Bool {
      part.evaluate(with: object, substitutionVariables: bindings)
    }
    return switch compoundPredicateType {
    case .and: subpredicates.allSatisfy(isTrue)
    case .or: subpredicates.contains(where: isTrue)
    case .not: !subpredicates.contains(where: isTrue)
    }
  }

  open override var predicateFormat: String {
    if let condition { return condition.description }
    // Blocks have no condition, but parts that have one may stand beside them.
    let parts = subpredicates.map {
      $0 is NSCompoundPredicate ? "(\($0.predicateFormat))" : $0.predicateFormat
    }
    return switch compoundPredicateType {
    case .not: "NOT (\(parts.joined()))"
    case .and: parts.joined(separator: " AND ")
    case .or: parts.joined(separator: " OR ")
    }
  }

  /// Whether an object is the same condition, or combines the same blocks in the same way.
  open override func isEqual(_ object: Any?) -> Bool {
    if super.isEqual(object) { return true }
    guard condition == nil, let other = object as? NSCompoundPredicate else { return false }
    return compoundPredicateType == other.compoundPredicateType
      && subpredicates == other.subpredicates
  }

  open override var hash: Int {
    if let condition { return condition.hashValue }
    var hasher = Hasher()
    hasher.combine(compoundPredicateType)
    hasher.combine(subpredicates)
    return hasher.finalize()
  }
}
