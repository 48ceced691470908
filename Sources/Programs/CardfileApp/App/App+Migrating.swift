import Foundation
import ObjectModel
import TerminalApplications
import TerminalKit

/// A migration of the open store to the model that it is shown with, planned and counted.
package nonisolated struct OfferedMigration: Sendable {
  /// What would change and what would be lost, a line each.
  package var lines: [String]
  /// Why it cannot be done, a sentence each; empty if it can.
  package var refusals: [String]
  /// Backs the store up and migrates it.
  ///
  /// It returns the path of the backup; nil if there is none.
  package var migrate: @Sendable () throws -> String?

  /// Describes a migration.
  package init(
    lines: [String], refusals: [String], migrate: @escaping @Sendable () throws -> String?
  ) { (self.lines, self.refusals, self.migrate) = (lines, refusals, migrate) }
}

extension App {
  /// Offers to migrate the store, if it is shown with a model that it does not have.
  func offerMigration() {
    guard let plan = session.services.migration else { return }
    session.jobs.start("Comparing the models") { control in
      try FetchControl.$current.withValue(control) { try plan() }
    } done: { [weak self] offered in
      if let offered { self?.ask(offered) }
    }
  }

  private func ask(_ offered: OfferedMigration) {
    guard offered.refusals.isEmpty else {
      return present(
        TextOverlay(
          "The store cannot get this model",
          lines: offered.lines + [""] + offered.refusals.map { "\(look.signs.separator) \($0)" }))
    }
    ask(
      "Migrate the store to this model?", offered.lines,
      answers: [("y", "migrate", { [weak self] in self?.migrate(offered) })])
  }

  private func migrate(_ offered: OfferedMigration) {
    session.jobs.start("Migrating") { control in
      try FetchControl.$current.withValue(control) { try offered.migrate() }
    } done: { [weak self] backup in
      let kept = backup.map { ", as it was in \(URL(fileURLWithPath: $0).lastPathComponent)" } ?? ""
      self?.reopenStore(saying: "The store is migrated\(kept)")
    }
  }
}
