import ManagedObjects
import ObjectModel
import TestStores
import TestSupport

/// A store of a kind with people, companies, pets and tags, and contexts on it.
///
/// Ada (36) and Bob (20) work for Acme; Ada manages Bob, has the cat Rex with the toys Ball and
/// Bone, a passport, the tag red, and likes red, then green. Cyd (25) is a student without
/// anything.
final class Office {
  let coordinator: PersistentStoreCoordinator
  /// A context that has read nothing yet.
  let context: ManagedObjectContext
  private let folder: TemporaryFolder
  private var contexts: [ManagedObjectContext] = []

  init(_ kind: Kind, isEmpty: Bool = false) throws {
    folder = try TemporaryFolder()
    coordinator = PersistentStoreCoordinator(
      store: try kind.makeStore(Self.model, in: folder))
    if !isEmpty { try Self.fill(ManagedObjectContext(coordinator: coordinator)) }
    context = ManagedObjectContext(coordinator: coordinator)
  }

  /// Another context on the same coordinator; it lives as long as the office.
  func anotherContext() -> ManagedObjectContext {
    contexts.append(ManagedObjectContext(coordinator: coordinator))
    return contexts[contexts.count - 1]
  }

  /// Makes changes in another context and saves them.
  func saveElsewhere(_ change: (ManagedObjectContext) throws -> Void) throws {
    let other = anotherContext()
    try change(other)
    try other.save()
  }

  /// The person with a name in the context.
  func person(_ name: String) throws -> ManagedObject { try context.named(name) }

  /// An attribute of a person as it is in the store.
  func stored(_ name: String, _ key: String) throws -> Value {
    try anotherContext().named(name)[key]
  }

  /// Saves the people and what they have.
  static func fill(_ context: ManagedObjectContext) throws {
    let acme = try context.make("Acme", "Company")
    let (ada, bob) = (try context.make("Ada"), try context.make("Bob"))
    let cyd = try context.make("Cyd", "Student")
    (ada["age"], bob["age"], cyd["age"]) = (36, 20, 25)
    cyd["school"] = "MIT"
    try ada.setObject(acme, forKey: "employer")
    try bob.setObject(acme, forKey: "employer")
    try bob.setObject(ada, forKey: "manager")
    let rex = try context.make("Rex", "Pet")
    try rex.setObject(ada, forKey: "owner")
    for name in ["Ball", "Bone"] { try rex.add(context.make(name, "Toy"), forKey: "toys") }
    let (red, green) = (try context.make("red", "Tag"), try context.make("green", "Tag"))
    try context.make("blue", "Tag")
    try ada.add(red, forKey: "tags")
    try ada.add(red, forKey: "favourites")
    try ada.add(green, forKey: "favourites")
    try ada.setObject(context.make("P1", "Passport"), forKey: "passport")
    try context.save()
  }
}
