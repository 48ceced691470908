/// A hash table with open addressing, under several containers: it finds the indices of elements in
/// an array that the container keeps.
///
/// The container hashes and compares its elements. They are added at the end; where one is removed,
/// the last one takes its index, so that the array has no gaps. A dictionary of indices costs several
/// times as much, because it copies the keys.
package struct HashTable: Sendable {
  @usableFromInline
  struct Slot: BitwiseCopyable, Sendable {
    var hash: UInt32
    /// The index of the element, counted from 1; 0 is free.
    var number: UInt32

    @inlinable
    init(hash: UInt32, number: UInt32) { (self.hash, self.number) = (hash, number) }
  }

  /// As many as a power of two, of which at least a quarter are free; none if nothing was added.
  @usableFromInline var slots: ContiguousArray<Slot> = []
  /// The number of elements.
  @usableFromInline package var count = 0

  /// Makes an empty table.
  @inlinable package init() {}

  /// The number of bytes of its slots.
  package var byteCount: Int { slots.count * MemoryLayout<Slot>.stride }

  /// Finds an element.
  ///
  /// - Parameters:
  ///   - hash: The hash of the element.
  ///   - isEqual: Whether the element at an index, which has the same hash, is the one.
  /// - Returns: The index of the element; nil if the table does not contain it.
  @inlinable
  package func index(_ hash: UInt32, where isEqual: (Int) -> Bool) -> Int? {
    guard !slots.isEmpty else { return nil }
    let number = slots.withUnsafeBufferPointer { slots in
      slots[Self.slot(hash, in: slots, where: isEqual)].number
    }
    return number == 0 ? nil : Int(number) - 1
  }

  /// Finds an element, or adds it.
  ///
  /// - Parameters:
  ///   - hash: The hash of the element.
  ///   - isEqual: Whether the element at an index, which has the same hash, is the one.
  /// - Returns: The index of the element; nil if the table did not contain it, and has given it the
  ///   next index, which is ``count`` as it was.
  @inlinable
  package mutating func indexOrAdd(_ hash: UInt32, where isEqual: (Int) -> Bool) -> Int? {
    reserveCapacity(count + 1)
    let slot = slots.withUnsafeBufferPointer { Self.slot(hash, in: $0, where: isEqual) }
    let number = slots[slot].number
    if number != 0 { return Int(number) - 1 }
    count += 1
    slots[slot] = Slot(hash: hash, number: UInt32(count))
    return nil
  }

  /// Removes an element; the last one takes its index.
  ///
  /// - Parameters:
  ///   - index: The index of the element.
  ///   - hash: Its hash.
  ///   - lastHash: The hash of the last element.
  package mutating func remove(_ index: Int, _ hash: UInt32, lastHash: UInt32) {
    let slot = slot(hash, of: index)
    slots[self.slot(lastHash, of: count - 1)].number = UInt32(index + 1)
    free(slot)
    count -= 1
  }

  /// Makes room for a number of elements in all.
  @inlinable
  package mutating func reserveCapacity(_ count: Int) {
    if count * 4 > slots.count * 3 { grow(to: count) }
  }

  @usableFromInline
  mutating func grow(to count: Int) {
    var size = max(slots.count, 16)
    while count * 4 > size * 3 { size *= 2 }
    let old = slots
    slots = ContiguousArray(repeating: Slot(hash: 0, number: 0), count: size)
    slots.withUnsafeMutableBufferPointer { slots in
      for slot in old where slot.number != 0 {
        slots[Self.slot(slot.hash, in: UnsafeBufferPointer(slots)) { _ in false }] = slot
      }
    }
  }

  /// The slot of an element, or the free one for it.
  @inlinable
  static func slot(
    _ hash: UInt32, in slots: UnsafeBufferPointer<Slot>, where isEqual: (Int) -> Bool
  ) -> Int {
    let mask = slots.count - 1
    var index = Int(hash) & mask
    while slots[index].number != 0 {
      if slots[index].hash == hash, isEqual(Int(slots[index].number) - 1) { return index }
      index = (index + 1) & mask
    }
    return index
  }

  private func slot(_ hash: UInt32, of index: Int) -> Int {
    slots.withUnsafeBufferPointer { Self.slot(hash, in: $0) { $0 == index } }
  }

  /// Frees a slot; what follows moves up, so that each element is found without passing a free slot.
  private mutating func free(_ index: Int) {
    let mask = slots.count - 1
    var (free, next) = (index, (index + 1) & mask)
    while slots[next].number != 0 {
      let home = Int(slots[next].hash) & mask
      if (next - home) & mask >= (next - free) & mask {
        slots[free] = slots[next]
        free = next
      }
      next = (next + 1) & mask
    }
    slots[free] = Slot(hash: 0, number: 0)
  }
}

extension HashTable {
  /// Checks the table, for tests.
  ///
  /// - Parameter hashes: The hashes of the container's elements.
  /// - Returns: What is wrong; nil if nothing is.
  package func brokenInvariant(hashes: [UInt32]) -> String? {
    guard count == hashes.count else { return "\(count) elements, not \(hashes.count)" }
    guard count > 0 || !slots.isEmpty else { return nil }
    guard slots.count & (slots.count - 1) == 0 else { return "\(slots.count) slots" }
    let used = slots.filter { $0.number != 0 }
    guard used.count * 4 <= slots.count * 3 else { return "\(used.count) of \(slots.count) used" }
    guard used.map(\.number).sorted() == (0..<UInt32(count)).map({ $0 + 1 }) else {
      return "the numbers are not those of the elements"
    }
    for (index, hash) in hashes.enumerated() where self.index(hash, where: { $0 == index }) == nil {
      return "the element at \(index) is not found by its hash"
    }
    return nil
  }
}
