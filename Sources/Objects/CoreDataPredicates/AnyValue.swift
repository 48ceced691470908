import Foundation
package import ObjectModel

/// An optional, of whatever type; a nil in `Any` is no nil of `Any?`.
private protocol OptionalInAny {
  var wrapped: Any? { get }
}

extension Optional: OptionalInAny {
  fileprivate var wrapped: Any? { self }
}

/// What is in an optional in `Any`, however often it is wrapped; nil for none.
package func unwrapped(_ any: Any?) -> Any? {
  guard let any else { return nil }
  guard let optional = any as? any OptionalInAny else { return any }
  return unwrapped(optional.wrapped)
}

extension Value {
  /// The value for what Core Data takes as Any; nil if no attribute can have it.
  package init?(any: Any?) {
    switch any {
    case nil, is NSNull: self = .null
    // A Swift number is no NSNumber here, unless it is cast.
    case let value as any AttributeValue: self = value.attributeValue
    case let number as NSDecimalNumber: self = .decimal(number.decimalValue)
    case let number as NSNumber: self.init(number)
    case let text as NSString: self = .string(text.description)
    case let date as NSDate:
      self = .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate))
    case let data as NSData: self = .data(Data(referencing: data))
    case let id as NSUUID: self = UUID(uuidString: id.uuidString).map(Value.uuid) ?? .null
    case let url as NSURL: self = .string(url.absoluteString)
    case let number as any BinaryInteger:
      guard let number = Int64(exactly: number) else { return nil }
      self = .integer(number)
    case let optional as any OptionalInAny: self.init(any: unwrapped(optional.wrapped))
    default: return nil
    }
  }

  private init(_ number: NSNumber) {
    switch String(cString: number.objCType) {
    case "d", "f": self = .double(number.doubleValue)
    // Booleans and numbers of 8 bits have one type.
    case "c" where (0...1).contains(number.int64Value), "B": self = .bool(number.boolValue)
    case "Q":
      let value = number.uint64Value
      self = Int64(exactly: value).map(Value.integer) ?? .decimal(Decimal(value))
    default: self = .integer(number.int64Value)
    }
  }

  /// The value as Core Data returns it: numbers and Booleans as NSNumber, so that they can be cast
  /// to any Swift number; nil for null.
  package var any: Any? {
    switch self {
    case .null: nil
    case .integer(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .bool(let truth): NSNumber(value: truth)
    case .decimal(let number): NSDecimalNumber(decimal: number)
    case .string(let text): text
    case .date(let date): date
    case .data(let data): data
    case .uuid(let id): id
    case .url(let url): url
    }
  }
}
