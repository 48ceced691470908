import Foundation
import ManagedObjects
import ObjectModel
import Testing

final class Person: ManagedObject, EntityClass {
  static let entityName = "Person"
  static let username = AttributeKey<Person, String>("username")
  static let discs = RelationshipKey<Person, Set<Disc>>("discs")
}

final class Disc: ManagedObject, EntityClass {
  static let entityName = "Disc"
  static let title = AttributeKey<Disc, String?>("title")
  static let owner = RelationshipKey<Disc, Person?>("owner")
}

let discModel = ManagedObjectModel {
  Entity("Person") {
    Attribute("username", .string, isOptional: false)
    ToMany("discs", "Disc", inverse: "owner", deleteRule: .cascade)
  }
  Entity("Disc") {
    Attribute("title", .string)
    ToOne("owner", "Person", inverse: "discs")
  }
}

/// A folder that is deleted with its owner.
final class TemporaryFolder: Sendable {
  private let url = FileManager.default.temporaryDirectory
    .appending(path: "cardfile-containers-\(UUID().uuidString)")

  init() {
    // A folder that cannot be made fails the test that writes to it.
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { name.isEmpty ? url.path : url.appending(path: name).path }
}

extension ManagedObjectContext {
  /// The number of saved objects of an entity, as this context would list them.
  func registeredCount(of entityName: String) -> Int {
    (try? count(for: FetchRequest<ManagedObject>(entityName: entityName))) ?? 0
  }
}

/// Waits until something is so, for a minute of the main actor's free time: a time limit would count
/// what the tests of other suites need.
@MainActor func until(
  sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool
) async throws {
  for _ in 0..<12_000 {
    if condition() { return }
    try await Task.sleep(for: .milliseconds(5))
  }
  Issue.record("It did not come about.", sourceLocation: sourceLocation)
}
