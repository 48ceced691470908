import ObjectModel

/// The objects that are marked for deletion, in the order in which they were marked.
///
/// Nothing is changed by a mark: a save turns marks into deletions.
struct Marks: Hashable {
  private var places: [ObjectID: Int] = [:]
  private var next = 0

  /// How many objects are marked.
  var count: Int { places.count }
  /// Whether nothing is marked.
  var isEmpty: Bool { places.isEmpty }
  /// The marked objects, the first marked one first.
  var ids: [ObjectID] { places.sorted { $0.value < $1.value }.map(\.key) }

  /// Tells whether an object is marked.
  func contains(_ id: ObjectID) -> Bool { places[id] != nil }

  /// Marks an object; an object that is marked keeps its place.
  mutating func insert(_ id: ObjectID) {
    guard places[id] == nil else { return }
    places[id] = next
    next += 1
  }

  /// Takes the mark off an object.
  mutating func remove(_ id: ObjectID) {
    places[id] = nil
  }
}
