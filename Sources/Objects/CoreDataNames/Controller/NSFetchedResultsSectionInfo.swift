import FetchedResults
import ManagedObjects

/// A section of a results controller.
public protocol NSFetchedResultsSectionInfo {
  /// The section's name; "" without a section key, and for no value.
  var name: String { get }
  /// The section's title in the index strip; nil if it is left out.
  var indexTitle: String? { get }
  /// How many objects the section has.
  var numberOfObjects: Int { get }
  /// The section's objects; an object is created for each, but no row is read.
  var objects: [Any]? { get }
}

/// A section as Core Data describes it.
struct SectionInfo: NSFetchedResultsSectionInfo {
  let section: FetchedResultsSectionInfo<ManagedObject>

  var name: String { section.name }
  var indexTitle: String? { section.indexTitle }
  var numberOfObjects: Int { section.numberOfObjects }
  var objects: [Any]? { section.objects.map(\.self) }
}
