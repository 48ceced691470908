import ArgumentParser
import ObjectModel
import SQLiteStore
import RowOutput

/// `cardfile count`: prints how many objects there are.
struct Count: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "Print the number of objects.",
    discussion: """
      EXAMPLE
        cardfile count chinook.sqlite Track --where "album.artist.Name = 'AC/DC'"
      """)

  @OptionGroup var storeArgument: StoreArgument
  @OptionGroup var typeOption: TypeOption
  @OptionGroup var entityArgument: EntityArgument
  @OptionGroup var conditionOption: ConditionOption

  func run() throws {
    let opened = try OpenedStore(storeArgument, typeOption)
    let entity = try opened.names.entity(entityArgument.entity)
    let plan = try opened.plan(for: entity, condition: conditionOption.condition)
    try opened.updateForCount(of: plan)
    var output = StandardOutput()
    try output.writeLine("\(opened.store.count(plan, control: nil))")
    try output.flush()
  }
}
