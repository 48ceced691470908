import Glibc

/// A buffer of plain values that grows in place where the system can: large blocks are moved by
/// their pages, not copied.
struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
  private(set) var start: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 1024) {
    self.capacity = max(capacity, 1)
    start = Self.grown(nil, to: self.capacity)
  }

  deinit { free(start) }

  /// The number of bytes in use.
  var byteCount: Int { count * MemoryLayout<Element>.stride }

  subscript(index: Int) -> Element {
    get {
      assert(index >= 0 && index < count, "Element \(index) is out of range: there are \(count).")
      return start[index]
    }
    set {
      assert(index >= 0 && index < count, "Element \(index) is out of range: there are \(count).")
      start[index] = newValue
    }
  }

  mutating func append(_ element: Element) {
    reserve(1)
    start[count] = element
    count += 1
  }

  mutating func append(_ elements: UnsafeBufferPointer<Element>) {
    guard let source = elements.baseAddress, !elements.isEmpty else { return }
    reserve(elements.count)
    (start + count).update(from: source, count: elements.count)
    count += elements.count
  }

  mutating func removeAll() { count = 0 }

  /// Removes the elements from an index on.
  mutating func removeAll(from index: Int) { count = min(count, index) }

  /// Makes room for more elements.
  mutating func reserve(_ more: Int) {
    guard count + more > capacity else { return }
    capacity = max(capacity * 2, count + more)
    start = Self.grown(start, to: capacity)
  }

  /// Counts elements that were written behind the last one, after ``reserve(_:)``.
  mutating func advance(by written: Int) {
    assert(count + written <= capacity, "\(written) elements do not fit.")
    count += written
  }

  private static func grown(_ start: UnsafeMutablePointer<Element>?, to capacity: Int)
    -> UnsafeMutablePointer<Element>
  {
    guard let block = realloc(start, capacity * MemoryLayout<Element>.stride) else {
      // As Swift's own arrays do; the budget of a sort ends long before.
      fatalError("There is no memory for \(capacity) elements.")
    }
    return block.assumingMemoryBound(to: Element.self)
  }
}

/// A buffer of integers that are stored in a small type while they fit, and then in a large one.
struct WideningBuffer<
  Small: FixedWidthInteger & BitwiseCopyable, Large: FixedWidthInteger & BitwiseCopyable
>: ~Copyable {
  private var small = GrowingBuffer<Small>()
  private var large = GrowingBuffer<Large>(capacity: 1)
  private var isLarge = false

  var count: Int { isLarge ? large.count : small.count }

  /// The number of bytes in use.
  var byteCount: Int { small.byteCount + large.byteCount }

  subscript(index: Int) -> Large { isLarge ? large[index] : Large(small[index]) }

  mutating func append(_ number: Large) {
    if !isLarge {
      if let number = Small(exactly: number) { return small.append(number) }
      widen()
    }
    large.append(number)
  }

  private mutating func widen() {
    large = GrowingBuffer(capacity: small.count * 2)
    for index in 0..<small.count { large.append(Large(small[index])) }
    small = GrowingBuffer(capacity: 1)
    isLarge = true
  }
}
