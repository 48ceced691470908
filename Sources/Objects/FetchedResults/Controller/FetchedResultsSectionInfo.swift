public import ManagedObjects

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
