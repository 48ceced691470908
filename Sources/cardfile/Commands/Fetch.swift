import ArgumentParser
import ObjectModel
import SQLiteStore

/// `cardfile fetch`: prints objects.
struct Fetch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print objects.",
    discussion: """
      json prints one object a line with the values as they are stored (bytes in base64), csv the \
      same with a line of names first, table what a person reads. Rows are printed as they are \
      read, so any number of them can be piped on.

      Of a Core Data store, json prints what the model means: first objectID and entity, then all \
      attributes of the object's own entity by name, with --relationships then its relationships \
      by name. Dates are ISO 8601 in UTC (outside the years 1 to 9999 the seconds since 2001), \
      decimals are text, and a file of bytes that is missing is {"external": its name}.

      EXAMPLES
        cardfile fetch chinook.sqlite Artist --where "name contains[cd] 'queen'"
        cardfile fetch chinook.sqlite Track --sort "Milliseconds desc" --limit 10
        cardfile fetch chinook.sqlite Album --columns Title,artist --format csv
      """)

  @OptionGroup var storeArgument: StoreArgument
  @OptionGroup var entityArgument: EntityArgument
  @OptionGroup var conditionOption: ConditionOption
  @OptionGroup var sortOption: SortOption

  @Option(help: ArgumentHelp("At most so many objects.", valueName: "number"))
  var limit: Int?

  @Option(help: ArgumentHelp("Leave out so many objects at the start.", valueName: "number"))
  var offset = 0

  @Option(
    help: ArgumentHelp(
      "Only these columns: attributes, relationships, objectID, entity.", valueName: "names"))
  var columns: String?

  @Flag(help: "Relationships too: the URIs of the objects they lead to.")
  var relationships = false

  @Option(help: "How to print them.")
  var format = OutputFormat.table

  func validate() throws {
    if let limit, limit < 0 {
      throw ValidationError("--limit is \(limit), but cannot be negative.")
    }
    if offset < 0 { throw ValidationError("--offset is \(offset), but cannot be negative.") }
  }

  func run() throws {
    let opened = try OpenedStore(storeArgument)
    let entity = try opened.names.entity(entityArgument.entity)
    var plan = try opened.plan(for: entity, condition: conditionOption.condition)
    plan.sortDescriptors = try opened.sortDescriptors(sortOption.sort, for: entity)
    plan.limit = limit
    plan.offset = offset
    let named = try columns.map { try OutputColumn.named($0, of: entity, in: opened.names) }
    let fixed = named ?? OutputColumn.all(of: entity, relationships: relationships)
    let isCoreData = opened.store.isCoreData
    // Objects of a model are told apart by their entity, and a sub-entity has more to tell.
    let isWhole = named == nil && isCoreData && format == .json
    var writer = format.writer(for: fixed)
    var reader = OutputRowReader(
      store: opened.store, columns: isWhole ? .whole(relationships: relationships) : .fixed(fixed),
      form: format.valueForm(ofCoreData: isCoreData))
    var output = StandardOutput()
    try reader.forEachRow(of: try opened.store.fetch(plan, control: nil).ids) { row in
      try writer.write(row, to: &output)
    }
    try writer.finish(&output)
    try output.flush()
  }
}
