import Synchronization

/// Generates the keys of unsaved objects, unique in this process.
enum TemporaryKeys {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
