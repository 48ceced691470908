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
          .warning, .model, table: "Z_MODELCACHE", "the model in the store cannot be read: \(error)"
        )
      }
    } else {
      report(.note, .model, table: "Z_MODELCACHE", "the model in the store is empty")
    }
    switch try value("SELECT m.Z_PLIST FROM Z_METADATA m") {
    case .data(let plist):
      if (try? PropertyListValue.read(plist)) == nil {
        report(
          .warning, .model, table: "Z_METADATA", "the store’s metadata cannot be read",
          remedy: "an app will not open the store; restore a backup")
      }
    default: report(.warning, .model, table: "Z_METADATA", "the store has no metadata")
    }
  }
}
