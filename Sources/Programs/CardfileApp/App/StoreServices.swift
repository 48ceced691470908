package import Foundation
package import ObjectModel

/// Features that only some kinds of stores have, set by the code that opened the store.
package nonisolated struct StoreServices: Sendable {
  /// Reads the row behind an object; it returns nil if the row was deleted.
  package var row: (@Sendable (ObjectID) throws -> TableRow?)?
  /// Describes the bytes of a transformable value in one or more lines.
  package var description: (@Sendable (Data) -> [String])?
  /// The tree of a property list or a keyed archive; it returns nil for other bytes.
  package var archiveTree: (@Sendable (Data) -> ValueTree?)?
  /// Unpacks bytes with a gzip or a zlib header, to at most a number of bytes; it throws an error
  /// that says why it cannot.
  package var unpack: (@Sendable (Data, Int) throws -> Data)?
  /// Whether copied and exported values are decoded by the model, as those of a Core Data store are;
  /// if not, they are as stored.
  package var decodesValues = false
  /// Warnings to show before a save, one sentence each: which other programs have the store open.
  package var warningsBeforeSaving: @Sendable () -> [String] = { [] }
  /// Whether the store is backed up before the first save.
  package var makesBackup = false
  /// The path of the backup; nil before the first save.
  package var backupPath: @Sendable () -> String? = { nil }
  /// The number of files of replaced and deleted values, which are kept for undo until the end.
  package var unusedFileCount: @Sendable () -> Int = { 0 }
  /// Whether the file was replaced or its tables were changed, so that it must be opened anew.
  package var isOutdated: @Sendable () -> Bool = { false }

  /// What keeps a service from being asked, as “offline”, and how old what is shown of it is, as
  /// “3 min old”; nil if the store itself is read.
  package var freshness: @Sendable () -> (problem: String?, age: String?)? = { nil }
  /// Why a service could not be asked last; nil if it could.
  package var trouble: @Sendable () -> String? = { nil }

  /// Whether a thread in the background waits for another program's lock.
  package var isWaitingForLock: @Sendable () -> Bool = { false }
  /// Has a closure called, on any thread, when one begins to wait for another program's lock.
  package var observeLockWaits: @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }

  /// How files are imported; nil for a store into which nothing can be.
  package var importing: Importing?

  /// Imports files as objects.
  package struct Importing: Sendable {
    /// What the columns of a file are, and its first objects, one a line.
    package let preview: @Sendable (String, EntityDescription) throws -> [String]
    /// Imports a file, and returns what was done.
    ///
    /// Records that do not fit are written to a file; if its path is nil, nothing is imported then.
    /// Records are reported to the control.
    package let run: @Sendable (String, EntityDescription, String?, FetchControl) throws -> String

    package init(
      preview: @escaping @Sendable (String, EntityDescription) throws -> [String],
      run: @escaping @Sendable (String, EntityDescription, String?, FetchControl) throws -> String
    ) {
      (self.preview, self.run) = (preview, run)
    }
  }

  /// Plans the migration of the store to the model that it is shown with; nil if it is shown with its
  /// own.
  ///
  /// It runs in the background and returns nil if the store has the model.
  package var migration: (@Sendable () throws -> OfferedMigration?)?

  /// Makes services without any feature, to be set one by one.
  package init() {}
}
