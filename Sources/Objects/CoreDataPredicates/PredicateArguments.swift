public import Foundation
public import ObjectModel

// Foundation's classes as arguments of NSPredicate(format:): ordinary code gives
// `NSNumber(value: true)`.

extension NSNumber: PredicateArgument {
  /// The number or Boolean.
  public var predicateArgument: FetchPredicate.Argument { .init(Value(any: self) ?? .null) }
}

extension NSString: PredicateArgument {
  /// The text.
  public var predicateArgument: FetchPredicate.Argument { .init(Value(any: self) ?? .null) }
}

extension NSDate: PredicateArgument {
  /// The date.
  public var predicateArgument: FetchPredicate.Argument { .init(Value(any: self) ?? .null) }
}

extension NSUUID: PredicateArgument {
  /// The UUID.
  public var predicateArgument: FetchPredicate.Argument { .init(Value(any: self) ?? .null) }
}

extension NSNull: PredicateArgument {
  /// Null.
  public var predicateArgument: FetchPredicate.Argument { .init(Value.null) }
}

extension NSArray: PredicateArgument {
  /// The elements as a list.
  public var predicateArgument: FetchPredicate.Argument {
    .init(list: map(CoreDataPredicates.predicateArgument))
  }
}

extension NSSet: PredicateArgument {
  /// The elements as a list, in no particular order.
  public var predicateArgument: FetchPredicate.Argument {
    .init(list: map(CoreDataPredicates.predicateArgument))
  }
}

/// The argument for a value of any type, null for a nil in it; traps if it cannot be compared.
package func predicateArgument(_ any: Any) -> any PredicateArgument {
  guard let any = unwrapped(any) else { return FetchPredicate.Argument(Value.null) }
  if let argument = any as? any PredicateArgument { return argument }
  if let list = any as? [Any] { return FetchPredicate.Argument(list: list.map(predicateArgument)) }
  guard let value = Value(any: any) else {
    preconditionFailure("A predicate cannot compare with a \(type(of: any)): \(any)")
  }
  return value
}
