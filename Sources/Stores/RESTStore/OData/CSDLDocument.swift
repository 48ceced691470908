import Foundation

/// What the metadata document of an OData service declares, with qualified names.
struct CSDLDocument {
  /// A property with values.
  struct Property {
    var name: String
    /// The qualified name of its type, of its members' type if it is a collection.
    var type: String
    var isCollection = false
    var isNullable = true
    var maxLength: Int?
    /// Digits after the second of a date; 0 if the document does not say.
    var precision: Int?
    var defaultValue: String?
    /// Whether the service computes its values.
    var isComputed = false
  }

  /// A property that leads to objects.
  struct Navigation {
    var name: String
    /// The qualified name of the entity type that it leads to.
    var type: String
    var isCollection = false
    var isNullable = true
    /// The name of the navigation property that leads back; nil if there is none.
    var partner: String?
    /// The properties that hold the key of the destination.
    var constraints: [(property: String, referenced: String)] = []
    /// `Cascade`, `None`, `SetNull` or `SetDefault`; nil if the document does not say.
    var onDelete: String?
  }

  /// An entity type or a complex type.
  struct StructuredType {
    /// The qualified name.
    var name: String
    var isEntity: Bool
    /// The qualified name of the type that it extends.
    var base: String?
    var isAbstract = false
    /// The paths of its key's properties; empty if it inherits its key.
    var key: [String] = []
    var properties: [Property] = []
    var navigations: [Navigation] = []
  }

  /// An enumeration.
  struct Enumeration {
    var members: [String]
    var isFlags: Bool
  }

  /// A set of objects that the service publishes.
  struct EntitySet {
    var name: String
    /// The qualified name of its entity type.
    var type: String
    var capabilities = ODataCapabilities()
  }

  /// `4.0` or `4.01`.
  var version = "4.0"
  /// Whether several requests can be sent as one.
  var hasBatch = true
  var types: [StructuredType] = []
  var enumerations: [String: Enumeration] = [:]
  /// The qualified name of the type that a type definition stands for.
  var definitions: [String: String] = [:]
  var sets: [EntitySet] = []
  /// What is in the document and not used, one sentence each.
  var notes: [String] = []
}

/// What a service can do with the objects of a set, from the annotations of the vocabulary
/// Capabilities; without them, what OData demands.
struct ODataCapabilities: Hashable, Sendable {
  var isFilterable = true
  /// Paths of properties that `$filter` cannot have.
  var nonFilterable: Set<String> = []
  var isSortable = true
  /// Paths of properties that `$orderby` cannot have.
  var nonSortable: Set<String> = []
  var hasCount = true
  var isExpandable = true
  var tracksChanges = false
  /// Whether objects have an ETag.
  var hasVersions = false
  var isInsertable = true
  var isUpdatable = true
  var isDeletable = true
}
