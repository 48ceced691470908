public import ObjectModel

/// A model that was read, and what a person should know of it.
public struct DecodedModel: Hashable, Sendable {
  /// The model; it is whole: `validate()` accepts it.
  public var model: ManagedObjectModel
  /// What was left out or mended, one sentence each; empty when nothing was.
  public var notes: [String]

  /// Describes what was read.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - notes: What was left out or mended.
  public init(model: ManagedObjectModel, notes: [String] = []) {
    self.model = model
    self.notes = notes
  }
}
