import ListProviders
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

/// The page of one object: attributes, relationships, identity.
final class DetailScreen: Screen, BrowserScreen {
  let session: Session
  /// The list that the object was opened from.
  struct Neighbours {
    /// The index of an object in the list and the number of objects; nil if it is not in the list.
    ///
    /// The index is nil while rows before it may be missing, the number while any are.
    let position: (ObjectID) -> (index: Int?, count: Int?)?
    /// Whether rows that are still to be fetched may follow the last one, or precede the first.
    let isOpen: (_ atEnd: Bool) -> Bool
    /// The object at a distance from another; nil beyond the ends.
    let step: (ObjectID, Int) -> ObjectID?
    /// Moves the list's cursor to an object.
    let show: (ObjectID) -> Void
  }

  /// The titles of the screens before this one.
  let steps: [String]
  private let neighbours: Neighbours?
  private(set) var objectID: ObjectID { didSet { title = Self.title(of: objectID) } }
  var page = LineScroll()
  private(set) var contents: DetailContents?
  /// What ``contents`` were made for.
  private var contentsKey: ContentsKey?
  /// The property to put the cursor on when the page is made anew; nil to keep its index.
  private var wantedProperty: DetailContents.Property?
  var options = DetailContents.Options()
  /// The text found with `f`; nil for none.
  var found: TextPattern?
  /// The line in which a text to find or to narrow by is typed; nil if none is.
  var typing: DetailTyping? { didSet { bottomBar = typing?.bar } }
  private var bodyTop = 0

  private struct ContentsKey: Hashable {
    let revision: Int
    let columns: Int
    let options: DetailContents.Options
  }

  init(_ objectID: ObjectID, path: [String], neighbours: Neighbours?, session: Session) {
    self.session = session
    self.objectID = objectID
    steps = path
    self.neighbours = neighbours
    super.init(title: Self.title(of: objectID))
    options.hidesEmpty = session.hidesEmptyProperties
  }

  var object: ManagedObject { session.context.object(with: objectID) }

  /// The row under the cursor; nil before the page was drawn, and on a page without rows.
  var currentRow: DetailContents.Row? {
    guard let rows = contents?.rows, rows.indices.contains(page.cursor) else { return nil }
    return rows[page.cursor]
  }

  // MARK: Screen

  private static func title(of id: ObjectID) -> String { "\(id.entityName) object" }

  var keys: KeyTable { .detail }
  override var keyCommands: [KeyCommand] { tableCommands }
  var isPage: Bool { true }
  override var path: [String] { steps + [session.context.displayName(of: objectID)] }

  override var facts: [String] {
    guard let (index, count) = neighbours?.position(objectID) else { return [] }
    let numbers = [index.map { $0 + 1 }, count].map { $0.map(groupedDigits) ?? "…" }
    let previous = session.keyName(of: .previousObject).map { "  ◂ \($0)" } ?? ""
    let next = session.keyName(of: .nextObject).map { "  \($0) ▸" } ?? ""
    return ["\(numbers[0]) of \(numbers[1])\(previous)\(next)"]
  }

  override var status: String {
    let object = object
    let name = app?.name(of: [objectID]) ?? object.displayName
    if session.marks.contains(objectID) {
      return "\(name) is marked for deletion" + session.advice((.unmark, "takes the mark off"))
    } else if object.isDeleted {
      return "\(name) is deleted, not saved"
    } else if object.isInserted {
      return "\(name) is new, not saved"
    } else if object.isUpdated {
      let keys = object.changedKeys.sorted().joined(separator: ", ")
      return "\(keys) changed, not saved"
    } else if !object.isAccessible {
      return objectID.isTemporary
        ? "This object was never saved, and making it was undone"
        : session.context.isUnread(objectID)
          ? session.look.signs.waiting
          : "This object was deleted from the store, or cannot be read"
    }
    guard let contents, let row = currentRow else { return "" }
    return contents.explanation(of: row.property)
  }

  override var counters: String {
    let counters = session.flagCounters
    return counters.isEmpty ? "" : "unsaved \(counters)"
  }

