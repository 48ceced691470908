package import ObjectModel

/// The value of a column for an object.
package enum OutputField: Sendable, Hashable {
  /// A value in a ``ValueForm``.
  case value(Value)
  case object(ObjectID?)
  case objects([ObjectID])
  /// What a foreign key refers to, by its values, where no object has them.
  case dangling(ObjectID)
  /// The name of the missing external file of a value.
  case missingFile(String)
}

/// A row of the output: an object's columns and their values.
package struct OutputRow: Sendable {
  /// The object; nil for a row that was made from nothing.
  package var id: ObjectID?
  package var entityName = ""
  package var columns: [OutputColumn] = []
  package var fields: [OutputField] = []

  /// Creates a row without fields.
  package init() {}
}
