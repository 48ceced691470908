/// A reference to an object that is not counted: the object's `deinit` clears it.
///
/// A weak reference costs more than all else that a context keeps of an object, and whatever was once
/// referenced weakly costs more each time that it is retained.
struct Unretained<Object: AnyObject> {
  private var reference: Unmanaged<Object>?

  init(_ object: Object? = nil) { reference = object.map(Unmanaged.passUnretained) }

  /// The object; nil once it is deallocated.
  var object: Object? { reference?.takeUnretainedValue() }

  var isEmpty: Bool { reference == nil }

  /// Whether it is an object, which may be being deallocated.
  func isIdentical(to object: Object) -> Bool {
    reference?.toOpaque() == Unmanaged.passUnretained(object).toOpaque()
  }

  /// Reads the object without retaining it; nil once it is deallocated.
  func read<Result>(_ body: (Object) -> Result) -> Result? {
    reference?._withUnsafeGuaranteedRef(body)
  }
}
