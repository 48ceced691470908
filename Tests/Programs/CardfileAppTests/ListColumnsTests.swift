import ManagedObjects
import ObjectModel
import TestSupport
import Testing

@testable import CardfileApp

/// What a list shows of the columns that it could have.
@MainActor @Suite struct ListColumnsTests {
  private let entity: EntityDescription
  private let defaults: ListDefaults

  init() throws {
    entity = try #require(Contacts.model.entity(named: "Person"))
    defaults = ListDefaults(entity, store: try Contacts.store())
  }

  private func columns(chosen names: [String]? = nil, hiding: String? = nil) -> ListColumns {
    ListColumns(
      defaults, hiding: hiding,
      chosen: names?.compactMap { ListColumn(named: $0, of: defaults) })
  }

  private func typed(_ text: String, as form: TypedPredicate.Form) throws -> TypedPredicate {
    try TypedPredicate(text, as: form, for: entity, in: Contacts.model, wordAttributes: ["name"])
  }

  @Test func `the column of the order is shown after those that were chosen`() {
    var columns = columns(chosen: ["name", "city"])
    #expect(columns.shown.map(\.name) == ["name", "city"])
    columns.update(isGrid: false, sort: FetchSortDescriptor("born"), sought: nil)
    #expect(columns.shown.map(\.name) == ["name", "city", "born"])
    columns.update(isGrid: false, sort: FetchSortDescriptor("city"), sought: nil)
    #expect(columns.shown.map(\.name) == ["name", "city"])
  }

  @Test func `what a condition names is shown second, as long as it is looked for`() throws {
    var columns = columns(chosen: ["name", "city"])
    let condition = try typed("born > 1990-01-01 AND employer.name == 'x'", as: .predicate)
    columns.update(isGrid: false, sort: nil, sought: condition)
    #expect(columns.shown.map(\.name) == ["name", "born", "employer", "city"])
    columns.found.add("email")
    columns.update(isGrid: false, sort: nil, sought: condition)
    #expect(columns.shown.map(\.name).contains("email"))
    columns.update(isGrid: false, sort: nil, sought: try typed("jensen", as: .words))
    #expect(columns.shown.map(\.name) == ["name", "city"])
  }

  @Test func `a cell of a grid has the first columns only`() {
    var columns = columns()
    columns.update(isGrid: true, sort: FetchSortDescriptor("email"), sought: nil)
    #expect(columns.shown.map(\.name) == columns.preferred.prefix(6).map(\.name))
  }

  @Test func `all columns are written, unless some were chosen`() {
    let all = columns()
    #expect(all.written.columns.count == all.shown.count + all.hiddenNames.count)
    #expect(all.written.hiddenCount == all.hiddenNames.count)
    let chosen = columns(chosen: ["name"])
    #expect(chosen.written.columns.map(\.name) == ["name"])
    #expect(chosen.written.hiddenCount == 0)
    #expect(chosen.hiddenNames.contains("city"))
  }

  @Test func `the relationship that was followed is neither offered nor hidden`() {
    let columns = columns(hiding: "employer")
    #expect(!columns.all.contains { $0.name == "employer" })
    #expect(!columns.hiddenNames.contains("employer"))
  }

  @Test(arguments: [(1, 0, "1 column"), (5, 3, "5 columns, 3 of them hidden")])
  func `columns are counted in words`(count: Int, hidden: Int, phrase: String) {
    #expect(ListColumns.phrase(count, hidden: hidden) == phrase)
  }
}
