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
