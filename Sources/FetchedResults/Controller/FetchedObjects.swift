public import ManagedObjects
import ObjectModel

/// The objects of a list or of one section, made when they are asked for.
///
/// It shows the list as it was when the collection was taken. Reading one row reads a batch of rows around it.
public struct FetchedObjects<Object: ManagedObject>: RandomAccessCollection {
  /// The IDs of the whole list.
  let ids: ObjectIDList
  /// The places of the whole list that are shown.
  let places: Range<Int>
  let reader: RowReader

  /// The first place.
  public var startIndex: Int { 0 }

  /// The place past the last.
  public var endIndex: Int { places.count }

  /// The object at a place.
  public subscript(position: Int) -> Object {
    precondition(
      position >= 0 && position < places.count,
      "Object \(position) is out of range: there are \(places.count).")
    return reader.object(at: places.lowerBound + position, of: ids)
  }
}

@available(*, unavailable, message: "Objects belong to one context. Send their ObjectIDs instead.")
extension FetchedObjects: Sendable {}

/// Reads the rows of a list in batches.
struct RowReader {
  let context: ManagedObjectContext
  /// How many rows are read at once.
  let batchSize: Int

  /// The object at a place.
  ///
  /// When its row must be read, those around it are read with it.
  func object<Object: ManagedObject>(at place: Int, of ids: ObjectIDList) -> Object {
    let object = context.object(with: ids[place])
    if object.isFault { prefetch(place - batchSize / 4..<place + batchSize, of: ids) }
    guard let object = object as? Object else {
      preconditionFailure(
        "\(ids[place].entityName) objects are \(type(of: object)), not \(Object.self).")
    }
    return object
  }

  /// Reads rows that are not held yet, in one query.
  ///
  /// An error shows when a row is read by itself: the context keeps it then.
  func prefetch(_ places: Range<Int>, of ids: ObjectIDList) {
    let places = places.clamped(to: ids.indices)
    try? context.prefetch(ids[places])
  }
}
