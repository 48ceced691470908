package import ObjectModel

/// What can be said of Core Data's binary stores.
///
/// Their format is not public, and no public file shows how one begins. Property lists are told apart from other files by their first bytes.
package enum BinaryStoreFile {
  private static let propertyList = "bplist00"
  private static let archiver = "NSKeyedArchiver"
  private static let most = 1 << 20

  /// Why a file is not opened that may be such a store; nil if it is no binary property list.
  package static func refusal(_ path: String) -> StoreError? {
    let bytes = StoreFile(path: path).firstBytes(most)
    guard bytes.starts(with: propertyList.utf8) else { return nil }
    let isArchive = bytes.firstRange(of: Array(archiver.utf8)) != nil
    return StoreError(
      .unsupported, doing: "opening", subject: path,
      detail: isArchive
        ? "it is a keyed archive, maybe a binary store of Core Data, whose format is not public"
        : "it is a binary property list, and no store that is known",
      remedy: "if an app made it as a store, convert it on a Mac:"
        + " NSPersistentStoreCoordinator.migratePersistentStore to NSSQLiteStoreType or NSXMLStoreType"
    )
  }
}