  func perform(_ action: Action, count: Int?) {
    // The object may have changed since the page was drawn.
    if let contentsKey { makeContents(columns: contentsKey.columns, signs: session.look.signs) }
    switch action {
    case .nextSection: moveToBlock(by: count ?? 1)
    case .previousSection: moveToBlock(by: -(count ?? 1))
    case .open: follow()
    case .nextObject: step(by: count ?? 1)
    case .previousObject: step(by: -(count ?? 1))
    case .find: startTyping(.finding)
    case .filter: startTyping(.narrowing)
    case .findNext: findAgain(count ?? 1)
    case .findPrevious: findAgain(-(count ?? 1))
    case .hideEmpty: toggleEmpty()
    case .delete: app?.markForDeletion([objectID])
    case .unmark: takeOff()
    case .copy: copy()
    case .row: showRow()
    case .refresh:
      contents = nil
      app?.performShared(action)
    case .edit: edit()
    case .insert: app?.insert(object.entity, in: nil)
    case .duplicate: app?.duplicate(objectID, in: nil)
    case .add: add()
    default:
      if let motion = action.motion(count: count) {
        page.move(motion)
      } else {
        app?.performShared(action)
      }
    }
  }

  override func intercept(_ key: Key) -> Bool {
    if typing != nil { return handleTyping(key) }
    guard key == .escape, found != nil || options.narrowing != nil else { return false }
    found = nil
    narrow(to: nil)
    return true
  }

  override func paste(_ text: String) -> Bool {
    guard let typing else { return false }
    typing.bar.insert(text)
    typedTextChanged()
    return true
  }

  override func handle(_ event: MouseEvent) {
    page.handle(event, pageTop: bodyTop)
    if event.kind == .doublePress { follow() }
  }

  override func willAppear() { contents = nil }

  override func isUnread(_ target: KeyCommand.Target, count: Int?) -> Bool {
    target != .nothing && areUnread([objectID], in: session.context)
  }

  func storeChanged() { contents = nil }

  // MARK: Moving

  private func step(by count: Int) {
    guard let neighbours, let next = neighbours.step(objectID, count) else {
      return fail(
        neighbours?.isOpen(count > 0) == true
          ? "The rest of the list is still being read"
          : "There is no \(count > 0 ? "next" : "previous") object")
    }
    wantedProperty = currentRow?.property
    objectID = next
    contents = nil
    neighbours.show(next)
  }

  /// Moves to the first row of a block at a distance; back from within a block goes to its start.
  private func moveToBlock(by count: Int) {
    guard let rows = contents?.rows, let current = currentRow else { return }
    let starts = rows.indices.filter { $0 == 0 || rows[$0].block != rows[$0 - 1].block }
    guard let block = starts.lastIndex(where: { rows[$0].block == current.block }) else { return }
    let isInside = page.cursor > starts[block]
    let target = block + count + (count < 0 && isInside ? 1 : 0)
    page.setCursor(starts[min(max(target, 0), starts.count - 1)])
  }

  private func toggleEmpty() {
    wantedProperty = currentRow?.property
    options.hidesEmpty.toggle()
    session.hidesEmptyProperties = options.hidesEmpty
    show(
      options.hidesEmpty ? "Empty properties are hidden" : "Empty properties are shown")
  }

  /// Leaves out the rows that do not contain a text; nil shows all.
  func narrow(to pattern: TextPattern?) {
    guard pattern != options.narrowing else { return }
    wantedProperty = currentRow?.property
    options.narrowing = pattern
  }

  // MARK: Drawing

  /// Makes the page if it is not made for this width and state of the object.
  func makeContents(columns: Int, signs: Signs) {
    let key = ContentsKey(revision: session.revision, columns: columns, options: options)
    guard contents?.isWaiting != false || contentsKey != key else { return }
    let property = wantedProperty ?? currentRow?.property
    let new = DetailContents(
      object, session: session, options: options, columns: columns, signs: signs)
    contents = new
    contentsKey = key
    page.setItems(new.rows.map(\.lines), lineCount: new.lines.count)
    if let row = property.flatMap(new.index) {
      page.setCursor(row)
      wantedProperty = nil
    }
  }

  override func draw(in canvas: inout Canvas) -> Point? {
    var cursorPoint: Point?
    let air = canvas.height >= 12 ? 1 : 0
    bodyTop = air + 1
    makeContents(columns: canvas.width, signs: canvas.signs)
    guard let contents else { return nil }
    page.setHeight(canvas.height - air)
    let body = Rect(x: 0, y: air, width: canvas.width, height: canvas.height - air)
    let current = currentRow?.lines ?? 0..<0
    let patterns = [found, options.narrowing].compactMap(\.self)
    canvas.within(body) { part in
      for (y, line) in page.visibleLines.enumerated() {
        let isFirst = !current.isEmpty && line == current.lowerBound
        contents.draw(
          line, isCursor: current.contains(line), isFirst: isFirst, highlighting: patterns, y: y,
          in: &part)
        if isFirst { cursorPoint = Point(x: 0, y: bodyTop + y) }
      }
    }
    return cursorPoint
  }
}
