// Made by `cardfile generate` from a model. Do not edit: it is written anew each time.
// swift-format-ignore-file

import ManagedObjects

/// The classes of all entities, for `ManagedObjectContext.register(_:)` and `StackFactory`.
enum MOEntityClasses {
  /// The classes, by name.
  static let all: [any EntityClass.Type] = [
    MOBook.self,
    MOItem.self,
    MOLabel.self,
    MOPage.self,
  ]
}
