import ArgumentParser
import ObjectModel
import PostgreSQLStore
import RESTStore
import SQLiteStore
import RowOutput

/// `cardfile fetch`: prints objects.
struct Fetch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Print objects.",
    discussion: """
      json prints an object per line with values as stored (bytes in base64), csv the same after a \
      header line, table a readable form. Rows are printed as they are read, so memory does not \
      grow with their number. All are of one state of the store: until they are printed, other \
      programs cannot commit to a store without a write-ahead log.

      For a Core Data store json prints decoded values: objectID, entity, then all attributes of \
      the object's own entity by name, then with --relationships its relationships by name. Dates \
      are ISO 8601 in UTC (outside the years 1 to 9999 seconds since 2001), decimals are text, and \
      a missing external file is {"external": its name}.

      EXAMPLES
        cardfile fetch chinook.sqlite Artist --where "name contains[cd] 'queen'"
        cardfile fetch chinook.sqlite Track --sort "Milliseconds desc" --limit 10
        cardfile fetch chinook.sqlite Album --columns Title,artist --format csv
      """)

  @OptionGroup var storeArgument: StoreArgument
  @OptionGroup var typeOption: TypeOption
  @OptionGroup var entityArgument: EntityArgument
  @OptionGroup var conditionOption: ConditionOption
  @OptionGroup var sortOption: SortOption

  @Option(help: ArgumentHelp("The maximum number of objects.", valueName: "number"))
  var limit: Int?

  @Option(help: ArgumentHelp("The number of objects to skip at the start.", valueName: "number"))
  var offset = 0

  @Option(
    help: ArgumentHelp(
      "Only these columns: attributes, relationships, objectID, entity.", valueName: "names"),
    completion: StoreCompletion.properties)
  var columns: String?

  @Flag(help: "Also print relationships, as URIs of their objects.")
  var relationships = false

  @Option(help: "The output format.")
  var format = OutputFormat.table

  @Flag(help: "Print how the objects are found instead of the objects: method, SQL, query plan.")
  var explain = false

  func validate() throws {
    if let limit, limit < 0 {
      throw ValidationError("--limit is \(limit), but cannot be negative.")
    }
    if offset < 0 { throw ValidationError("--offset is \(offset), but cannot be negative.") }
  }

  func run() throws {
    let opened = try OpenedStore(storeArgument, typeOption)
    let entity = try opened.names.entity(entityArgument.entity)
    var plan = try opened.plan(for: entity, condition: conditionOption.condition)
    plan.sortDescriptors = try opened.sortDescriptors(sortOption.sort, for: entity)
    plan.limit = limit
    plan.offset = offset
    try opened.update(for: plan)
    if explain {
      if let service = opened.store as? RESTStore {
        return try write(service.explanation(of: plan))
      }
      if let server = opened.store as? PostgreSQLStore {
        return try write(server.explanation(of: plan))
      }
      let found = try opened.database(for: "query plan").explanation(of: plan)
      return try write([found.method, found.sql] + found.queryPlan)
    }
    let named = try columns.map { try OutputColumn.named($0, of: entity, in: opened.names) }
    let fixed = named ?? OutputColumn.all(of: entity, relationships: relationships)
    let isCoreData = opened.isCoreData
    // An object of a sub-entity has more properties than the entity that was fetched.
    let isWhole = named == nil && isCoreData && format == .json
    var output = StandardOutput()
    try opened.store.inReadTransaction {
      output.startOver()
      var writer = format.writer(for: fixed)
      var reader = OutputRowReader(
        opened.store,
        columns: isWhole ? .whole(relationships: relationships) : .fixed(fixed),
        form: format.valueForm(ofCoreData: isCoreData))
      try reader.print(
        try opened.store.fetch(plan, control: nil).ids, with: &writer, to: &output)
      try writer.finish(&output)
    }
    try output.flush()
  }

  private func write(_ lines: [String]) throws {
    var output = StandardOutput()
    for line in lines { try output.writeLine(line) }
    try output.flush()
  }
}
