import ArgumentParser
import ObjectModel

/// `cardfile entities`: prints what a store holds.
struct Entities: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the entities of a store and count their objects.",
    discussion: """
      A view or virtual table that fails when it is counted has no count (null in json); the others \
      are listed all the same, and the exit status is 3.

      json prints one object, entity name to {"count": objects of it and of entities that inherit \
      from it, "own": its own alone, "abstract": whether it has none of its own, "super": the \
      entity it inherits from, or null}.

      EXAMPLE
        cardfile entities chinook.sqlite --format json
      """)

  @OptionGroup var storeArgument: StoreArgument

  @Option(help: "How to print them.")
  var format = EntityFormat.table

  func run() throws {
    let opened = try OpenedStore(path: storeArgument.store, isReadOnly: true)
    var output = StandardOutput()
    var failure: StoreError?
    switch format {
    case .table: try writeTable(of: opened, to: &output, &failure)
    case .json: try writeJSON(of: opened, to: &output, &failure)
    }
    try output.flush()
    if let failure { throw failure }
  }

  /// Counts an entity; nil, and the failure kept, where only its own view or virtual table fails.
  private func count(
    _ entity: EntityDescription, in opened: OpenedStore, includesSubentities: Bool = true,
    _ failure: inout StoreError?
  ) throws(StoreError) -> Int? {
    do {
      return try opened.count(entity, includesSubentities: includesSubentities)
    } catch {
      guard error.reason == .other, entity.readOnlyReason != nil else { throw error }
      failure = failure ?? error
      return nil
    }
  }

  private func writeTable(
    of opened: OpenedStore, to output: inout StandardOutput, _ failure: inout StoreError?
  ) throws {
    var table = TextTable(columns: [
      .init(title: "Entity", isNumeric: false), .init(title: "Objects", isNumeric: true),
      .init(title: "Relationships", isNumeric: false),
    ])
    for entity in opened.store.model.entities {
      let count = try count(entity, in: opened, &failure)
      let relationships = entity.relationships.map(\.name).joined(separator: " ")
      try table.write([entity.name, count.map(String.init) ?? "—", relationships], to: &output)
    }
    try table.finish(&output)
  }

  private func writeJSON(
    of opened: OpenedStore, to output: inout StandardOutput, _ failure: inout StoreError?
  ) throws {
    var separator = "{"
    for entity in opened.store.model.entities {
      let count = try count(entity, in: opened, &failure)
      let hasSubentities = opened.store.model.entityNames(inheritingFrom: entity.name).count > 1
      let own =
        hasSubentities
        ? try self.count(entity, in: opened, includesSubentities: false, &failure) : count
      output.bytes.append(contentsOf: "\(separator)\n ".utf8)
      JSONText.append(entity.name, to: &output.bytes)
      output.bytes.append(
        contentsOf:
          ": {\"count\": \(count.map(String.init) ?? "null"), \"own\": \(own.map(String.init) ?? "null"), \"abstract\": \(entity.isAbstract), \"super\": "
          .utf8)
      JSONText.append(entity.superentityName.map(Value.string) ?? .null, to: &output.bytes)
      output.bytes.append(UInt8(ascii: "}"))
      separator = ","
    }
    try output.writeLine(separator == "{" ? "{}" : "\n}")
  }
}
