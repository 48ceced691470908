import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalKit

/// The objects of an entity, or those that a relationship leads to, as a list in sections.
final class ListScreen: Screen {
  /// Which objects the list is about, before any filter.
  struct Scope {
    var predicate: ValidatedPredicate?
    /// The steps that lead here, the store's name first; empty for the whole entity.
    var path: [String] = []
    /// The relationship that leads back to where one came from, the same for all rows.
    var inverseName: String?
  }

  /// Where the cursor was: on which object, and how the window stood.
  struct Place {
    var id: ObjectID
    var position: TableView.Position
  }

  /// What work in the background is about.
  enum Work {
    case loading, sorting(String), filtering

    var title: String {
      switch self {
      case .loading: "Loading"
      case .sorting(let name): "Sorting by \(name)"
      case .filtering: "Filtering"
      }
    }
  }

  let entity: EntityDescription
  let scope: Scope
  let session: Session
  let table = TableView()
  let provider: TableViewProvider
  let columns: [ListColumn]
  /// The columns that have room now.
  var shownColumns: [ListColumn] = []
  var filterBar: FilterBar?
  /// The letters typed to go to a section; nil while none are waited for.
  var jump: JumpMode?
  /// Where `''` goes back to.
  var returnPlace: TableView.Position?
  /// Where the cursor returns to once its object is in the list again, after a filter was left.
  var wantedCursor: Place?
  /// The object of the row that was chosen with the mouse last.
  var chosenID: ObjectID?
  /// A motion that waits for the whole list.
  var waitingMotion: (() -> Void)?
  /// What the filter bar restores when it is left with Esc.
  var beforeFilter: (filter: TypedPredicate?, place: Place?)?
  var work = Work.loading
  /// How many objects there are without the filter; nil while that is not known.
  var unfilteredCount: Int?
  private var isFetched = false
  /// The list before the change that its table is about to show.
  var resultsBeforeChange: ResultsSections?

  /// Makes a list of an entity's objects within a scope; ``appear()`` fetches it.
  init(
    _ entity: EntityDescription, options: AppOptions = AppOptions(), scope: Scope = Scope(),
    session: Session
  ) {
    self.entity = entity
    self.scope = scope
    self.session = session
    columns = ListColumn.columns(of: entity, named: options.columns, hiding: scope.inverseName)
    let order =
      options.sortDescriptors.isEmpty
      ? ListDefaults.sortDescriptors(for: entity) : options.sortDescriptors
    provider = TableViewProvider(
      fetchRequest: FetchRequest(
        entityName: entity.name, predicate: scope.predicate?.predicate, sortDescriptors: order),
      context: session.context)
    provider.sectionKey =
      switch options.section {
      case nil: ListDefaults.sectionKey(for: order, entity: entity, store: session.store)
      case .some(.none): nil
      case .some(.key(let key)): key
      }
    provider.request.filter = options.filter
    connect()
  }

  var controller: FetchedResultsController<ManagedObject> { provider.fetchedResultsController }

  /// The filter of the request that was made last.
  var filter: TypedPredicate? { provider.request.filter }

  /// The first sort descriptor of the displayed rows.
  var displayedOrder: FetchSortDescriptor? {
    provider.displayedRequest?.sortDescriptors.first
  }

  /// The steps that lead here, the store's name first.
  var path: [String] { scope.path.isEmpty ? [session.storeTitle, entity.name] : scope.path }

  // MARK: Screen

  var keys: KeyTable { .list }
  var helpTitle: String { "\(entity.name) list" }
  var bottomBar: (any BottomBar)? { filterBar }
  var hardwareCursor: Point? { table.hardwareCursor }

  var hintedActions: [Action] {
    guard filter != nil, controller.count == 0, !isWorking else { return keys.hintedActions }
    return [.filter, .escape, .entities, .help]
  }

  var isWorking: Bool { provider.fetchProgress != nil }

  var redrawDelay: Int? {
    let flashes = table.nextDeadline.map { max($0 - table.clock(), 0) }
    let spinner = isWorking ? BusyLine.frameDuration : nil
    return [flashes, spinner].compactMap(\.self).min()
  }

  func appear() {
    table.isHidden = false
    guard isFetched else {
      isFetched = true
      fetch(.loading, provider.request)
      return
    }
    takeResults()
    provider.isSuspended = false
  }

  /// Goes on fetching below another screen, but not once it was left.
  func disappear(isLeft: Bool) {
    table.isHidden = true
    if isLeft { provider.cancelFetch() }
    provider.isSuspended = !isWorking
  }

  func handle(_ event: MouseEvent) -> ScreenOutcome {
    wantedCursor = nil
    chosenID = nil
    table.handle(event)
    return chosenID.map(open) ?? .done
  }

  func paste(_ text: String) {
    guard let filterBar else { return }
    filterBar.insert(text)
    filterTextChanged()
  }

  // MARK: Drawing

  func drawBody(in canvas: inout Canvas) {
    let fitting = ListColumn.fitting(columns, width: canvas.width)
    shownColumns = fitting
    let isEmpty = controller.count == 0
    let tableColumns =
      isEmpty ? [] : fitting.map { $0.tableColumn(sort: displayedOrder) }
    if table.columns != tableColumns { table.columns = tableColumns }
    provider.emptyText = emptyText
    table.showsSectionIndexCounts = jump != nil
    table.draw(in: &canvas)
  }

  private var emptyText: [String] {
    if let filter {
      return [
        "No \(entity.name) matches", filter.text, "", "Esc clear the filter     / change it",
      ]
    }
    switch provider.fetchState {
    case .notFetched: return ["Loading …"]
    case .partial, .complete:
      return scope.path.isEmpty
        ? ["There are no \(entity.name) objects"] : ["\(scope.path.last ?? "") leads to no object"]
    }
  }
}
