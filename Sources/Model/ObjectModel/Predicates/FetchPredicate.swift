/// A predicate in NSPredicate's language.
///
/// It can be evaluated in memory and translated to SQL; both give the same result for every row.
/// Build one from text with ``init(format:_:)``, or with ``PropertyKey`` and operators.
///
/// ## How predicates are evaluated
///
/// **Null.** Every comparison is true or false, never unknown as in SQL, so NOT always inverts it.
/// A comparison with null is false, except that null equals null (`== NULL`) and differs from every
/// other value (`!=`). A list never contains null.
///
/// **Kinds of values.** Numbers (integers, doubles, decimals, and booleans as 0 and 1) are compared
/// by exact value, dates with dates, text with text (including URLs), data with data (including
/// UUIDs). ``validated(for:in:)`` first converts literals to the kind of what they are compared
/// with, and refuses kinds that can never be equal. Without it values of different kinds are
/// unequal, and `<` and its like are false for them.
///
/// **Text** is compared by its UTF-8 bytes. `[c]` and `[d]` fold both sides first
/// (`TextFolding`). `[l]` changes only `<`, `<=`, `>` and `>=`, to the localized order. `[n]` has
/// no effect. The empty text is never contained. LIKE and MATCHES match the whole text; in LIKE `*`
/// is any text, `?` one Unicode scalar, and `\` escapes the next character. MATCHES throws if the
/// regular expression gives up on a text.
///
/// **Collections.** ANY is false for an empty collection, ALL is true, NONE is NOT ANY. A to-one
/// relationship that is nil counts as an empty collection. `IN` with text on the right and CONTAINS
/// with text on the left test for a substring. `@count` counts all members; `@sum` of an empty
/// collection is 0; `@min`, `@max` and `@avg` ignore nulls and are null for an empty collection.
///
/// **Arithmetic.** `+ - * /` of integers give an integer, or a double if it exceeds 64 bits:
/// `5 / 2` is 2. `& | ^ << >>` are bit operations. `**` gives a double. Division by zero, the
/// square root of a negative number, null and non-numbers give null. A date plus seconds is a date;
/// a date minus a date is seconds.
///
/// **Syntax.** Keywords are case-insensitive. `#any` is a key with the name of a keyword; a key
/// with spaces or symbols is in backquotes (a backquote in it is doubled). In quotes `\' \" \\ \n
/// \t \r \uXXXX` are escapes; any other backslash is literal. NOT binds more strongly than AND, AND
/// than OR; `**` binds more strongly than `* /`, these than `+ -`, then `<< >>`, `&`, `^` and `|`;
/// all group from the left.
public struct FetchPredicate: Sendable {
  package let node: Node
  /// The text it was parsed from; nil if it was built in code.
  let source: Source?
  /// What it was validated for; nil if it was not.
  let validation: Validation?

  package init(_ node: Node) { self.init(node, source: nil) }

  init(_ node: Node, source: Source?, validation: Validation? = nil) {
    self.node = node
    self.source = source
    self.validation = validation
  }

  /// The text of a predicate, and the ranges of all occurrences of each expression, in Unicode
  /// scalars and in the order of the text.
  struct Source: Sendable {
    let text: String
    let ranges: [Expression: [Range<Int>]]
  }

  /// A node of the syntax tree; evaluation, SQL and printing each switch over all cases.
  package indirect enum Node: Hashable, Sendable {
    /// TRUEPREDICATE or FALSEPREDICATE.
    case constant(Bool)
    /// A comparison of two expressions.
    case comparison(Comparison)
    /// A conjunction; true if empty.
    case and([Node])
    /// A disjunction; false if empty.
    case or([Node])
    /// A negation.
    case not(Node)
  }

  /// A comparison of two expressions.
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

  /// How a comparison treats a collection on its left; NONE is represented as NOT ANY.
  package enum Modifier: Hashable, Sendable { case direct, any, all }

  /// The operator of a comparison.
  package enum Operator: Hashable, Sendable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case between, `in`, contains, beginsWith, endsWith, like, matches
  }

  /// The comparison options in brackets after an operator, such as `[cd]`.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: UInt8
    /// Creates options from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// `c`: ignores case.
    public static let c = Options(rawValue: 1)
    /// `d`: ignores diacritics.
    public static let d = Options(rawValue: 2)
    /// `n`: NSPredicate's “normalized”, which has no effect here.
    public static let n = Options(rawValue: 4)
    /// `l`: `<`, `<=`, `>` and `>=` use the localized order.
    public static let l = Options(rawValue: 8)
    /// `cd`: ignores case and diacritics.
    public static let cd: Options = [.c, .d]
  }

  /// An operand of a comparison.
  package indirect enum Expression: Hashable, Sendable {
    /// A literal, or a value given as a format argument.
    case constant(Value)
    /// An object given as a format argument.
    case object(ObjectID)
    /// A key path `a.b.c`; a key may be a collection operator such as `@count`.
    case keyPath([String])
    /// A variable `$x`, or `$x.a.b` with the keys after it.
    case variable(String, [String])
    /// `SELF`, the object itself.
    case selfObject
    /// A list `{a, b}`.
    case list([Expression])
    /// A function call, with the function's NSExpression name such as `add:to:`.
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

  /// An index into a collection.
  package indirect enum Element: Hashable, Sendable {
    case index(Expression)
    case first, last, size
  }
}

extension FetchPredicate: Hashable {
  /// Whether two predicates have the same syntax tree; their text may differ.
  public static func == (lhs: FetchPredicate, rhs: FetchPredicate) -> Bool { lhs.node == rhs.node }

  /// Hashes the syntax tree.
  public func hash(into hasher: inout Hasher) { hasher.combine(node) }
}
