import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension App {
  /// Opens the list of the entity in the options or of the only entity; else the list of entities.
  func openFirstScreen() {
    guard session.store.summary.path != nil || !session.model.entities.isEmpty else {
      return push(StartScreen(session: session, find: program.storeChoices))
    }
    let options = session.options
    let entities = session.model.entities
    let wanted = options.entityName.flatMap { session.model.entity(named: $0) }
    if let entity = wanted ?? (entities.count == 1 ? entities.first : nil) {
      push(ListScreen(entity, options: options, session: session))
    } else {
      showEntities()
      if let name = options.entityName {
        let near = NearestNames.suggestions(for: name, in: entities.map(\.name))
        let hint = near.isEmpty ? "" : " — did you mean \(near.joined(separator: ", "))?"
        fail("There is no entity \(name)\(hint)")
      }
    }
  }

  /// Shows the store's notes, if it has any.
  func showNotes() {
    let notes = session.store.summary.notes
    guard !notes.isEmpty else { return }
    present(
      TextOverlay(
        "About \(session.store.summary.name)", lines: notes.flatMap { [$0, ""] }.dropLast()))
  }

  /// Returns to the screen below.
  func back() {
    guard screens.count > 1 else {
      return say("This is the first screen" + session.advice((.quit, "quits")))
    }
    pop()
  }

  /// Shows the list of entities: returns to it if it is below.
  func showEntities() {
    guard let index = screens.lastIndex(where: { $0 is EntityScreen }) else {
      return push(EntityScreen(session: session))
    }
    pop(to: index)
  }
}
