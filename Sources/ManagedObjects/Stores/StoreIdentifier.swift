import Foundation

/// Identifiers for new stores.
enum StoreIdentifier {
  static func make() -> String { UUID().uuidString }
}
