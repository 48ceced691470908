/// A condition on objects, in the language of NSPredicate.
///
/// It is matched in memory and translated to SQL; both give the same answer for every row.
/// Build one from text with ``init(format:_:)``, or with ``PropertyKey`` and operators.
///
/// ## What a condition means
///
/// **Two values.** Every comparison is true or false, so NOT turns it round. With null on either side a comparison is
/// false, but for `== NULL` and `!=`: null is equal to null and different from every value. Null is in no list.
///
/// **Kinds.** Numbers (whole, double, decimal, and booleans as 0 and 1) are compared by value, without loss. Dates are
/// compared with dates as moments, text with text (a URL is text), bytes with bytes (a UUID is bytes). Values of different
/// kinds are not equal, and neither is less. ``validated(for:in:)`` first gives literals the kind of their attribute.
///
/// **Text** is compared by its UTF-8 bytes. `[c]` and `[d]` fold both sides first, as ``TextFolding`` says. `[l]` changes
/// `<` and its like only: they follow a person's order. `[n]` changes nothing. Every text contains the empty one. LIKE and
/// MATCHES are about the whole text; in LIKE `*` is any text, `?` one code point, and `\` takes the next as it is.
///
/// **Collections.** ANY over an empty collection is false, ALL is true, NONE is NOT ANY. A to-one that is null leads to an
/// empty collection. `IN` with text on the right, and CONTAINS with text on the left, mean "is a part of".
/// `@count` counts all members, `@sum` of none is 0, `@min`, `@max` and `@avg` of none are null and leave nulls out.
///
/// **Arithmetic.** `+ - *` of whole numbers are whole, or a double when 64 bits do not hold them. `/` is never cut off:
/// `5 / 2` is 2.5, whatever the kinds. `**` gives a double. A division by zero, the root of a negative number, a null or
/// something that is no number gives null. A date plus seconds is a date; a date minus a date is seconds.
///
/// **Form.** Keywords have no case. `#any` is a key that would be a keyword, and `` `odd name` `` one with blanks or signs
/// (a backquote in it is doubled). In quotes `\' \" \\ \n \t \r \uXXXX` are escapes; another backslash stays as it is.
/// NOT binds stronger than AND, AND than OR; `**` binds to the right, and stronger than `* /`, and those than `+ -`.
public struct FetchPredicate: Sendable {
  package let node: Node
  /// The format it was read from; nil for one that was built.
  let source: Source?

  package init(_ node: Node) {
    self.node = node
    source = nil
  }

  init(_ node: Node, source: Source?) {
    self.node = node
    self.source = source
  }

  /// A format, and where keys and literals first stand in it, in Unicode scalars.
  struct Source: Sendable {
    let text: String
    let places: [Expression: Range<Int>]
  }

  /// The parts of a condition.
  ///
  /// Each use (matching, SQL, printing) switches over all of them.
  package indirect enum Node: Hashable, Sendable {
    /// TRUEPREDICATE or FALSEPREDICATE.
    case constant(Bool)
    /// Two expressions compared.
    case comparison(Comparison)
    /// All hold; true when empty.
    case and([Node])
    /// Any holds; false when empty.
    case or([Node])
    /// The condition does not hold.
    case not(Node)
  }

  /// Two expressions compared.
  package struct Comparison: Hashable, Sendable {
    package var modifier: Modifier
    package var left: Expression
    package var operation: Operator
    package var right: Expression
    package var options: Options

    package init(
      _ left: Expression, _ operation: Operator, _ right: Expression, options: Options = [],
      modifier: Modifier = .direct
    ) {
      self.modifier = modifier
      self.left = left
      self.operation = operation
      self.right = right
      self.options = options
    }
  }

  /// How a comparison treats a collection on its left.
  ///
  /// NONE is written as NOT ANY.
  package enum Modifier: Hashable, Sendable { case direct, any, all }

  /// The operator of a comparison.
  package enum Operator: Hashable, Sendable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case between, `in`, contains, beginsWith, endsWith, like, matches
  }

  /// The letters in brackets after an operator.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The letters as bits.
    public let rawValue: UInt8
    /// Makes options from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// `c`: upper and lower case are the same.
    public static let c = Options(rawValue: 1)
    /// `d`: diacritics are ignored.
    public static let d = Options(rawValue: 2)
    /// `n`: the text is compared as it is (NSPredicate's "normalised").
    public static let n = Options(rawValue: 4)
    /// `l`: `<` and its like follow a person's order.
    public static let l = Options(rawValue: 8)
    /// Case and diacritics are ignored.
    public static let cd: Options = [.c, .d]
  }

  /// What is compared.
  package indirect enum Expression: Hashable, Sendable {
    /// A literal, or an argument of the format.
    case constant(Value)
    /// An object, as an argument of the format.
    case object(ObjectID)
    /// `a.b.c`; a component may be a collection operator such as `@count`.
    case keyPath([String])
    /// `$x`, or `$x.a.b`: the components after the variable.
    case variable(String, [String])
    /// The object itself.
    case selfObject
    /// `{a, b}`.
    case list([Expression])
    /// A function by its NSExpression name, such as `add:to:`.
    case function(String, [Expression])
    /// `SUBQUERY(collection, $x, predicate)`.
    case subquery(Expression, variable: String, Node)
    /// `CAST(x, "type")`.
    case cast(Expression, String)
    /// `TERNARY(p, a, b)`.
    case ternary(Node, Expression, Expression)
    /// `x[index]`, `x[FIRST]`, `x[LAST]`, `x[SIZE]`.
    case element(Expression, Element)
  }

  /// Which element of a collection.
  package indirect enum Element: Hashable, Sendable {
    case index(Expression)
    case first, last, size
  }
}

extension FetchPredicate: Hashable {
  /// Whether two predicates are the same condition, however they were written.
  public static func == (lhs: FetchPredicate, rhs: FetchPredicate) -> Bool { lhs.node == rhs.node }

  /// Feeds the condition to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(node) }
}
