/// A reference to an object that is not counted.
///
/// The object's `deinit` clears it, or whoever has made a pointer of it for a function in C keeps the
/// object alive. A weak reference costs more than all else that a context keeps of an object, and
/// whatever was once referenced weakly costs more each time that it is retained.
package struct Unretained<Object: AnyObject> {
  @usableFromInline var reference: Unmanaged<Object>?

  /// Refers to an object; nil for none.
  @inlinable package init(_ object: Object? = nil) {
    reference = object.map(Unmanaged.passUnretained)
  }

  /// The object; nil once it is deallocated.
  @inlinable package var object: Object? { reference?.takeUnretainedValue() }

  @inlinable package var isEmpty: Bool { reference == nil }

  /// Whether it is an object, which may be being deallocated.
  @inlinable package func isIdentical(to object: Object) -> Bool {
    reference?.toOpaque() == Unmanaged.passUnretained(object).toOpaque()
  }

  /// Reads the object without retaining it; nil once it is deallocated.
  ///
  /// Counting a reference for each row takes a tenth more of the time of a sort.
  @inlinable package func read<Result>(_ body: (Object) -> Result) -> Result? {
    reference?._withUnsafeGuaranteedRef(body)
  }
}

// Functions in C capture nothing: they get a pointer to an object.
extension Unretained {
  /// Refers to the object of a pointer.
  @inlinable package init(pointer: UnsafeMutableRawPointer?) {
    reference = pointer.map { Unmanaged.fromOpaque($0) }
  }

  /// Refers to an object, and keeps it alive until ``release()``.
  @inlinable package init(retaining object: Object) {
    reference = Unmanaged.passRetained(object)
  }

  @inlinable package var pointer: UnsafeMutableRawPointer? { reference?.toOpaque() }

  /// Lets an object go that was kept alive.
  @inlinable package func release() { reference?.release() }
}
