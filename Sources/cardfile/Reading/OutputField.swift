import ObjectModel

/// One column of one object.
enum OutputField {
  /// A value: as it is stored, or as ``ValueForm`` turns it.
  case value(Value)
  case object(ObjectID?)
  case objects([ObjectID])
  /// The name of a file beside the store that should hold the value, and is not there.
  case missingFile(String)
}

/// One object: the columns of its entity, and what stands in them.
struct OutputRow {
  var entityName = ""
  var columns: [OutputColumn] = []
  var fields: [OutputField] = []
}
