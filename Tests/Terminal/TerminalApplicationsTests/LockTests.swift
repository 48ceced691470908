import ManagedObjects
import PersistentContainers
import TerminalKit
import TestSupport
import Testing

@testable import TerminalApplications

@MainActor @Suite struct LockTests {
  @Test func `rows of a locked store are drawn as waiting, and come by themselves`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("books.sqlite")
    let shelf = try Shelf(
      "Dubliners", "Emma", in: PersistentContainer(path: path, model: Book.model))
    let stage = Stage(shelf.list)
    #expect(stage.text.contains("Dubliners"))
    shelf.context.trim(keeping: [])
    let locks = try #require(FileLocks(.walIndex, of: path))
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
