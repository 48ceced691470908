import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// A state of the application that has its picture.
struct ScreenState: CustomTestStringConvertible, Sendable {
  let name: String
  var entity: String? = "Person"
  var options = AppOptions()
  var tagCount = 38
  let steps: @MainActor @Sendable (Stage) throws -> Void

  var testDescription: String { name }

  /// The application in this state.
  @MainActor func stage(
    _ capabilities: TerminalCapabilities = TerminalCapabilities(colorSupport: .palette)
  ) throws -> Stage {
    let stage = try Stage(
      entity, options: options, store: Contacts.store(tagCount: tagCount),
      capabilities: capabilities)
    try steps(stage)
    return stage
  }

  static let all: [ScreenState] = [
    ScreenState(name: "list") { $0.type("7j") },
    ScreenState(name: "look") { $0.type("6jd  ") },
    ScreenState(name: "list-flags") { stage in
      stage.type("6jdd")
      let object = stage.app.session.context.object(
        with: try #require(stage.person("Kowalski, Łukasz")))
      object["notes"] = "changed"
      stage.app.session.context.processPendingChanges()
      stage.type(" ")
    },
    ScreenState(name: "entities", entity: nil) { $0.type("j") },
    ScreenState(name: "detail") { stage in
      stage.app.session.context.object(with: try #require(stage.person("Jónsdóttir, Þór")))[
        "city"] = "Vík"
      stage.app.session.context.processPendingChanges()
      stage.type("/þór")
      stage.press(.enter, .enter)
      stage.type("jj")
    },
    ScreenState(name: "filter-words") { $0.type("/jensen") },
    ScreenState(name: "filter-error") {
      $0.type("/born > 1950-01-01 and surnme contains[cd] \"jón\"")
    },
    ScreenState(name: "filter-kept") { stage in
      stage.type("/city contains[cd] \"o\"")
      stage.press(.enter)
    },
    ScreenState(name: "nothing-matches", entity: "Tag") { stage in
      stage.type("/name beginswith \"q\"")
      stage.press(.enter)
    },
    ScreenState(name: "empty", options: AppOptions()) { stage in
      stage.type("Wgl")  // nothing to save, then an object
      stage.type("GGkkkkk")
      stage.press(.enter)
    },
    ScreenState(name: "empty-entity", entity: "Tag", tagCount: 0) {
      $0.type("jGd")  // nothing to move to, nothing to delete
    },
    ScreenState(name: "jump") { $0.type("'") },
    ScreenState(name: "sort") { $0.type("s") },
    ScreenState(name: "command") { $0.type(":s") },
    ScreenState(name: "command-completed") { stage in
      stage.type(":sort e")
      stage.press(.tab)
    },
    ScreenState(name: "command-error") { stage in
      stage.type(":sort nmae desc")
      stage.press(.enter)
    },
    ScreenState(name: "commands") { stage in
      stage.type(":help")
      stage.press(.enter)
    },
    ScreenState(name: "help") { $0.type("?") },
    ScreenState(name: "help-narrowed") { $0.type("?/sect") },
    ScreenState(name: "save") { stage in
      stage.type("/kim")
      stage.press(.enter)
      stage.type("d")
      stage.press(.escape)
      stage.type("/viktor")
      stage.press(.enter)
      stage.type("d")
      stage.press(.escape)
      stage.type("W")
    },
    ScreenState(name: "save-refused") { stage in
      stage.type("/viktor")
      stage.press(.enter)
      stage.type("dW")
    },
    ScreenState(name: "save-all") { stage in stage.type("*dW7") },
    ScreenState(name: "quit") { $0.type("dQ") },
    ScreenState(name: "read-only", options: AppOptions(isReadOnly: true)) { $0.type("d") },
    ScreenState(
      name: "months",
      options: AppOptions(
        sortDescriptors: [FetchSortDescriptor("born")],
        section: .key(SectionKey("born", .month)))
    ) { $0.type("3j") },
  ]
}

@MainActor @Suite struct GoldenScreenTests {
  @Test(arguments: ScreenState.all)
  func `each screen matches its golden pictures`(_ state: ScreenState) throws {
    try expectPictures(state.name) { try state.stage($0) }
  }
}
