public import FetchedResults
public import ManagedObjects
public import ObjectModel
import TerminalKit

/// What a provider's list shows, as it was asked; the controller's request is worked out from it.
struct Question {
  var request: FetchRequest<ManagedObject>
  var sectionKey: SectionKey?

  /// The request in an order: its own, or by the display attribute; sections kept together.
  func completed(displayAttributeName: String?) -> FetchRequest<ManagedObject> {
    var completed = request
    if completed.sortDescriptors.isEmpty, let displayAttributeName {
      completed.sortDescriptors = [FetchSortDescriptor(KeyPathText.text([displayAttributeName]))]
    }
    if let sectionKey {
      completed.sortDescriptors = sectionKey.agreeing(completed.sortDescriptors)
    }
    return completed
  }
}

extension TableViewProvider {
  /// What the list shows.
  ///
  /// Setting it fetches, when there was a fetch.
  public var fetchRequest: FetchRequest<ManagedObject> {
    get { question.request }
    set {
      let isOther = newValue.entityName != question.request.entityName
      let hadFetched = hasFetched
      question.request = newValue
      replaceController()
      if isOther {
        displayAttributeName =
          managedObjectContext.model.entity(named: newValue.entityName)?.displayAttributeName
      }
      if hadFetched { performFetchAndReloadTableView() }
    }
  }

  /// The entity.
  ///
  /// Setting it shows all its objects, by its own display attribute.
  public var entityName: String {
    get { question.request.entityName }
    set { fetchRequest = FetchRequest(entityName: newValue) }
  }

  /// The condition; nil for all objects.
  ///
  /// The list follows.
  public var fetchPredicate: FetchPredicate? {
    get { question.request.predicate }
    set {
      question.request.predicate = newValue
      follow()
    }
  }

  /// The order; by the display attribute, ascending, when it is empty.
  ///
  /// The list follows.
  ///
  /// With a section key that it does not begin with, the list is ordered by the section key before it.
  public var sortDescriptors: [FetchSortDescriptor] {
    get { question.completed(displayAttributeName: displayAttributeName).sortDescriptors }
    set {
      question.request.sortDescriptors = newValue
      follow()
    }
  }

  /// What sections are made by; nil for none.
  ///
  /// The list follows.
  public var sectionKey: SectionKey? {
    get { question.sectionKey }
    set {
      question.sectionKey = newValue
      follow()
    }
  }

  /// The section key as text, as "surname" or "surname:initial"; nil for none.
  ///
  /// The list follows.
  public var sectionNameKeyPath: String? {
    get { question.sectionKey?.description }
    set { sectionKey = newValue.map { SectionKey($0) ?? SectionKey($0, .value) } }
  }

  /// Asks another question in the background.
  ///
  /// The old rows stay until the first rows of the new answer are here; the cursor stays on its object where that is in it.
  ///
  /// - Parameters:
  ///   - predicate: The condition; nil for all objects.
  ///   - sortDescriptors: The order; empty for the display attribute's.
  ///   - sectionKey: What sections are made by; nil for none.
  ///   - firstScreen: How many rows to show before all are here.
  ///   - wake: Called on another thread when ``poll()`` has something to show.
  public func set(
    predicate: FetchPredicate?, sortDescriptors: [FetchSortDescriptor], sectionKey: SectionKey?,
    firstScreen: Int, wake: @escaping @Sendable () -> Void
  ) {
    let old = question
    question.request.predicate = predicate
    question.request.sortDescriptors = sortDescriptors
    question.sectionKey = sectionKey
    let request = question.completed(displayAttributeName: displayAttributeName)
    let isFirst = !hasFetched
    do {
      try fetchedResultsController.set(
        predicate: request.predicate, sortDescriptors: request.sortDescriptors,
        sectionKey: sectionKey, firstScreen: firstScreen, wake: wake)
      mostRecentError = nil
      if isFirst { tableView?.reloadData() }
    } catch {
      question = old
      tell(error)
    }
  }

  /// Stops a background fetch; the rows, and the question they answer, stay.
  public func cancelFetch() {
    fetchedResultsController.cancelFetch()
    followQuestion()
  }

  /// How much of the list is here.
  public var fetchState: FetchState { fetchedResultsController.fetchState }

  /// How far a background fetch is; nil when there is none.
  public var fetchProgress: FetchProgress? { fetchedResultsController.fetchProgress }

  /// Whether the rows answer an older question while the new one is fetched.
  public var showsOldOrder: Bool { fetchedResultsController.showsOldOrder }

  /// Takes in what another process has committed, row by row; see the controller's method.
  ///
  /// - Parameter wake: Called on another thread when ``poll()`` has something to show; nil to fetch everything at once.
  public func refetchAfterForeignChange(wake: (@Sendable () -> Void)? = nil) {
    fetchedResultsController.refetchAfterForeignChange(wake: wake)
  }

  var hasFetched: Bool { fetchState != .notFetched }

  /// Tells the controller what is asked; before the first fetch it is only noted.
  func prepareController() throws {
    guard !hasFetched else { return }
    let request = question.completed(displayAttributeName: displayAttributeName)
    try fetchedResultsController.set(
      predicate: request.predicate, sortDescriptors: request.sortDescriptors,
      sectionKey: question.sectionKey)
  }

  /// Makes the list show what is asked; goes back to the old question when that fails.
  func follow() {
    guard hasFetched else { return }
    let request = question.completed(displayAttributeName: displayAttributeName)
    telling {
      do {
        try fetchedResultsController.set(
          predicate: request.predicate, sortDescriptors: request.sortDescriptors,
          sectionKey: question.sectionKey)
      } catch {
        followQuestion()
        throw error
      }
    }
  }

  /// Makes the question the one that the controller answers: after an error or a cancelled fetch.
  func followQuestion() {
    let shown = fetchedResultsController.fetchRequest
    if question.completed(displayAttributeName: displayAttributeName).sortDescriptors
      != shown.sortDescriptors
    {
      question.request.sortDescriptors = shown.sortDescriptors
    }
    question.request.predicate = shown.predicate
    question.sectionKey = fetchedResultsController.sectionKey
  }
}
