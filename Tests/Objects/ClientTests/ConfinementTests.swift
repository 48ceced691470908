import Foundation
import TestSupport
import Testing

/// Objects and contexts stay in their isolation domain: what would let one out does not compile.
@Suite(.serialized)
struct ConfinementTests {
  private static let declarations = """
    import Cardfile
    import Synchronization
    final class Person: ManagedObject, EntityClass {
      static let entityName = "Person"
      static let name = AttributeKey<Person, String>("name")
    }
    final class Disc: ManagedObject, EntityClass {
      static let entityName = "Disc"
      static let title = AttributeKey<Disc, String>("title")
    }
    actor Importer {
      let context: ManagedObjectContext
      init(_ context: sending ManagedObjectContext) { self.context = context }
    }

    """

  /// Compiles code after the declarations, and returns the compiler's errors, or its warnings.
  private func diagnostics(of code: String, _ kind: String = "error") throws -> [String] {
    let folder = try TemporaryFolder()
    let file = folder.path("Client.swift")
    try Data((Self.declarations + code).utf8).write(to: URL(filePath: file))
    // Isolation of regions is checked after the types are, so these alone do not show it.
    return try ClientCompiler.diagnostics(kind, of: [file], ["-emit-sil", "-o", "/dev/null"])
  }

  @Test func `values go in and out of background work`() throws {
    let code = """
      func count(_ container: PersistentContainer, _ name: String) async throws -> [ObjectID] {
        try await container.perform { context in
          try Person.objects(where: Person.name == name, in: context).map(\\.objectID)
        }
      }
      @MainActor func importer(_ container: PersistentContainer) -> Importer {
        Importer(container.newBackgroundContext())
      }
      """
    #expect(try diagnostics(of: code) == [])
  }

  @Test func `the main actor's context used elsewhere is a warning, as in Core Data`() throws {
    let code = "nonisolated func f(_ container: PersistentContainer) { _ = container.viewContext }"
    #expect(try diagnostics(of: code) == [])
    let warnings = try diagnostics(of: code, "warning")
    #expect(warnings.contains { $0.contains("main actor-isolated property 'viewContext'") })
  }

  @Test(arguments: [
    (
      """
      func f(_ container: PersistentContainer) async throws -> [Person] {
        try await container.perform { context in try Person.objects(in: context) }
      }
      """, "Send its objectID instead"
    ),
    (
      """
      @MainActor func f(_ container: PersistentContainer) async throws {
        let ada = try Person.insert(into: container.viewContext)
        try await container.perform { context in ada[Person.name] = "x" }
      }
      """, "capture of 'ada' with non-Sendable type 'Person'"
    ),
    (
      """
      func f(_ container: PersistentContainer) async throws {
        let box = Mutex<ManagedObjectContext?>(nil)
        try await container.perform { context in box.withLock { $0 = context } }
      }
      """, "task-isolated"
    ),
    (
      """
      @MainActor func f(_ container: PersistentContainer) throws -> (Importer, Int) {
        let context = container.newBackgroundContext()
        let importer = Importer(context)
        return (importer, try Person.objects(in: context).count)
      }
      """, "sending 'context' risks causing data races"
    ),
    (
      """
      @MainActor func f(_ list: FetchedResultsController<Person>) async {
        await Task.detached { for await _ in list.updates {} }.value
      }
      """, "risks causing data races"
    ),
    (
      """
      import CoreDataNames
      func f(_ container: NSPersistentContainer) async throws -> [NSManagedObject] {
        try await container.performBackgroundTask { context in
          try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
        }
      }
      """, "Send its objectID instead"
    ),
    (
      """
      import CoreDataNames
      func f(_ container: NSPersistentContainer, _ person: NSManagedObject) {
        container.performBackgroundTask { context in context.delete(person) }
      }
      """, "capture of 'person' with non-Sendable type"
    ),
    (
      """
      import CoreDataNames
      @MainActor func f(_ list: NSFetchedResultsController<Person>) async {
        await Task.detached { try? list.performFetch() }.value
      }
      """, "risks causing data races"
    ),
    ("func f(_ person: Person) { _ = person[Disc.title] }", "AttributeKey<Person"),
    ("let age: FetchPredicate = Person.name == 3", "'Int'"),
  ])
  func `what would let an object out, or mixes classes, does not compile`(
    code: String, message: String
  ) throws {
    let errors = try diagnostics(of: code)
    #expect(errors.contains { $0.contains(message) }, "\(errors)")
  }
}
