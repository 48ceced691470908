import ArgumentParser
import ObjectModel
import SQLiteStore

/// `cardfile entities`: prints the entities of a store.
struct Entities: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the entities of a store and count their objects.",
    discussion: """
      A view or virtual table that fails when it is counted has no count (null in json); the other \
      entities are listed nevertheless, and the exit status is 3.

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
    var output = StandardOutput()
    var failure: StoreError?
    try opened.store.readTransaction { state in
      output.startOver()
      failure = nil
      let counting = Counting(state: state, model: opened.store.model)
      switch format {
      case .table: try writeTable(counting, to: &output, &failure)
      case .json: try writeJSON(counting, to: &output, &failure)
      }
    }
    try output.flush()
    if let failure { throw failure }
  }

  private struct Counting {
    let state: SQLiteStore.ReadTransaction
    let model: ManagedObjectModel
  }

  /// Counts an entity's objects; returns nil and records the failure if its view or virtual table
  /// fails.
  private func count(
    _ entity: EntityDescription, in counting: Counting, includesSubentities: Bool = true,
    _ failure: inout StoreError?
  ) throws(StoreError) -> Int? {
    do {
      return try counting.state.count(
        FetchPlan(entityName: entity.name, includesSubentities: includesSubentities))
    } catch {
      guard error.reason == .other, entity.readOnlyReason != nil else { throw error }
      failure = failure ?? error
      return nil
    }
  }

  private func writeTable(
    _ counting: Counting, to output: inout StandardOutput, _ failure: inout StoreError?
  ) throws {
    let hierarchy = counting.model.hierarchy
    let hasInheritance = hierarchy.contains { $0.depth > 0 }
    var table = TextTable(
      columns: [.init(title: "Entity", isNumeric: false), .init(title: "Objects", isNumeric: true)]
        + (hasInheritance ? [.init(title: "Own", isNumeric: true)] : [])
        + [.init(title: "Relationships", isNumeric: false)], widestCell: 100)
    for ranked in hierarchy {
      let entity = ranked.entity
      let count = try count(entity, in: counting, &failure)
      let own = hasInheritance ? [try own(ranked, count: count, in: counting, &failure)] : []
      try table.write(
        [String(repeating: "  ", count: ranked.depth) + entity.title]
          + ([count] + own).map { $0.map(String.init) ?? "—" }
          + [entity.relationships.map(\.name).joined(separator: " ")], to: &output)
    }
    try table.finish(&output)
  }

  /// Counts an entity's own objects, without those of sub-entities.
  private func own(
    _ ranked: ManagedObjectModel.RankedEntity, count: Int?, in counting: Counting,
    _ failure: inout StoreError?
  ) throws(StoreError) -> Int? {
    guard ranked.hasSubentities else { return count }
    return try self.count(ranked.entity, in: counting, includesSubentities: false, &failure)
  }

  private func writeJSON(
    _ counting: Counting, to output: inout StandardOutput, _ failure: inout StoreError?
  ) throws {
    var separator = "{"
    for ranked in counting.model.hierarchy {
      let entity = ranked.entity
      let count = try count(entity, in: counting, &failure)
      let own = try own(ranked, count: count, in: counting, &failure)
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
