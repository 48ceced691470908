extension Array {
  /// The elements that satisfy a predicate, each of which is asked once and in order.
  ///
  /// If all do, it is the array itself and not a copy, as `filter` makes.
  @inlinable
  package func selected(where isIncluded: (Element) throws -> Bool) rethrows -> [Element] {
    guard let first = try firstIndex(where: { try !isIncluded($0) }) else { return self }
    return try self[..<first] + self[(first + 1)...].filter(isIncluded)
  }
}
