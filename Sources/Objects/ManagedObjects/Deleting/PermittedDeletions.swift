import ObjectModel

/// The part of a deletion that delete rules permit when what they deny is left out.
///
/// An object whose deletion is denied stays with all that cascade to it. What stays may deny the
/// deletion of others, until nothing more is denied.
struct PermittedDeletions {
  /// The objects asked for that are still deleted.
  private(set) var roots: Set<ObjectID>
  private var deleted: Set<ObjectID>
  /// Where deletions cascade to, and from.
  private var destinations: [ObjectID: [ObjectID]] = [:]
  private var sources: [ObjectID: [ObjectID]] = [:]
  /// The objects whose deletion an object denies while it stays.
  private var deniers: [ObjectID: [ObjectID]] = [:]
  /// How many deletions lead to an object: of objects that cascade to it, and its own.
  private var causes: [ObjectID: Int] = [:]
  /// Objects that must stay because of a denial.
  private var denied: Set<ObjectID> = []
  private var newlyDenied: [ObjectID] = []

  /// - Parameters:
  ///   - roots: The objects asked for.
  ///   - deleted: They, and all that their deletion cascades to.
  ///   - cascades: Where deletions cascade to, by source; one dictionary for each relationship.
  ///   - denials: The objects that deny deletions while they stay, by source.
  ///   - isAlive: Whether an object exists.
  init(
    roots: [ObjectID], deleted: Set<ObjectID>, cascades: [[ObjectID: [ObjectID]]],
    denials: [[ObjectID: [ObjectID]]], isAlive: (ObjectID) -> Bool
  ) {
    self.roots = Set(roots)
    self.deleted = deleted
    for root in self.roots { causes[root] = 1 }
    for (source, found) in cascades.joined() {
      for destination in found where deleted.contains(destination) {
        destinations[source, default: []].append(destination)
        sources[destination, default: []].append(source)
        causes[destination, default: 0] += 1
      }
    }
    for (source, found) in denials.joined() {
      for destination in found where isAlive(destination) {
        if deleted.contains(destination) {
          deniers[destination, default: []].append(source)
        } else {
          deny(source)
        }
      }
    }
  }

  /// Whether an object is still deleted.
  func contains(_ id: ObjectID) -> Bool { deleted.contains(id) }

  /// Leaves out what is denied, in time proportional to the relationships between the objects.
  mutating func leaveOutDenied() {
    repeat {
      while let id = newlyDenied.popLast() {
        for source in sources[id] ?? [] { deny(source) }
        if roots.remove(id) != nil { removeCause(of: id) }
      }
      // Objects that cascade to each other in a circle are the causes of each other.
      let reached = reachable
      for id in deleted where !reached.contains(id) { keep(id) }
    } while !newlyDenied.isEmpty
  }

  private mutating func deny(_ id: ObjectID) {
    if denied.insert(id).inserted { newlyDenied.append(id) }
  }

  private mutating func removeCause(of id: ObjectID) {
    var unchecked = [id]
    while let id = unchecked.popLast() {
      causes[id, default: 0] -= 1
      guard causes[id] == 0, deleted.contains(id) else { continue }
      keep(id)
      unchecked += destinations[id] ?? []
    }
  }

  /// Lets an object stay, which may deny the deletion of others.
  private mutating func keep(_ id: ObjectID) {
    deleted.remove(id)
    for source in deniers[id] ?? [] { deny(source) }
  }

  private var reachable: Set<ObjectID> {
    var reached = roots
    var unchecked = Array(roots)
    while let id = unchecked.popLast() {
      for destination in destinations[id] ?? [] where reached.insert(destination).inserted {
        unchecked.append(destination)
      }
    }
    return reached
  }
}
