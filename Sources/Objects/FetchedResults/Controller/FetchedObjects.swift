public import ManagedObjects
import ObjectModel

/// The objects of a list or of one section, created when they are accessed.
///
/// It is a snapshot of the list. Reading one row reads a batch of rows around it.
public struct FetchedObjects<Object: ManagedObject>: RandomAccessCollection {
  /// The IDs of the whole list.
  let ids: ObjectIDList
  /// The part of the whole list that the collection covers.
  let range: Range<Int>
  let reader: BatchReader

  /// The index of the first object.
  public var startIndex: Int { 0 }

  /// The index past the last object.
  public var endIndex: Int { range.count }

  /// The object at an index.
  public subscript(position: Int) -> Object {
    precondition(
      position >= 0 && position < range.count,
      "Object \(position) is out of range: there are \(range.count).")
    return reader.object(at: range.lowerBound + position, of: ids)
  }
}

@available(*, unavailable, message: "Objects belong to one context. Send their ObjectIDs instead.")
extension FetchedObjects: Sendable {}
