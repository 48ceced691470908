package import ObjectModel

/// Generates Swift classes from a model: a subclass of ManagedObject for each entity, with typed
/// properties.
///
/// Each class has a typed key for each attribute and relationship: `MODVD.title`, `MODVD.owner`. Its
/// name is that of the class in the model, without the module; if the model has none, the prefix
/// and the entity's name.
///
/// The classes belong to no actor, in modules of the main actor too.
///
/// Each entity gets a file that is overwritten each time, and a second one for hand-written code,
/// which is created only once. A last file lists the classes, for
/// `ManagedObjectContext.register(_:)` and `PersistentContainer`.
///
/// A required attribute without a value reads as 0, false, empty or the distant past; saving
/// reports it as missing. Transient attributes are properties too, and never written. Fetched
/// properties are read-only arrays. Fetch request templates and transient relationships get no code.
package struct SubclassGenerator {
  /// Who can use the generated classes.
  package enum Access: String, Hashable, Sendable, CaseIterable {
    /// The module that they are generated into.
    case `internal`
    /// Other modules too, which may also subclass them.
    case `public`
  }

  let model: ManagedObjectModel
  let prefix: String
  private let isPublic: Bool

  /// Creates a generator.
  ///
  /// - Parameters:
  ///   - model: A model that `validate()` accepts.
  ///   - prefix: The prefix of class names that the model does not give; may be empty.
  ///   - access: Who can use the classes.
  package init(model: ManagedObjectModel, prefix: String = "MO", access: Access = .internal) {
    self.model = model
    self.prefix = prefix
    isPublic = access == .public
  }

  /// The access level of members, with a space.
  var access: String { isPublic ? "public " : "" }

  /// The modifiers of classes, with a space.
  ///
  /// In a module whose declarations belong to the main actor by default a subclass of a nonisolated
  /// class must say that it does not; elsewhere it may.
  var classModifiers: String { isPublic ? "nonisolated open " : "nonisolated " }

  /// Import statements; what is public shows types of the modules.
  func imports(_ modules: [String]) -> String {
    modules.map { "\(access)import \($0)" }.joined(separator: "\n")
  }

  /// Generates the files.
  ///
  /// - Returns: The files; equal models give equal files.
  /// - Throws: ``ModelFileError`` when two names of the model become the same Swift name, or no
  ///   Swift name can begin with the prefix.
  package func files() throws(ModelFileError) -> [GeneratedFile] {
    try checkNames()
    var files: [GeneratedFile] = []
    for entity in model.entities.sorted(by: { $0.name < $1.name }) {
      let name = className(entity)
      files.append(GeneratedFile(name: name + ".swift", contents: source(of: entity)))
      files.append(
        GeneratedFile(
          name: name + "+Own.swift", contents: ownSource(of: entity), isWrittenOnce: true))
    }
    return files + [GeneratedFile(name: listName + ".swift", contents: list)]
  }

  /// Generates one file with all classes and the list of them, as a build tool plug-in needs it:
  /// its name does not depend on the model.
  ///
  /// - Parameter name: The name of the file.
  /// - Returns: The file; equal models give equal files.
  /// - Throws: As ``files()``.
  package func file(named name: String) throws(ModelFileError) -> GeneratedFile {
    try checkNames()
    let entities = model.entities.sorted { $0.name < $1.name }
    let parts =
      [Self.notice, imports(modules(of: entities.flatMap(ownAttributes)))]
      + entities.map(declaration) + [listDeclaration]
    return GeneratedFile(name: name, contents: parts.joined(separator: "\n\n") + "\n")
  }

  /// The Swift class name of an entity.
  func className(_ entity: EntityDescription) -> String {
    guard let given = entity.details.className?.split(separator: ".").last,
      given != "NSManagedObject", given != "ManagedObject"
    else { return SwiftName.type(entity.name, prefix: prefix) }
    return SwiftName.type(String(given), prefix: "")
  }

  /// The name of the enum that lists all classes.
  private var listName: String { prefix + "EntityClasses" }

  private func checkNames() throws(ModelFileError) {
    try check(prefix: prefix)
    try checkUnique(
      model.entities.map { ($0.name, className($0)) } + [("the list of classes", listName)],
      "two entities")
    for entity in model.entities {
      let names =
        entity.attributes.map(\.name) + entity.details.transientAttributes.map(\.name)
        + entity.relationships.map(\.name) + entity.details.fetchedProperties.map(\.name)
      try checkUnique(
        names.map { ($0, SwiftName.property($0)) }, "two properties of \(entity.name)")
    }
  }

  private func check(prefix: String) throws(ModelFileError) {
    if SwiftName.isBeginning(prefix) { return }
    throw ModelFileError(
      .unsupported, subject: "The prefix “\(prefix)”", detail: "no Swift name can begin with it",
      remedy: "use a prefix of letters, such as MO")
  }

  private func checkUnique(
    _ names: [(name: String, swift: String)], _ what: String
  ) throws(ModelFileError) {
    var seen: [String: String] = [:]
    for (name, swift) in names {
      guard let other = seen.updateValue(name, forKey: swift) else { continue }
      throw ModelFileError(
        .unsupported, subject: "The model",
        detail: "\(what), “\(other)” and “\(name)”, would both be named \(swift) in Swift",
        remedy: "rename one of them in the model")
    }
  }

  private var list: String {
    """
    \(Self.notice)

    \(imports(["ManagedObjects"]))

    \(listDeclaration)

    """
  }

  private var listDeclaration: String {
    let names = model.entities.map(className).sorted()
    return """
      /// The classes of all entities, for `ManagedObjectContext.register(_:)` and a
      /// `PersistentContainer`.
      nonisolated \(access)enum \(listName) {
        /// The classes, by name.
        \(access)static let all: [any EntityClass.Type] = [
      \(names.map { "    \($0).self," }.joined(separator: "\n"))
        ]
      }
      """
  }

  private func ownSource(of entity: EntityDescription) -> String {
    """
    // Hand-written code for the entity \(Self.inComment(entity.name)); `cardfile generate` never
    // overwrites this file.

    import Foundation
    import ManagedObjects
    import ObjectModel

    extension \(className(entity)) {
    }

    """
  }

  /// The header of files that are overwritten each time.
  static let notice = """
    // Generated by `cardfile generate` from a model. Do not edit: it is overwritten each time.
    // swift-format-ignore-file
    """

  /// A name without line breaks, for a one-line comment.
  static func inComment(_ name: String) -> String {
    String(name.map { $0.isNewline ? " " : $0 })
  }
}

/// A Swift source file generated from a model.
package struct GeneratedFile: Hashable, Sendable {
  /// The file name, such as `MOPerson.swift`.
  package var name: String
  /// The text of the file.
  package var contents: String
  /// Whether the file is for hand-written code, so that an existing file of this name must not be
  /// overwritten.
  package var isWrittenOnce = false
}
