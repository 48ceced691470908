public import ManagedObjects

/// One section of a list.
public struct FetchedResultsSectionInfo<Object: ManagedObject> {
  /// The section's name: the description of its key's value, "" for nil and where there are no sections.
  public let name: String
  /// The section's title in the index strip; nil when it is left out.
  public let indexTitle: String?
  /// The section's objects, made when they are asked for.
  public let objects: FetchedObjects<Object>

  /// How many objects the section has.
  public var numberOfObjects: Int { objects.count }
}

/// The sections of a list, made when they are asked for.
public struct FetchedResultsSections<Object: ManagedObject>: RandomAccessCollection {
  let list: ResultsSections
  let reader: RowReader
  let indexTitle: (String) -> String?

  /// The first section.
  public var startIndex: Int { 0 }

  /// The place past the last section.
  public var endIndex: Int { list.sectionCount }

  /// A section.
  public subscript(section: Int) -> FetchedResultsSectionInfo<Object> {
    let places = list.range(ofSection: section)
    let name = list.names[section]
    return FetchedResultsSectionInfo(
      name: name, indexTitle: indexTitle(name),
      objects: FetchedObjects(ids: list.ids, places: places, reader: reader))
  }
}
