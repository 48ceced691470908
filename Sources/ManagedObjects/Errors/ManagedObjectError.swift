public import ObjectModel

/// Something that went wrong with objects, as data.
///
/// `description` makes the sentence.
public struct ManagedObjectError: Error, Hashable, Sendable {
  /// Why it went wrong.
  public enum Reason: Hashable, Sendable {
    /// Objects do not meet their entity's rules: see ``problems``.
    case validation
    /// A delete rule refuses a deletion: see ``problems``.
    case denied
    /// The store changed since objects were read or a deletion was planned: see ``objectIDs`` and the difference in
    /// ``storeError``.
    case conflict
    /// The store refused or failed: see ``storeError``.
    case store
    /// There is no such entity.
    case unknownEntity
    /// The entity has no such attribute or relationship.
    case unknownKey
    /// A value or an object does not fit an attribute or a relationship.
    case wrongType
    /// It cannot be changed.
    case readOnly
    /// The object's row is gone, or its context is.
    case gone
    /// A deleted object cannot come back: another has its key.
    case keyTaken
    /// A stack was changed after it was built.
    case alreadyBuilt
    /// No model of that name, or none at all.
    case modelNotFound
    /// It is not supported.
    case unsupported
  }

  /// One thing that keeps a save from being made.
  public struct Problem: Hashable, Sendable {
    /// The object.
    public var objectID: ObjectID
    /// What the object is called.
    public var name: String
    /// The attribute or relationship.
    public var key: String
    /// What is wrong with it, as "is required".
    public var message: String

    /// Describes a problem.
    ///
    /// - Parameters:
    ///   - objectID: The object.
    ///   - name: What it is called.
    ///   - key: The attribute or relationship.
    ///   - message: What is wrong with it.
    public init(objectID: ObjectID, name: String, key: String, message: String) {
      self.objectID = objectID
      self.name = name
      self.key = key
      self.message = message
    }
  }

  /// Why it went wrong.
  public var reason: Reason
  /// What was being done, as "saving 3 objects".
  public var doing: String
  /// What it was done to: an object, an entity, a key.
  public var subject: String
  /// More words; empty for none.
  public var detail: String
  /// What a person can do about it; empty for nothing.
  public var remedy: String
  /// The objects concerned.
  public var objectIDs: [ObjectID]
  /// What keeps a save from being made, one by one.
  public var problems: [Problem]
  /// What the store said; nil when it was not asked.
  public var storeError: StoreError?

  /// Describes an error.
  ///
  /// - Parameters:
  ///   - reason: Why it went wrong.
  ///   - doing: What was being done.
  ///   - subject: What it was done to.
  ///   - detail: More words.
  ///   - remedy: What a person can do about it.
  ///   - objectIDs: The objects concerned.
  ///   - problems: What keeps a save from being made.
  ///   - storeError: What the store said.
  public init(
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

  /// Wraps what a store said; a conflict stays one.
  ///
  /// - Parameters:
  ///   - error: What the store said.
  ///   - doing: What was being done.
  public init(_ error: StoreError, doing: String) {
    self.init(
      error.reason == .conflict ? .conflict : .store, doing: doing, objectIDs: error.objectIDs,
      storeError: error)
  }
}

extension ManagedObjectError: CustomStringConvertible {
  /// One sentence: what, where and why; then what to try.
  public var description: String {
    var lines: [String] = []
    switch reason {
    case .store: lines.append(storeError.map(String.init(describing:)) ?? doing)
    case .conflict:
      let difference = storeError?.difference
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
    lines += problems.prefix(10).map { "  \($0.name): \($0.key) \($0.message)" }
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
