/// The values of many objects for one sort descriptor, each prepared for many comparisons.
///
/// The folded texts of all are in one array: in a ``FetchSortDescriptor/SortValue`` each has its own,
/// which takes several times as much. The order is the same.
package struct SortValueColumn {
  private let descriptor: FetchSortDescriptor
  /// The values, their texts not folded.
  private var values: [FetchSortDescriptor.SortValue] = []
  /// The folded texts, one after the other.
  private var folded: [UInt8] = []
  /// Where the folded text of each value ends; empty if the comparison folds nothing.
  private var ends: [Int] = []

  /// Makes an empty column.
  package init(_ descriptor: FetchSortDescriptor) { self.descriptor = descriptor }

  /// Makes room for a number of values.
  package mutating func reserveCapacity(_ count: Int) {
    values.reserveCapacity(count)
    if descriptor.folding != nil { ends.reserveCapacity(count) }
  }

  /// Adds a value of an attribute.
  package mutating func append(_ value: Value, of attribute: AttributeDescription?) {
    let prepared = FetchSortDescriptor.SortValue(value, of: attribute, folding: nil)
    values.append(prepared)
    guard let options = descriptor.folding else { return }
    if let text = prepared.value.text {
      text.withBytes { TextFolding.fold($0, options, appendingTo: &folded) }
    }
    ends.append(folded.count)
  }

  /// Compares a value with one of another column of the same descriptor, in its order: -1 if the
  /// first one comes first, 1 if the other does, 0 if neither.
  package func compare(_ index: Int, _ other: Int, in others: SortValueColumn) -> Int {
    let order = foldedOrder(index, other, in: others)
    if order != 0 { return descriptor.ascending ? order : -order }
    return values.withUnsafeBufferPointer { own in
      others.values.withUnsafeBufferPointer { descriptor.compare(own[index], $0[other]) }
    }
  }

  /// The ascending order of two folded texts; 0 if not both are texts, or only one is of its
  /// attribute's kind.
  private func foldedOrder(_ index: Int, _ other: Int, in others: SortValueColumn) -> Int {
    guard !ends.isEmpty, values[index].value.isText, others.values[other].value.isText,
      values[index].isForeign == others.values[other].isForeign
    else { return 0 }
    return folded.withUnsafeBytes { own in
      others.folded.withUnsafeBytes { theirs in
        ByteOrder.compare(
          UnsafeRawBufferPointer(rebasing: own[range(index)]),
          UnsafeRawBufferPointer(rebasing: theirs[others.range(other)]))
      }
    }
  }

  private func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : ends[index - 1])..<ends[index]
  }
}
