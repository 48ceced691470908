import ListProviders
import ManagedObjects
import ObjectModel
import PersistentContainers
import TerminalKit
import TestSupport
import Testing

@testable import TerminalApplications

@MainActor @Suite struct LockTests {
  @Test func `rows of a locked store are drawn as waiting, and come by themselves`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("books.sqlite")
    let context = try PersistentContainer(path: path, entityClasses: [Book.self]).viewContext
    for title in ["Dubliners", "Emma"] {
      try context.insert(entityName: "Book")["title"] = .string(title)
    }
    try context.save()
    let list = ListScreen(
      title: "Books", provider: TableViewProvider<Book>(display: Book.title, context: context))
    let stage = Stage(list)
    #expect(stage.text.contains("Dubliners"))
    context.trim(keeping: [])
    let locks = try #require(FileLocks(.exclusive, of: path))
    stage.press("j")
    #expect(locks.areHeld && stage.text.contains("⋯ waiting"))
    #expect(stage.status.contains("Locked by another program – retrying, 30s, Esc stops"))
    #expect(stage.application.redrawDelay != nil)
    stage.press(.escape)
    #expect(stage.status.contains("any key tries again"))
    stage.press("k")
    #expect(stage.status.contains("retrying"))
    locks.release()
    stage.wait(.milliseconds(100))
    #expect(stage.text.contains("Dubliners") && !stage.text.contains("waiting"))
    #expect(!stage.status.contains("Locked"))
    withExtendedLifetime(folder) {}
  }
}
