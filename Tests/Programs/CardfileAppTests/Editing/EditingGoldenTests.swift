import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// The pictures of editing: prompts, choices, dialogs.
@MainActor @Suite struct EditingGoldenTests {
  /// A state of the application and the keys that lead to it.
  struct State: CustomTestStringConvertible, Sendable {
    let name: String
    var entity = "Person"
    let steps: @MainActor @Sendable (Stage) -> Void

    var testDescription: String { name }

    @MainActor static func page(of person: String, at property: String, _ stage: Stage) {
      stage.type("/\(person)")
      stage.press(.enter, .enter)
      stage.move(to: property)
    }

    static let all = [
      State(name: "edit-text") { stage in
        page(of: "þór", at: "city", stage)
        stage.type("e/Þ")
      },
      State(name: "edit-date") { stage in
        page(of: "þór", at: "born", stage)
        stage.type("e")
        stage.press(.control("u"))
        stage.type("1 May 1964 13:45")
      },
      State(name: "edit-error") { stage in
        page(of: "þór", at: "born", stage)
        stage.type("e")
        stage.press(.control("u"))
        stage.type("31 Feb 1964")
        stage.press(.enter)
      },
      State(name: "edit-null") { stage in
        page(of: "þór", at: "email", stage)
        stage.type("e")
        stage.press(.control("n"))
      },
      State(name: "edit-changed") { stage in
        page(of: "þór", at: "city", stage)
        stage.type("e")
        stage.press(.control("u"))
        stage.type("Vík")
        stage.press(.enter)
      },
      State(name: "edit-choices", entity: "Tag") { stage in
        for name in ["Jazz", "Metal", "Rock"] {
          for _ in 0..<2 {
            stage.type("o\(name)")
            stage.press(.enter)
          }
        }
        stage.type("W")
        stage.type("e")
        stage.press(.tab)
      },
      State(name: "choose-one") { stage in
        page(of: "kim", at: "employer", stage)
        stage.type("e")
      },
      State(name: "add-several") { stage in
        page(of: "þór", at: "pets", stage)
        stage.type("a ")
      },
      State(name: "new-object", entity: "Pet") { stage in
        stage.type("oMax")
        stage.press(.enter)
      },
      State(name: "save-denied") { stage in
        stage.type("/jensen")
        stage.press(.enter)
        stage.type("*dWy")
      },
    ]

    /// The application in this state.
    @MainActor func stage(_ capabilities: TerminalCapabilities) throws -> Stage {
      let store = try Contacts.store(tagCount: entity == "Tag" ? 0 : 38)
      let stage = try Stage(entity, store: store, capabilities: capabilities)
      steps(stage)
      return stage
    }
  }

  @Test(arguments: State.all)
  func `each state of editing matches its golden pictures`(_ state: State) throws {
    try expectPictures(state.name) { try state.stage($0) }
  }
}
