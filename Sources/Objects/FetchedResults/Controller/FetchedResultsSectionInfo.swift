public import ManagedObjects
import ObjectModel

/// One section of a list.
public struct FetchedResultsSectionInfo<Object: ManagedObject> {
  /// The section's name: the description of its key's value; "" for nil and without a section key.
  public let name: String
  /// The section's title in the index strip; nil if the section is left out.
  public let indexTitle: String?
  /// The section's objects, created when they are accessed.
  public let objects: FetchedObjects<Object>

  /// How many objects the section has.
  public var numberOfObjects: Int { objects.count }
}

/// The sections of a list, created when they are accessed.
public struct FetchedResultsSections<Object: ManagedObject>: RandomAccessCollection {
  let list: ResultsSections
  let reader: BatchReader
  let indexTitle: (String) -> String?

  /// The first section.
  public var startIndex: Int { 0 }

  /// The index past the last section.
  public var endIndex: Int { list.sectionCount }

  /// A section.
  public subscript(section: Int) -> FetchedResultsSectionInfo<Object> {
    let name = list.names[section]
    return FetchedResultsSectionInfo(
      name: name, indexTitle: indexTitle(name),
      objects: FetchedObjects(ids: list.ids, range: list.range(ofSection: section), reader: reader))
  }
}

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
