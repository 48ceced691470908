import ObjectModel
import TerminalKit

/// The result of an action or a mouse event, which the application carries out.
enum ScreenOutcome {
  /// Nothing is left to do.
  case done
  /// The application performs the action: it is not the screen's, or not the screen's alone.
  case passOn
  /// Returns to the screen below.
  case back
  /// Pushes a screen.
  case push(any Screen)
  /// Shows an overlay.
  case present(any Overlay)
  /// Asks a question; the chosen answer is carried out.
  case ask(
    String, lines: [String], answers: [(key: Character, label: String, outcome: ScreenOutcome)])
  /// Opens another store.
  case openStore(String)
  /// Marks objects for deletion; calls ``Screen/didMarkForDeletion()`` afterwards.
  case markForDeletion([ObjectID])
  /// Removes the marks of objects; without marks, discards their unsaved changes.
  case unmark([ObjectID])
  /// Edits a property of objects, which all get the same value.
  case edit([ObjectID], property: String)
  /// Sets an attribute of objects to a value; asks first if they are several.
  case setValue([ObjectID], AttributeDescription, Value)
  /// Makes a new object of an entity, and adds it to a relationship.
  case insert(EntityDescription, RelationshipSource?)
  /// Makes a copy of an object, and adds it to a relationship.
  case duplicate(ObjectID, RelationshipSource?)
  /// Shows objects to add to a to-many relationship.
  case add(RelationshipSource)
  /// Removes objects from a to-many relationship; takes the marks of marked ones off.
  case remove([ObjectID], RelationshipSource)
  /// Closes the list that objects were chosen from; with none for NULL.
  case chosen([ObjectID], Choosing)
}
