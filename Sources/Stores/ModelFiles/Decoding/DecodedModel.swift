public import ObjectModel

/// A model read from a file or a model cache, with notes about what could not be kept.
public struct DecodedModel: Hashable, Sendable {
  /// The model, which `validate()` accepts.
  public var model: ManagedObjectModel
  /// What was left out or repaired, one sentence each; empty if nothing was.
  public var notes: [String]

  /// Creates a decoded model.
  public init(model: ManagedObjectModel, notes: [String] = []) {
    self.model = model
    self.notes = notes
  }
}
