/// What stands before the cursor in the text of a predicate that is being typed, and so what may
/// follow.
struct PredicateCursor {
  /// What may stand at the cursor.
  enum Place: Equatable {
    /// A name, a function or a literal; a condition can begin here too if `isStart`.
    case operand(isStart: Bool)
    /// A component of a key path.
    case component
    /// An operator of a comparison.
    case comparison
    /// AND or OR.
    case conjunction
    /// An index of a relationship, in brackets.
    case index
    /// Options of an operator, in brackets.
    case options
    /// Nothing that is known, such as a new variable.
    case none
  }

  /// What is between brackets, or the whole text.
  private struct Level {
    /// The function that is called, the bracket, or empty for a group of conditions.
    var kind = ""
    /// The number of commas before.
    var argument = 0
    /// Whether an operand is complete.
    var hasOperand = false
    /// Whether a comparison operator was there.
    var hasOperator = false
    /// The attribute before the comparison operator.
    var compared: Compared?
    /// The objects of the collection of a SUBQUERY.
    var collection: EntityDescription?
  }

  /// The end of a key path.
  private struct Path {
    /// The entity of the objects that it leads to; nil for values.
    var entity: EntityDescription?
    /// The attribute; nil for objects and whatever else.
    var attribute: AttributeDescription?
    /// The entity that has the attribute.
    var owner: EntityDescription?
    /// Whether it leads to several objects.
    var isCollection = false
    var isObject: Bool { entity != nil }
  }

  /// An attribute that is compared with what stands at the cursor.
  struct Compared {
    let attribute: AttributeDescription
    let entity: EntityDescription
  }

  private let entity: EntityDescription
  private let model: ManagedObjectModel
  private var levels = [Level()]
  private var path = Path()
  private var isComponentNext = false
  private var function = ""
  /// The entities of the variables of SUBQUERY.
  private(set) var variables: [String: EntityDescription] = [:]

  init(_ tokens: [PredicateToken], entity: EntityDescription, model: ManagedObjectModel) {
    self.entity = entity
    self.model = model
    for (index, token) in tokens.enumerated() {
      let next = index + 1 < tokens.count ? tokens[index + 1].kind : .end
      read(token.kind, before: next)
    }
  }

  private var level: Level {
    get { levels[levels.count - 1] }
    set { levels[levels.count - 1] = newValue }
  }

  /// What may stand after the tokens.
  var place: Place {
    if isComponentNext { return path.isObject ? .component : .none }
    switch level.kind {
    case "[": return .index
    case "[options": return .options
    case "SUBQUERY" where level.argument == 1: return .none
    default: break
    }
    guard level.hasOperand else { return .operand(isStart: isCondition && !level.hasOperator) }
    guard isCondition else { return .none }
    return level.hasOperator ? .conjunction : .comparison
  }

  /// The entity whose names may stand at the cursor.
  var owner: EntityDescription? { isComponentNext ? path.entity : entity }

  /// Whether the operators of collections may stand at the cursor, in a key path.
  var isInCollection: Bool { isComponentNext && path.isCollection }

  /// The attribute before the cursor; nil for other operands.
  var attribute: AttributeDescription? { path.attribute }

  /// Whether an object stands before the cursor.
  var isAfterObject: Bool { path.isObject }

  /// The attribute whose values may stand at the cursor, in the braces of `IN` too; nil for none.
  var compared: Compared? {
    guard place == .operand(isStart: false) else { return nil }
    let outer = level.kind == "{" ? levels.dropLast().last : level
    return outer?.compared
  }

  /// Whether a comparison may stand on the level.
  private var isCondition: Bool {
    switch level.kind {
    case "": true
    case "SUBQUERY": level.argument == 2
    case "TERNARY": level.argument == 0
    default: false
    }
  }

  // MARK: Reading

  private mutating func read(_ kind: PredicateToken.Kind, before next: PredicateToken.Kind) {
    switch kind {
    case .word(let word): read(word: word, before: next)
    case .name(let name): follow(name)
    case .variable(let name):
      if level.kind == "SUBQUERY", level.argument == 1 { variables[name] = level.collection }
      operand(Path(entity: variables[name]))
    case .number, .string, .argument: operand(Path())
    case .symbol(let sign): read(sign: sign)
    case .end: break
    }
  }

  private mutating func read(word: String, before next: PredicateToken.Kind) {
    if isComponentNext { return follow(word) }
    let keyword = word.uppercased()
    if PredicateWords.operation[keyword] != nil { return compare() }
    switch keyword {
    case "AND", "OR": conjoin()
    case _ where PredicateWords.prefixes.contains(keyword): break
    case "TRUEPREDICATE", "FALSEPREDICATE":
      operand(Path())
      level.hasOperator = true
    case "SELF": operand(Path(entity: entity))
    case _ where next == .symbol("("): function = keyword
    case _ where PredicateWords.reserved.contains(keyword): operand(Path())
    default: follow(word)
    }
  }

  /// Reads a name in a key path, or the first one.
  private mutating func follow(_ name: String) {
    let owner = isComponentNext ? path.entity : entity
    let isCollection = isComponentNext && path.isCollection
    isComponentNext = false
    if let known = CollectionOperator(rawValue: name) {
      // The names of the objects follow all but the number.
      return operand(known == .count ? Path() : Path(entity: owner))
    }
    if let relationship = owner?.relationship(named: name) {
      let destination = model.entity(named: relationship.destinationEntityName)
      return operand(
        Path(entity: destination, isCollection: isCollection || relationship.isToMany))
    }
    operand(Path(attribute: owner?.attribute(named: name), owner: owner))
  }

  private mutating func operand(_ path: Path) {
    self.path = path
    level.hasOperand = true
  }

  private mutating func compare() {
    if level.hasOperand, let attribute = path.attribute, let owner = path.owner {
      level.compared = Compared(attribute: attribute, entity: owner)
    }
    level.hasOperand = false
    level.hasOperator = true
  }

  private mutating func conjoin() {
    level.compared = nil
    level.hasOperand = false
    level.hasOperator = false
  }

  private mutating func read(sign: String) {
    switch sign {
    case "(", "{":
      levels.append(Level(kind: sign == "{" ? sign : function))
      function = ""
    case "[": levels.append(Level(kind: level.hasOperand ? sign : "[options"))
    case ")", "}", "]": close()
    case ",":
      if level.kind == "SUBQUERY", level.argument == 0 { level.collection = path.entity }
      level.argument += 1
      level.hasOperand = false
    case ".": isComponentNext = true
    case "&&", "||": conjoin()
    case _ where PredicateWords.operation[sign] != nil: compare()
    default: level.hasOperand = false
    }
  }

  private mutating func close() {
    guard levels.count > 1 else { return }
    let closed = levels.removeLast()
    switch closed.kind {
    case "[": path.isCollection = false
    case "[options": break
    case "SUBQUERY": operand(Path(entity: closed.collection, isCollection: true))
    default:
      operand(Path())
      if closed.kind.isEmpty, closed.hasOperator { level.hasOperator = true }
    }
  }
}
