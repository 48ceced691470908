public import ObjectModel

/// The key of an object in the service.
public enum RESTKey: Hashable, Sendable {
  /// A whole number, which is the key of the object here, too.
  case integer(Int64)
  /// A text; of several values as the service writes them in an address.
  case text(String)

  /// The key in an address, without escapes.
  public var text: String {
    switch self {
    case .integer(let number): "\(number)"
    case .text(let text): text
    }
  }

  /// Creates a key from a whole number or a text of JSON; nil from anything else.
  public init?(_ value: JSONValue) {
    switch value {
    case .integer(let number): self = .integer(number)
    case .string(let text) where !text.isEmpty: self = .text(text)
    default: return nil
    }
  }
}

/// What a relationship of a representation leads to.
public struct RESTReference: Hashable, Sendable {
  /// The object's own entity.
  public var entityName: String
  /// Its key.
  public var key: RESTKey
  /// The object itself, if it came with the one that refers to it; nil if not.
  public var representation: JSONValue?

  /// Creates a reference.
  public init(_ entityName: String, _ key: RESTKey, representation: JSONValue? = nil) {
    (self.entityName, self.key, self.representation) = (entityName, key, representation)
  }
}

/// An answer of the service, with what was asked.
public struct RESTAnswer: Sendable {
  /// The entity that was asked for.
  public var entity: EntityDescription
  /// What was asked.
  public var request: HTTPRequest
  /// The answer.
  public var response: HTTPResponse
  /// Its body; null if it is empty.
  public var json: JSONValue

  /// Creates an answer.
  package init(
    to request: HTTPRequest, entity: EntityDescription, response: HTTPResponse, json: JSONValue
  ) {
    (self.entity, self.request, self.response, self.json) = (entity, request, response, json)
  }
}

/// How a fetch is asked of the service.
public struct RESTFetch: Sendable {
  /// The request of the first page.
  public var request: HTTPRequest
  /// What the service does of the fetch; the rest is done here.
  public var parts: PartialFetch.Parts
  /// The conditions of a predicate that the service does in part, which are looked at here, as
  /// predicate formats; for `--explain`.
  package var rest: [String] = []
  /// Whether the objects at the ends of the plan's `prefetchedPaths` come with the others.
  var hasPrefetched = false

  /// Creates a fetch.
  public init(_ request: HTTPRequest, parts: PartialFetch.Parts = []) {
    (self.request, self.parts) = (request, parts)
  }
}

/// One object that a save creates, changes or deletes.
public struct RESTChange: Hashable, Sendable {
  /// What is done.
  public enum Kind: Hashable, Sendable {
    /// The object is new.
    case create
    /// Some of its properties change.
    case update
    /// It is deleted.
    case delete
  }

  /// What is done.
  public var kind: Kind
  /// The object; a temporary ID if it is new.
  public var id: ObjectID
  /// Its entity.
  public var entity: EntityDescription
  /// Its key; nil if it is new.
  ///
  /// An object that was deleted and is created again keeps it.
  public var key: RESTKey?
  /// Its version in the service, an ETag; nil if there is none.
  public var version: String?
  /// The new values by attribute, decoded.
  public var values: [String: Value]
  /// The new destinations of to-one relationships; nil removes one.
  public var toOne: [String: ObjectID?]
  /// The objects that to-many relationships gain, by relationship.
  public var added: [String: [ObjectID]]
  /// The objects that to-many relationships lose, by relationship.
  public var removed: [String: [ObjectID]]
  /// The same text however often this change is sent.
  package var idempotencyKey: String
}

/// The keys of the objects that a save is about.
public struct RESTKeys: Sendable {
  /// The keys by object.
  var keys: [ObjectID: RESTKey]

  /// The key of an object; nil if it is new and the service has not created it yet.
  public subscript(id: ObjectID) -> RESTKey? { keys[id] }
}

/// What the service said to one change.
public enum RESTOutcome: Sendable {
  /// Yes; with the object as it is now, nil if the answer does not have it.
  case saved(JSONValue?)
  /// No, with the reasons.
  case refused([RESTRefusal])
  /// Somebody else has changed or deleted the object meanwhile.
  case conflict
}

/// One reason for which the service refused a change.
public struct RESTRefusal: Hashable, Sendable {
  /// The attribute or relationship; empty for the whole object.
  package var property: String
  /// The service's words.
  package var message: String

  /// Creates a reason.
  public init(_ message: String, property: String = "") {
    (self.message, self.property) = (message, property)
  }
}
