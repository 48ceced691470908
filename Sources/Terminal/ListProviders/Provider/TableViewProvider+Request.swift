package import FetchedResults
public import ManagedObjects
public import ObjectModel

extension TableViewProvider {
  /// The request that was made last; see `FetchedResultsController.request`.
  ///
  /// After the first fetch, setting it fetches. After an error the displayed request and its rows
  /// stay.
  package var request: ListRequest {
    get { fetchedResultsController.request }
    set { reportingErrors { try fetchedResultsController.set(newValue) } }
  }

  /// The entity, predicate, order and limit.
  ///
  /// Setting it fetches. For another entity, the display attribute is reset to that entity's own
  /// and the filter is dropped.
  public var fetchRequest: FetchRequest<Object> {
    get { FetchRequest(request.fetchRequest) }
    set {
      guard newValue.entityName != entityName else {
        return request.fetchRequest = FetchRequest(newValue)
      }
      var new = Self.request(newValue, in: managedObjectContext.model)
      new.sectionKey = sectionKey
      request = new
    }
  }

  /// The entity.
  ///
  /// Setting it shows all its objects, by its own display attribute. They must be instances of the
  /// provider's class.
  public var entityName: String {
    get { fetchRequest.entityName }
    set { fetchRequest = FetchRequest(entityName: newValue) }
  }

  /// The predicate; nil for all objects.
  ///
  /// Setting it fetches.
  public var fetchPredicate: FetchPredicate? {
    get { fetchRequest.predicate }
    set { request.fetchRequest.predicate = newValue }
  }

  /// The order; setting an empty one sorts by the display attribute, ascending.
  ///
  /// Setting it fetches.
  ///
  /// With a section key that it does not begin with, the list is sorted by the section key first.
  public var sortDescriptors: [FetchSortDescriptor] {
    get { request.sortDescriptors }
    set { request.fetchRequest.sortDescriptors = newValue }
  }

  /// What sections are made by; nil for one flat section.
  ///
  /// Setting it fetches.
  public var sectionKey: SectionKey? {
    get { request.sectionKey }
    set { request.sectionKey = newValue }
  }

  /// The section key as text, as "surname" or "surname:initial"; nil for one flat section.
  ///
  /// Setting it fetches.
  public var sectionNameKeyPath: String? {
    get { request.sectionNameKeyPath }
    set { request.sectionNameKeyPath = newValue }
  }

  /// The attribute whose value a row shows; nil for empty cells.
  ///
  /// While ``sortDescriptors`` are not set, the list is sorted by it too.
  package var displayAttributeName: String? {
    get { request.displayAttributeName }
    set {
      guard newValue != displayAttributeName else { return }
      request.displayAttributeName = newValue
      reloadTableView()
    }
  }

  /// Changes the request and fetches in the background.
  ///
  /// The old rows stay until the first rows of the new list have been fetched. The cursor stays on
  /// its object if the new list has it.
  ///
  /// - Parameters:
  ///   - request: What the list is to show.
  ///   - firstScreen: How many rows to show before all of them have been fetched.
  ///   - keepsCursor: Whether the cursor stays on its object; if not, the new list is shown from its
  ///     first row.
  ///   - showsNone: Whether an empty list is shown if there are no rows; if not, the old rows stay.
  ///   - wake: Called on another thread when ``takeBackgroundResults()`` has something to show.
  package func set(
    _ request: ListRequest, firstScreen: Int, keepsCursor: Bool = true, showsNone: Bool = true,
    wake: @escaping @Sendable () -> Void
  ) {
    let isFirst = fetchedResultsController.fetchState == .notFetched
    adapter.showsFirstRow = !keepsCursor
    adapter.awaitedPart = nil
    reportingErrors {
      try fetchedResultsController.set(
        request, firstScreen: firstScreen, near: keepsCursor ? adapter.cursorIDs : [],
        showsNone: showsNone, wake: wake)
      if isFirst { reloadTableView() }
    }
  }

  /// Shows another part of a list whose rows have not all been fetched, until they are; or of a
  /// windowed list.
  ///
  /// The cursor goes to the first row of the part, or to the one that it was read for.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - count: How many rows to fetch.
  /// - Returns: As `FetchedResultsController.show(_:count:)`; false after an error, which is
  ///   reported.
  package func show(_ part: ListPart, count: Int) -> Bool {
    // The controller may show it at once. Rows beside the held ones do not move the cursor.
    adapter.awaitedPart = [.next, .previous].contains(part) ? nil : part
    var isShown = false
    reportingErrors { isShown = try fetchedResultsController.show(part, count: count) }
    if !isShown { adapter.awaitedPart = nil }
    return isShown
  }

  /// Stops fetching a part; the rows stay.
  package func cancelPart() {
    adapter.awaitedPart = nil
    fetchedResultsController.cancelPart()
  }

  /// A request for a provider: sorted by the display attribute unless it says otherwise, and by the
  /// section key first.
  static func request(
    _ fetchRequest: FetchRequest<Object>, displayAttributeName: String? = nil,
    in model: ManagedObjectModel
  ) -> ListRequest {
    ListRequest(
      fetchRequest: FetchRequest(fetchRequest),
      displayAttributeName: displayAttributeName
        ?? model.entity(named: fetchRequest.entityName)?.displayAttributeName,
      sortsBySectionKey: true)
  }
}
