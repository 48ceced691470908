import ObjectModel

/// The value of a column for an object.
enum OutputField {
  /// A value in a ``ValueForm``.
  case value(Value)
  case object(ObjectID?)
  case objects([ObjectID])
  /// The name of the missing external file of a value.
  case missingFile(String)
}

/// A row of the output: an object's columns and their values.
struct OutputRow {
  var entityName = ""
  var columns: [OutputColumn] = []
  var fields: [OutputField] = []
}
