public import ObjectModel

/// An error of managed objects, as data.
///
/// `description` is the message.
public struct ManagedObjectError: Error, Hashable, Sendable {
  /// What went wrong.
  public enum Reason: Hashable, Sendable {
    /// Objects are not valid: see ``problems``.
    case validation
    /// A delete rule denies a deletion: see ``problems``.
    case denied
    /// The store changed since objects were read or a deletion was planned: see ``objectIDs`` and
    /// the difference in ``storeError``; or an object that a relationship was set to was deleted
    /// from it: see ``problems``.
    case conflict
    /// The store refused or failed: see ``storeError``.
    case store
    /// There is no such entity.
    case unknownEntity
    /// The entity has no such attribute or relationship.
    case unknownKey
    /// A value or an object has the wrong type for an attribute or a relationship.
    case wrongType
    /// The store, the entity or the attribute is read-only.
    case readOnly
    /// The object's row no longer exists, or its context is deallocated.
    case gone
    /// A deletion cannot be undone: another object has the key.
    case keyTaken
    /// A stack was changed after it was built.
    case alreadyBuilt
    /// There is no model of that name, or none at all.
    case modelNotFound
    /// It is not supported.
    case unsupported
  }

  /// One reason why a save failed.
  public struct Problem: Hashable, Sendable {
    /// The object.
    public var objectID: ObjectID
    /// The name to show for the object.
    public var name: String
    /// The attribute or relationship; empty for the whole object.
    public var key: String
    /// The kind of problem.
    public var code: Code
    /// What is wrong, such as "is required".
    public var message: String
    /// The object that the relationship leads to, if that was deleted from the store; else nil.
    public var destinationID: ObjectID?
    /// The value that is not valid; null for none.
    public var value = Value.null
    /// The rule of the model that the value breaks, as a predicate format; empty for another kind
    /// of problem.
    public var rule = ""

    /// The kinds of problems, with the error codes of Core Data.
    public enum Code: Int, Hashable, Sendable {
      /// A validation of the object's own class failed, or a setter that cannot throw could not set
      /// a property: NSManagedObjectValidationError.
      case own = 1550
      /// A required value is missing: NSValidationMissingMandatoryPropertyError.
      case missing = 1570
      /// A relationship has too few objects: NSValidationRelationshipLacksMinimumCountError.
      case tooFew = 1580
      /// A relationship has too many objects: NSValidationRelationshipExceedsMaximumCountError.
      case tooMany = 1590
      /// A delete rule denies a deletion: NSValidationRelationshipDeniedDeleteError.
      case deleteDenied = 1600
      /// A value breaks a rule of its attribute; Core Data has a code for each kind of rule.
      case rule = 1610
    }

    /// Describes a problem.
    package init(
      objectID: ObjectID, name: String, key: String, code: Code = .own, message: String,
      destinationID: ObjectID? = nil
    ) {
      self.objectID = objectID
      self.name = name
      self.key = key
      self.code = code
      self.message = message
      self.destinationID = destinationID
    }
  }

  /// What went wrong.
  public var reason: Reason
  /// The operation, such as "saving 3 objects".
  public var doing: String
  /// The object, entity or key of the operation.
  public var subject: String
  /// Details; empty if there are none.
  public var detail: String
  /// What to do about it; empty if there is no advice.
  public var remedy: String
  /// The objects that the error is about.
  public var objectIDs: [ObjectID]
  /// The reasons why a save failed.
  public var problems: [Problem]
  /// The conflicts with what others have saved that made a save fail.
  public var mergeConflicts: [ContextConflict] = []
  /// The uniqueness constraints that a save would have broken: the objects and the values that they
  /// have in common.
  public var constraintConflicts: [ConstraintConflict] = []
  /// The error of the store; nil if the store was not involved.
  public var storeError: StoreError?
  /// The objects themselves, in the domain of their context.
  var objects = ErrorObjects()

  /// Describes an error.
  package init(
    _ reason: Reason, doing: String, subject: String = "", detail: String = "",
    remedy: String = "", objectIDs: [ObjectID] = [], problems: [Problem] = [],
    storeError: StoreError? = nil
  ) {
    self.reason = reason
    self.doing = doing
    self.subject = subject
    self.detail = detail
    self.remedy = remedy
    self.objectIDs = objectIDs
    self.problems = problems
    self.storeError = storeError
  }

  /// Wraps the error of a store; a conflict stays a conflict, and what a service says of properties
  /// is what validation says.
  package init(_ error: StoreError, doing: String) {
    self.init(
      error.reason == .conflict ? .conflict : .store, doing: doing, objectIDs: error.objectIDs,
      storeError: error)
    guard !error.problems.isEmpty else { return }
    (reason, detail) = (.validation, error.detail)
    problems = error.problems.map {
      Problem(
        objectID: $0.objectID, name: $0.objectID.phrase, key: $0.property, message: $0.message)
    }
  }
}

extension ManagedObjectError: CustomStringConvertible {
  /// The message: the operation, its subject, what went wrong, and what to try.
  public var description: String {
    var lines: [String] = []
    switch reason {
    case .store: lines.append(storeError.map(String.init(describing:)) ?? doing)
    case .conflict:
      let deleted = Set(problems.compactMap(\.destinationID)).sorted()
      let difference =
        storeError?.difference ?? (deleted.isEmpty ? nil : SaveDifference(deleted: deleted))
      let changes = difference?.description ?? "\(count(objectIDs.count)) changed"
      lines.append("\(heading): in the store since: \(changes)")
      if remedy.isEmpty {
        lines.append(
          difference?.destinations.isEmpty == false
            ? "try: look at what would be deleted now, then delete again"
            : "try: keep your change, or take the one in the store")
      }
    default: lines.append(detail.isEmpty ? heading : "\(heading): \(detail)")
    }
    lines += problems.prefix(10).map {
      "  \($0.name): \($0.key)\($0.key.isEmpty ? "" : " ")\($0.message)"
    }
    if problems.count > 10 { lines.append("  and \(problems.count - 10) more") }
    if !remedy.isEmpty { lines.append("try: \(remedy)") }
    return lines.joined(separator: "\n")
  }

  private var heading: String {
    let why =
      switch reason {
      case .validation: "not valid"
      case .denied: "refused by a delete rule"
      case .conflict: "conflict"
      case .store: "store error"
      case .unknownEntity: "no such entity"
      case .unknownKey: "no such attribute or relationship"
      case .wrongType: "wrong type"
      case .readOnly: "cannot be changed"
      case .gone: "the object is gone"
      case .keyTaken: "another object has its key"
      case .alreadyBuilt: "the stack was built already"
      case .modelNotFound: "no such model"
      case .unsupported: "not supported"
      }
    return subject.isEmpty ? "\(doing): \(why)" : "\(doing): \(subject): \(why)"
  }

  private func count(_ objects: Int) -> String { objects == 1 ? "1 object" : "\(objects) objects" }
}

extension Error {
  /// The error of a store that this is, or that this one of managed objects wraps; nil for any
  /// other.
  package var storeError: StoreError? {
    self as? StoreError ?? (self as? ManagedObjectError)?.storeError
  }
}
