import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

/// The page of the object under the cursor beside its list.
///
/// It is drawn from rows in memory. What needs a query comes when the cursor has rested: titles of
/// other objects, and numbers of objects, which are counted in the background.
final class ListPreview {
  /// The width from which there is room for it.
  static let smallestWidth = 140
  /// How long the cursor rests, in milliseconds, before anything is read.
  private static let rest = 150

  private let session: Session
  /// The numbers of objects of to-many relationships.
  private var counts: [String: Int] = [:]
  private var counting: BackgroundJob<(name: String, count: Int)>?
  private var id: ObjectID?
  private var restsFrom = 0
  /// Whether what needs a query is read for the present object.
  private var isRead = false
  private var readRevision = 0

  init(session: Session) { self.session = session }

  /// The columns of the pane on a screen of a width; 0 where there is no room.
  static func columns(on width: Int) -> Int {
    width >= smallestWidth ? min(width * 2 / 5, 90) : 0
  }

  /// Milliseconds until something is read; nil for nothing to do.
  var delay: Int? {
    guard id != nil, !isRead else { return nil }
    return max(restsFrom + Self.rest - session.clock(), 0)
  }

  /// Stops counting.
  func stop() {
    forgetCounts()
    (id, isRead) = (nil, false)
  }

  private func forgetCounts() {
    counting?.cancel()
    (counting, counts) = (nil, [:])
  }

  /// Draws the page of an object; nil for a list without rows.
  func draw(_ new: ObjectID?, in canvas: inout Canvas) {
    for y in 0..<canvas.height {
      canvas.put(canvas.signs.vertical, x: 0, y: y, style: canvas.theme.headerRule)
    }
    follow(new)
    counting?.takeResults()
    guard let id else { return }
    if !isRead, delay == 0 { read(id) }
    let body = Rect(x: 1, y: 0, width: canvas.width - 1, height: canvas.height)
    canvas.within(body) { part in
      let object = session.context.object(with: id)
      part.put(
        part.signs.cut(session.context.displayName(of: id), to: part.width - 3), x: 2, y: 0,
        style: part.theme.title)
      let contents = DetailContents(
        object, session: session,
        options: .init(hidesEmpty: true, known: .init(counts: counts, isRead: isRead)),
        columns: part.width, signs: part.signs)
      for (line, y) in zip(contents.lines.indices, 2..<max(part.height, 2)) {
        contents.draw(line, isCursor: false, isFirst: false, highlighting: [], y: y, in: &part)
      }
    }
  }

  /// Notes which object the cursor is on, and that it may have changed.
  private func follow(_ new: ObjectID?) {
    guard new != id || readRevision != session.revision else { return }
    id = new
    readRevision = session.revision
    isRead = false
    restsFrom = session.clock()
    forgetCounts()
  }

  /// Reads the objects that the present one leads to, and counts in the background.
  private func read(_ id: ObjectID) {
    isRead = true
    let object = session.context.object(with: id)
    let entity = object.entity
    do {
      try session.context.prefetch(
        Set(entity.toOneRelationships.compactMap { object.objectID(forKey: $0.name) }))
      let store = session.store
      let toMany = entity.relationships.filter {
        $0.isToMany && $0.inverseName != nil && !object.isInserted
      }
      let plans = try toMany.map { relationship in
        let predicate = try RelationshipScope.predicate(
          of: relationship, from: object, in: session.model)
        return (
          name: relationship.name,
          plan: FetchPlan(entityName: relationship.destinationEntityName, predicate: predicate)
        )
      }
      counting = BackgroundJob(waker: session.waker) { control, give in
        for (name, plan) in plans {
          if let count = try? store.count(plan, control: control) { give((name, count)) }
        }
      } handle: { [weak self] in
        self?.counts[$0.name] = $0.count
      }
    } catch {
      // Once the cursor has rested again, there may be no lock any more.
      (isRead, restsFrom) = (false, session.clock())
      session.report(error)
    }
  }
}

extension ListScreen {
  /// Shows or hides the object under the cursor beside the list.
  func togglePreview() {
    session.showsPreview.toggle()
    guard session.showsPreview else {
      preview.stop()
      return
    }
    if let app, ListPreview.columns(on: app.size.width) == 0 {
      show(
        "The preview needs \(ListPreview.smallestWidth) columns: it is shown on a wider screen")
    }
  }
}
