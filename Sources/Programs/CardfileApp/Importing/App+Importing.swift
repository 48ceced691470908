import ObjectModel
import TerminalApplications
import TerminalKit

extension App {
  /// Shows what a file would be as objects of the list's entity, and imports it if a person agrees.
  ///
  /// - Parameter name: The path of the file.
  func importFile(_ name: String) {
    guard let service = session.services.importing else {
      return fail("Nothing can be imported into a store of this kind")
    }
    guard let list = screens.last(where: { $0 is ListScreen }) as? ListScreen else {
      return fail("There is no list to import into — open an entity first")
    }
    guard !session.hasUnsavedChanges else { return fail("Save or discard the changes first") }
    let (path, entity) = (FileOutput.path(name), list.entity)
    session.jobs.start("Reading \(name)", for: list) { _ in
      try service.preview(path, entity)
    } done: { [weak self] lines in
      self?.askToImport(path, as: entity, service, lines)
    }
  }

  private func askToImport(
    _ path: String, as entity: EntityDescription, _ service: StoreServices.Importing,
    _ lines: [String]
  ) {
    let rejects = Self.rejectsPath(for: path)
    /// Esc cancels it: the store is as it was then.
    func answer(_ key: Character, _ label: String, rejects: String?) -> QuestionOverlay.Answer {
      QuestionOverlay.Answer(key: key, label: label) { [weak self] in
        self?.session.jobs.start("Importing") {
          try service.run(path, entity, rejects, $0)
        } done: { [weak self] phrase in
          self?.refreshFromStore()
          self?.say("Imported: \(phrase)")
        }
      }
    }
    let notes =
      [
        "", "i saves all objects at once, or nothing if a record does not fit;",
        "o saves the others, and such records to \(rejects.lastPathPart).",
      ] + session.services.warningsBeforeSaving()
    present(
      QuestionOverlay(
        "Import \(path.lastPathPart) as \(entity.name)?", lines: (lines + notes).map { .init($0) },
        answers: [
          answer("i", "import", rejects: nil), answer("o", "import others", rejects: rejects),
        ]))
  }

  /// A file beside another one for its records that do not fit, which does not exist yet.
  private static func rejectsPath(for path: String) -> String {
    let names = (1...99).map { "\(path).rejects\($0 == 1 ? "" : "\($0)").csv" }
    return names.first { (try? FileTarget(path: $0))?.occupant == .nothing } ?? names[0]
  }
}
