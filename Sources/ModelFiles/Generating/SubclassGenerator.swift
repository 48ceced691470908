public import ObjectModel

/// Makes Swift classes of a model: a subclass of ManagedObject for each entity, with typed properties.
///
/// For each entity there is a file that is written anew each time, and one beside it for the programmer, which is written
/// once. A last file lists the classes, for `ManagedObjectContext.register(_:)` and `StackFactory.entityClasses`.
///
/// A required attribute that is not set yet is 0, false, empty, or the distant past: the save asks for it, not the property.
/// Transient attributes are stored in the object, and are lost when nobody holds it. Fetched properties, fetch requests
/// and transient relationships are left out.
public struct SubclassGenerator {
  let model: ManagedObjectModel
  let prefix: String

  /// Prepares to generate.
  ///
  /// - Parameters:
  ///   - model: The model, which must be whole.
  ///   - prefix: What the names of classes begin with.
  public init(model: ManagedObjectModel, prefix: String = "MO") {
    self.model = model
    self.prefix = prefix
  }

  /// Makes the files.
  ///
  /// - Returns: The files, the same for the same model.
  /// - Throws: ``ModelFileError`` when two names of the model give one name in Swift, or the prefix begins no name.
  public func files() throws(ModelFileError) -> [GeneratedFile] {
    try checkNames()
    var files: [GeneratedFile] = []
    for entity in model.entities.sorted(by: { $0.name < $1.name }) {
      let name = className(entity.name)
      files.append(GeneratedFile(name: name + ".swift", contents: source(of: entity)))
      files.append(
        GeneratedFile(
          name: name + "+Own.swift", contents: ownSource(of: entity), isWrittenOnce: true))
    }
    return files + [GeneratedFile(name: listName + ".swift", contents: list)]
  }

  /// The name of an entity's class.
  func className(_ entity: String) -> String { SwiftName.type(entity, prefix: prefix) }

  /// The name of the list of all classes.
  private var listName: String { prefix + "EntityClasses" }

  private func checkNames() throws(ModelFileError) {
    try check(prefix: prefix)
    try checkUnique(
      model.entities.map { ($0.name, className($0.name)) } + [("the list of classes", listName)],
      "two entities")
    for entity in model.entities {
      let names =
        entity.attributes.map(\.name) + entity.details.transientAttributes.map(\.name)
        + entity.relationships.map(\.name)
      try checkUnique(
        names.map { ($0, SwiftName.property($0)) }, "two properties of \(entity.name)")
    }
  }

  private func check(prefix: String) throws(ModelFileError) {
    if SwiftName.isBeginning(prefix) { return }
    throw ModelFileError(
      .unsupported, subject: "The prefix “\(prefix)”", detail: "no name in Swift begins with it",
      remedy: "a prefix of letters, such as MO")
  }

  private func checkUnique(
    _ names: [(name: String, swift: String)], _ what: String
  ) throws(ModelFileError) {
    var seen: [String: String] = [:]
    for (name, swift) in names {
      guard let other = seen.updateValue(name, forKey: swift) else { continue }
      throw ModelFileError(
        .unsupported, subject: "The model",
        detail: "\(what), “\(other)” and “\(name)”, are both \(swift) in Swift",
        remedy: "rename one of them")
    }
  }

  private var list: String {
    let names = model.entities.map { className($0.name) }.sorted()
    return """
      \(Self.notice)

      import ManagedObjects

      /// The classes of all entities, for `ManagedObjectContext.register(_:)` and `StackFactory`.
      enum \(listName) {
        /// The classes, by name.
        static let all: [any EntityClass.Type] = [
      \(names.map { "    \($0).self," }.joined(separator: "\n"))
        ]
      }

      """
  }

  private func ownSource(of entity: EntityDescription) -> String {
    """
    // What objects of the entity \(Self.inComment(entity.name)) do, written by hand: `cardfile generate` leaves this file as it is.

    import Foundation
    import ManagedObjects
    import ObjectModel

    extension \(className(entity.name)) {
    }

    """
  }

  /// What stands at the head of files that are written anew.
  static let notice = """
    // Made by `cardfile generate` from a model. Do not edit: it is written anew each time.
    // swift-format-ignore-file
    """

  /// A name as it may stand in a comment of one line.
  static func inComment(_ name: String) -> String {
    String(name.map { $0.isNewline ? " " : $0 })
  }
}
