import Foundation

/// Generates the identifiers of new stores.
enum StoreIdentifier {
  static func make() -> String { UUID().uuidString }
}
