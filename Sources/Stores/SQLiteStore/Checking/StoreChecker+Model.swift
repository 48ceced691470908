import Foundation
import ModelFiles
import ObjectModel
import SQLQueries

extension StoreChecker {
  /// Checks whether Z_MODELCACHE and Z_METADATA can be read: core-data-stores 2 and 3.
  mutating func checkModel() throws(StoreError) {
    if try value("SELECT m.name FROM sqlite_master m WHERE m.name = 'Z_MODELCACHE'").isNull {
      report(
        .note, .model, "the store has no model, as stores from before iOS 9 and OS X 10.11")
    } else if case .data(let cache) = try value("SELECT c.Z_CONTENT FROM Z_MODELCACHE c") {
      do {
        _ = try ModelCache.model(from: cache)
      } catch {
        report(
          .error, .model, table: "Z_MODELCACHE", "the model in the store cannot be read: \(error)"
        )
      }
    } else {
      report(.note, .model, table: "Z_MODELCACHE", "the model in the store is empty")
    }
    switch try value("SELECT m.Z_PLIST FROM Z_METADATA m") {
    case .data(let plist):
      if let metadata = try? PropertyListValue.read(plist) {
        checkHashes(metadata)
      } else {
        report(
          .error, .model, table: "Z_METADATA", "the store’s metadata cannot be read",
          remedy: "an app will not open the store; restore a backup")
      }
    default: report(.warning, .model, table: "Z_METADATA", "the store has no metadata")
    }
    if try value("SELECT m.Z_UUID FROM Z_METADATA m").text?.isEmpty ?? true {
      report(
        .error, .storeIdentifier, table: "Z_METADATA",
        "the store has no identifier (Z_UUID), which the URIs of objects begin with",
        remedy: "restore a backup")
    }
  }

  /// Compares the version hashes with their digest: core-data-stores 2.
  private mutating func checkHashes(_ metadata: PropertyListValue) {
    guard let digest = metadata[VersionHashes.digestKey],
      let hashes = metadata["NSStoreModelVersionHashes"]?.dictionary,
      VersionHashes(hashes.mapValues { $0.data ?? Data() }).digest != digest
    else { return }
    report(
      .error, .versionHashes, table: "Z_METADATA",
      "the version hashes of the entities do not match their digest",
      remedy: "an app may refuse the store; restore a backup")
  }
}
