import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalApplications

/// Where a list was left: its filter, order and sections, and the cursor.
struct ListPlace {
  var filter: TypedPredicate?
  var sortDescriptors: [FetchSortDescriptor]
  var sectionKey: SectionKey?
  var cursor: ListCursor?
  /// The number of objects without the filter; nil while it is not known.
  var unfilteredCount: Int?

  /// The place in a model that was read again; names that are gone are left out.
  func read(again entity: EntityDescription, in model: ManagedObjectModel) -> ListPlace {
    var place = self
    place.filter = filter.flatMap {
      try? TypedPredicate(
        $0.text, as: $0.form, for: entity, in: model, wordAttributes: entity.attributes.map(\.name))
    }
    func exists(_ keyPath: String) -> Bool {
      model.attribute(at: keyPath, from: entity) != nil
    }
    place.sortDescriptors = sortDescriptors.filter { exists($0.keyPath) }
    place.sectionKey = sectionKey.flatMap { exists($0.keyPath) ? $0 : nil }
    return place
  }
}

extension ListScreen {
  /// Where the list is now.
  var place: ListPlace {
    ListPlace(
      filter: filter, sortDescriptors: provider.request.sortDescriptors,
      sectionKey: provider.request.sectionKey, cursor: cursor ?? cursorToRestore,
      unfilteredCount: unfilteredCount)
  }

  /// Begins where a list of the same entity was left.
  func show(_ place: ListPlace) {
    provider.request.filter = place.filter
    if !place.sortDescriptors.isEmpty {
      provider.request.fetchRequest.sortDescriptors = place.sortDescriptors
      provider.request.sectionKey = place.sectionKey
    }
    cursorToRestore = place.cursor
    unfilteredCount = place.unfilteredCount
  }
}
