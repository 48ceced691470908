import Testing

/// A mistake is reported where it is, with what to do about it.
struct MistakeTests {
  @Test(arguments: [
    (
      "let x: Int",
      [
        "2:3: The context stores the value, so it is a var; mark what is not stored as @Transient.",
        "→ var",
      ]
    ),
    (
      "lazy var x: Int = 0",
      [
        "2:3: The context stores the value, not the object; remove lazy, or mark the property as"
          + " @Transient."
      ]
    ),
    ("var x: Int, y: Int", ["2:15: Write a var of its own for each property."]),
    ("var (x, y): (Int, Int)", ["2:7: Write a var of its own for each property."]),
    (
      "var x: Int { didSet { } }",
      [
        "2:14: The context stores the value, so willSet and didSet are not called; override"
          + " willSave(), or set this property in a computed one."
      ]
    ),
    ("var x = 1", ["2:7: x needs a type: a macro sees only what is written.", "→ x: Int = 1"]),
    (
      "var x = make()",
      ["2:7: x needs a type: a macro sees only what is written.", "→ x: <#Type#> = make()"]
    ),
    (
      "var x: String!",
      [
        "2:16: A property without a value reads as nil or as 0, false or empty; write String? or"
          + " String."
      ]
    ),
    (
      "var properties: String",
      ["2:7: “properties” is a member of every entity's class; choose another name."]
    ),
    (
      "@ToOne var x: A",
      [
        "2:17: @ToOne needs an optional: an object is nil until it is set. isOptional: false makes"
          + " saving it as nil an error.", "→ A?",
      ]
    ),
    (
      "@ToMany var x: A?",
      ["2:18: @ToMany needs a set, or an array if it is ordered: Set<A> or [A].", "→ Set<A>"]
    ),
    ("@ToOne @ToMany var x: A?", ["2:3: A relationship is to-one or to-many; remove one."]),
    (
      "@Unique var x: Set<A>",
      ["2:3: A to-many relationship cannot be unique; remove @Unique."]
    ),
    (
      "@Indexed @ToMany var x: [A]",
      ["2:3: A to-many relationship has no index; remove @Indexed."]
    ),
    (
      "@Attribute(encoding: .native) @ToOne var x: A?",
      ["2:3: @Attribute is for attributes, and @ToOne for relationships; remove one."]
    ),
    (
      "@Derived(\"a\") var x: [A]",
      ["2:3: @Derived is for attributes, and a set or an array for relationships; remove one."]
    ),
    (
      "var x: Set<A> = []",
      [
        "2:17: A relationship has no default value: a new object has no destinations.",
        "→ x: Set<A>",
      ]
    ),
    (
      "@Derived(\"a\") var x: Int = 0",
      ["2:28: A derived attribute has no default value: the store computes it.", "→ x: Int"]
    ),
    (
      "@ToMany(inverse: A.b) var x: Set<A>",
      ["2:20: The inverse is written as a key path with its class, as in \\DVD.owner."]
    ),
    (
      "@Unique var x: Int { 1 }",
      [
        "2:3: @Unique is for stored properties of objects: write var without { … } and without"
          + " static."
      ]
    ),
    (
      "@Unique @Transient var x = 1",
      ["2:3: @Unique has no effect on a property that is not stored; remove it, or @Transient."]
    ),
  ])
  func `a mistake in a property is reported`(member: String, mistakes: [String]) {
    let expansion = Expansion(of: "@Managed final class T: ManagedObject {\n  \(member)\n}")
    #expect(expansion.mistakes == mistakes)
  }

  @Test(arguments: [
    (
      "@Managed struct T { }",
      ["1:1: @Managed is for classes of objects: write final class … : ManagedObject."]
    ),
    (
      "@Managed final class T<A>: ManagedObject { }",
      ["1:23: An entity has one class, so it cannot be generic."]
    ),
    (
      "@Managed final class T { }",
      [
        "1:22: A class with @Managed is a subclass of ManagedObject: a macro cannot add a superclass.",
        "→ @Managed final class T: ManagedObject { }",
      ]
    ),
    (
      "class T { @Unique var x: Int }",
      ["1:11: @Unique is for properties in the body of a class with @Managed."]
    ),
    (
      "@Indexed func f() {}",
      ["1:1: @Indexed is for properties in the body of a class with @Managed."]
    ),
  ])
  func `a mistake in a class is reported`(source: String, mistakes: [String]) {
    #expect(Expansion(of: source).mistakes == mistakes)
  }
}
