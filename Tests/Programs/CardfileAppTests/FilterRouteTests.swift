import FetchedResults
import ListProviders
import ManagedObjects
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp
@testable import ObjectModel

/// From the text of a filter to the predicate that the store gets.
@MainActor
struct FilterRouteTests {
  @Test func `a typed filter reaches the store with the validation that it got when it was typed`()
    throws
  {
    let stage = try Stage()
    stage.type("/born > 1960-01-01")
    stage.press(.enter)
    let screen = try #require(stage.app.screen as? ListScreen)
    let filter = try #require(screen.filter)
    #expect(filter.text == "born > 1960-01-01")
    #expect(stage.gate.lastPlan?.predicate == filter.predicate)
    #expect(stage.gate.lastPlan?.predicate?.validation === filter.predicate.validation)
  }

  @Test
  func
    `a filter of the options reaches the store so too, and is in the filter bar as it was typed`()
    throws
  {
    let person = try #require(Contacts.model.entity(named: "Person"))
    let filter = try TypedPredicate(
      "\"o\" in city", as: .predicate, for: person, in: Contacts.model)
    let stage = try Stage(options: AppOptions(entityName: "Person", filter: filter))
    #expect(stage.title.contains("\"o\" in city"))
    #expect(stage.gate.lastPlan?.predicate?.validation === filter.predicate.validation)
    stage.type("/")
    #expect(!stage.text.contains("Filter words"))
    stage.type(" and name contains 'K'")
    stage.press(.enter)
    // The list was never fetched without a filter, so their number is unknown.
    #expect(stage.title.hasSuffix("2 objects"))
  }

  @Test func `a filter within a relationship is validated once with its scope`() throws {
    let stage = try Stage()
    stage.type("/kim, jos")
    stage.press(.enter, .enter)
    let detail = try #require(stage.app.screen as? DetailScreen)
    let pets = try #require(Contacts.model.entity(named: "Person")?.relationship(named: "pets"))
    let kim = stage.app.session.context.object(with: detail.objectID)
    let scope = try RelationshipScope.predicate(of: pets, from: kim, in: Contacts.model)
    let pet = try #require(Contacts.model.entity(named: "Pet"))
    let filter = try TypedPredicate("name > 'B'", as: .predicate, for: pet, in: Contacts.model)
    let both = FetchPredicate.all([scope.predicate, filter.predicate.predicate])
    let validated = try both.validated(for: pet, in: Contacts.model)
    #expect(validated.validation === scope.validation)
    #expect(
      try stage.app.session.context.count(
        for: FetchPlan(entityName: "Pet", predicate: validated)) == 4)
  }
}
