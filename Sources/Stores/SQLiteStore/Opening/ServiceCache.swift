import Foundation
package import ObjectModel

extension SQLiteStore {
  /// Opens the cache of a service: a file in a folder of the user's cache that only the user can
  /// enter.
  ///
  /// A cache of another model, or one that is damaged, is made anew.
  ///
  /// - Parameters:
  ///   - address: The address of the service.
  ///   - model: The model that the cache must have.
  /// - Returns: The cache; one in memory if there can be no file.
  package static func cache(of address: String, model: ManagedObjectModel) -> any PersistentStore {
    let name = String(
      (address.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "").prefix(200))
    guard let folder = UserDirectory.cache.path.map({ $0 + "/cardfile/services" }),
      let contents = try? OpenFolder(making: folder)
    else { return InMemoryStore(model: model) }
    let path = "\(folder)/\(name).sqlite"
    var options = Options(expectedModel: model)
    options.isRecoverable = true
    if FileManager.default.fileExists(atPath: path) {
      if let cache = try? open(path: path, options: options) { return cache }
      for suffix in ["", "-wal", "-shm", "-journal"] {
        _ = contents.remove("\(name).sqlite\(suffix)")
      }
    }
    // Another process may just have made it.
    _ = try? create(path: path, model: model)
    return (try? open(path: path, options: options)) ?? InMemoryStore(model: model)
  }
}
