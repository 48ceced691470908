/// What a service can do with the objects of an entity; what it cannot is done here.
public struct RESTCapabilities: OptionSet, Hashable, Sendable {
  /// The capabilities as bits.
  public let rawValue: Int

  /// Creates a set of capabilities.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// It returns only the objects that meet a predicate, as far as the client can write it.
  public static let filter = RESTCapabilities(rawValue: 1)
  /// It sorts, as far as the client can write the order.
  public static let order = RESTCapabilities(rawValue: 2)
  /// It counts without returning objects.
  public static let count = RESTCapabilities(rawValue: 4)
  /// It returns several objects by their keys.
  public static let batch = RESTCapabilities(rawValue: 8)
  /// Each object has a version: `If-Match` refuses a change of an object that has changed
  /// meanwhile.
  ///
  /// Without it an object is read before it is changed.
  public static let versions = RESTCapabilities(rawValue: 16)
  /// It says what has changed since a moment, deletions among it.
  public static let changes = RESTCapabilities(rawValue: 32)
  /// It does what has an `Idempotency-Key` once, however often it is sent.
  public static let idempotency = RESTCapabilities(rawValue: 64)
  /// Objects can be created.
  public static let create = RESTCapabilities(rawValue: 128)
  /// Objects can be changed.
  public static let update = RESTCapabilities(rawValue: 256)
  /// Objects can be deleted.
  public static let delete = RESTCapabilities(rawValue: 512)
  /// The keys of objects are texts, not whole numbers.
  public static let textKeys = RESTCapabilities(rawValue: 1024)

  /// Objects can be created, changed and deleted.
  public static let writing: RESTCapabilities = [.create, .update, .delete]
}
