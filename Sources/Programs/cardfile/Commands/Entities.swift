import ArgumentParser
import ObjectModel
import SQLiteStore
import RowOutput

/// `cardfile entities`: prints the entities of a store.
struct Entities: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "entities",
    abstract: "List the entities of a store and count their objects.",
    discussion: """
      A view or virtual table that fails when it is counted, or takes longer than 5 seconds, has no \
      count (null in json); the other entities are listed nevertheless, and the exit status is 3.

      The sub-entities of an entity of a Core Data store are listed below it. Objects counts their \
      objects too; Own counts only the objects of the entity itself.

      json prints one object, entity name to {"count": objects with those of sub-entities, \
      "own": objects of the entity itself, "abstract": whether it is abstract, "super": the \
      entity it inherits from, or null}.

      EXAMPLE
        cardfile entities chinook.sqlite --format json
      """)

  @OptionGroup var storeArgument: StoreArgument

  @Option(help: "The output format.")
  var format = ListFormat.table

  func run() throws {
    let opened = try OpenedStore(storeArgument)
    for entity in opened.store.model.entities {
      try opened.updateForCount(of: FetchPlan(entityName: entity.name))
    }
    var output = StandardOutput()
    var failure: StoreError?
    try opened.store.inReadTransaction {
      output.startOver()
      failure = nil
      switch format {
      case .table: try writeTable(opened, to: &output, &failure)
      case .json: try writeJSON(opened, to: &output, &failure)
      }
    }
    try output.flush()
    if let failure { throw failure }
  }

  /// How long a view is counted, in seconds: it may never end.
  private static let viewTimeLimit = 5.0

  /// Counts an entity's objects; returns nil and records the failure if its view or virtual table
  /// fails.
  private func count(
    _ entity: EntityDescription, in opened: OpenedStore, includesSubentities: Bool = true,
    _ failure: inout StoreError?
  ) throws(StoreError) -> Int? {
    do {
      return try opened.store.count(
        FetchPlan(entityName: entity.name, includesSubentities: includesSubentities),
        control: entity.readOnlyReason == nil ? nil : FetchControl(timeLimit: Self.viewTimeLimit))
    } catch {
      guard [.other, .cancelled].contains(error.reason), entity.readOnlyReason != nil,
        Interruption.signal == nil
      else { throw error }
      var error = error
      if error.reason == .cancelled {
        error.detail = "counting \(entity.name) takes longer than \(Int(Self.viewTimeLimit)) s"
        error.reason = .other
      }
      failure = failure ?? error
      return nil
    }
  }

  private func writeTable(
    _ opened: OpenedStore, to output: inout StandardOutput, _ failure: inout StoreError?
  ) throws {
    let hierarchy = opened.store.model.hierarchy
    let hasInheritance = hierarchy.contains { $0.depth > 0 }
    var table = TextTable(
      columns: [.init(title: "Entity", isNumeric: false), .init(title: "Objects", isNumeric: true)]
        + (hasInheritance ? [.init(title: "Own", isNumeric: true)] : [])
        + [.init(title: "Relationships", isNumeric: false)], widestCell: 100)
    for ranked in hierarchy {
      let entity = ranked.entity
      let count = try count(entity, in: opened, &failure)
      let own = hasInheritance ? [try own(ranked, count: count, in: opened, &failure)] : []
      try table.write(
        [String(repeating: "  ", count: ranked.depth) + entity.title]
          + ([count] + own).map { $0.map(String.init) ?? "—" }
          + [entity.relationships.map(\.name).joined(separator: " ")], to: &output)
    }
    try table.finish(&output)
  }

  /// Counts an entity's own objects, without those of sub-entities.
  private func own(
    _ ranked: ManagedObjectModel.RankedEntity, count: Int?, in opened: OpenedStore,
    _ failure: inout StoreError?
  ) throws(StoreError) -> Int? {
    guard ranked.hasSubentities else { return count }
    return try self.count(ranked.entity, in: opened, includesSubentities: false, &failure)
  }

  private func writeJSON(
    _ opened: OpenedStore, to output: inout StandardOutput, _ failure: inout StoreError?
  ) throws {
    var separator = "{"
    for ranked in opened.store.model.hierarchy {
      let entity = ranked.entity
      let count = try count(entity, in: opened, &failure)
      let own = try own(ranked, count: count, in: opened, &failure)
      output.bytes.append(contentsOf: "\(separator)\n ".utf8)
      JSONText.append(entity.name, to: &output.bytes)
      let fields = [
        ("count", count.map(String.init) ?? "null"), ("own", own.map(String.init) ?? "null"),
        ("abstract", "\(entity.isAbstract)"),
      ]
      output.bytes.append(contentsOf: ": {".utf8)
      for (key, value) in fields { output.bytes.append(contentsOf: "\"\(key)\": \(value), ".utf8) }
      output.bytes.append(contentsOf: "\"super\": ".utf8)
      JSONText.append(entity.superentityName.map(Value.string) ?? .null, to: &output.bytes)
      output.bytes.append(UInt8(ascii: "}"))
      separator = ","
    }
    try output.writeUnchanged(separator == "{" ? "{}" : "\n}")
  }
}

extension EntityDescription {
  /// The name, with a note if the entity is abstract.
  fileprivate var title: String { isAbstract ? "\(name) (abstract)" : name }
}
