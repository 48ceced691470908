import ObjectModel

/// One column of one object.
enum OutputField {
  /// A stored value.
  case value(Value)
  case object(ObjectID?)
  case objects([ObjectID])
}
