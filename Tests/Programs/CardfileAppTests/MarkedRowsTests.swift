import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

/// A row that another program changes between its mark and the save dialog is not deleted unawares.
@MainActor @Suite struct MarkedRowsTests {
  @Test func `a row that was seen and has changed since is named in the dialog`() throws {
    let stage = try Stage()
    stage.type("d")
    let marked = try #require(stage.app.session.marks.first)
    let name = stage.app.session.context.displayName(of: marked)
    stage.type("W")
    #expect(!stage.text.contains("since the mark"), "\(stage.text)")
    stage.press(.escape)
    try stage.changeOutside { $0.object(with: marked)["city"] = "Paris" }
    stage.type("W")
    #expect(stage.text.contains("! \(name) was changed since the mark"), "\(stage.text)")
    // A new mark is of the row as it is now.
    stage.press(.escape)
    stage.app.session.setMarked(false, [marked], name: "")
    stage.app.session.setMarked(true, [marked], name: "")
    stage.type("W")
    #expect(!stage.text.contains("since the mark"), "\(stage.text)")
  }

  @Test func `rows that were never seen are said to be`() throws {
    let stage = try Stage(height: 8)
    let context = stage.app.session.context
    stage.type("*d")
    let unseen = stage.app.session.marks.count { context.knownVersion(of: $0) == nil }
    try stage.changeOutside { context in
      let city = try context.insert(entityName: "Person")
      city["name"] = "Somebody else"
    }
    stage.resize(width: 100, height: 30)
    stage.type("W")
    #expect(stage.text.contains("were marked unseen") == (unseen > 0), "\(stage.text)")
  }

  @Test func `a save whose triggers run asks first, a save of restored objects does not`() throws {
    let stage = try Stage()
    stage.type("dW")
    stage.type("y")
    let left = stage.keys(of: "Person").count
    stage.type("uW")
    #expect(stage.keys(of: "Person").count == left + 1, "\(stage.text)")
    #expect(stage.status.contains("Saved"), "\(stage.text)")
  }
}
