import ObjectModel
import TestSupport
import Testing

/// Which versions of a model belong together, and what is refused: the rules of *Migrating your data
/// model automatically*.
struct ModelDifferenceTests {
  private static let first = ManagedObjectModel {
    Entity("Person") {
      Attribute("name", .string)
      Attribute("age", .integer16)
      ToOne("home", "House", inverse: "people")
    }
    house
  }

  /// A change that can be inferred, with its lines.
  private static let inferred: [(String, [String], ManagedObjectModel)] = [
    (
      "a default for an attribute that becomes required",
      ["~ Person", "  ~ age  value: optional → required; default: none → 0"],
      ManagedObjectModel {
        Entity("Person") {
          Attribute("name", .string)
          Attribute("age", .integer16, isOptional: false, default: 0)
          ToOne("home", "House", inverse: "people")
        }
        house
      }
    ),
    (
      "a wider type, another attribute, one less",
      [
        "~ Person", "  + mail  type: string; value: optional",
        "  ~ age  type: integer16 → integer64", "  - name  type: string; value: optional",
      ],
      ManagedObjectModel {
        Entity("Person") {
          Attribute("mail", .string)
          Attribute("age", .integer64)
          ToOne("home", "House", inverse: "people")
        }
        house
      }
    ),
    (
      "other names, that their relationships follow",
      ["~ Human (was Person)", "  ~ title (was name)", "~ House", "  ~ humans (was people)"],
      ManagedObjectModel {
        Entity("Human") {
          EntityOptions(renamingIdentifier: "Person")
          Attribute("title", .string, renamingIdentifier: "name")
          Attribute("age", .integer16)
          ToOne("home", "House", inverse: "humans")
        }
        Entity("House") {
          Attribute("street", .string, isOptional: false, default: "")
          ToMany("humans", "Human", inverse: "home", renamingIdentifier: "people")
        }
      }
    ),
    (
      "an order, and several homes",
      [
        "~ Person", "  ~ home  count: to-one → to-many", "~ House",
        "  ~ people  count: to-many → ordered to-many",
      ],
      ManagedObjectModel {
        Entity("Person") {
          Attribute("name", .string)
          Attribute("age", .integer16)
          ToMany("home", "House", inverse: "people")
        }
        Entity("House") {
          Attribute("street", .string, isOptional: false, default: "")
          ToMany("people", "Person", inverse: "home", isOrdered: true)
        }
      }
    ),
    (
      "a superentity to which an attribute moves",
      ["+ Named", "~ Person  superentity: none → Named"],
      ManagedObjectModel {
        Entity("Named", isAbstract: true) { Attribute("name", .string) }
        Entity("Person", extends: "Named") {
          Attribute("age", .integer16)
          ToOne("home", "House", inverse: "people")
        }
        house
      }
    ),
    (
      "an entity less",
      [
        "~ Person",
        "  - home  to: House; count: to-one; value: optional; inverse: people; "
          + "delete rule: nullify",
        "- House",
      ],
      ManagedObjectModel {
        Entity("Person") {
          Attribute("name", .string)
          Attribute("age", .integer16)
        }
      }
    ),
  ]

  private static let house = Entity("House") {
    Attribute("street", .string, isOptional: false, default: "")
    ToMany("people", "Person", inverse: "home")
  }

  @Test(arguments: inferred.indices) func `what can be inferred is said in lines`(index: Int) {
    let (_, lines, second) = Self.inferred[index]
    let difference = ModelDifference(from: Self.first, to: second)
    #expect(difference.lines == lines)
    #expect(difference.refusals == [])
  }

  @Test func `names whose values are lost are those of the source`() {
    let losses = [0, 1, 2, 5].map {
      ModelDifference(from: Self.first, to: Self.inferred[$0].2).losses
    }
    #expect(losses == [[], ["Person.name"], [], ["Person.home", "House"]])
  }

  /// A change that is refused, with the reasons.
  private static let refused: [(String, ManagedObjectModel)] = [
    (
      "Person.mail is required and has no default",
      person { Attribute("mail", .string, isOptional: false) }
    ),
    (
      "Person.age is required and has no default",
      person(age: Attribute("age", .integer16, isOptional: false)) {}
    ),
    (
      "Person.age cannot become string without losing values of integer16",
      person(age: Attribute("age", .string)) {}
    ),
    (
      "Person.boss is required, and no object has one",
      person { ToOne("boss", "House", isOptional: false) }
    ),
    (
      "House.people may have several objects, and could keep one",
      ManagedObjectModel {
        Entity("Person") {
          Attribute("name", .string)
          Attribute("age", .integer16)
          ToOne("home", "House", inverse: "people")
        }
        Entity("House") {
          Attribute("street", .string, isOptional: false, default: "")
          ToOne("people", "Person", inverse: "home")
        }
      }
    ),
    (
      "Person and House have no superentity in common, and cannot get Thing as one",
      ManagedObjectModel {
        Entity("Thing") {}
        Entity("Person", extends: "Thing") {
          Attribute("name", .string)
          Attribute("age", .integer16)
          ToOne("home", "House", inverse: "people")
        }
        Entity("House", extends: "Thing") {
          Attribute("street", .string, isOptional: false, default: "")
          ToMany("people", "Person", inverse: "home")
        }
      }
    ),
    (
      "House becomes abstract, and its objects would have no entity",
      ManagedObjectModel {
        Entity("Person") {
          Attribute("name", .string)
          Attribute("age", .integer16)
          ToOne("home", "House", inverse: "people")
        }
        Entity("House", isAbstract: true) {
          Attribute("street", .string, isOptional: false, default: "")
          ToMany("people", "Person", inverse: "home")
        }
      }
    ),
    (
      "Person.b and a are both renamed from name",
      ManagedObjectModel {
        Entity("Person") {
          Attribute("a", .string, renamingIdentifier: "name")
          Attribute("b", .string, renamingIdentifier: "name")
          Attribute("age", .integer16)
          ToOne("home", "House", inverse: "people")
        }
        house
      }
    ),
    (
      "Person.home may lead to House, which Villa does not include",
      ManagedObjectModel {
        Entity("Person") {
          Attribute("name", .string)
          Attribute("age", .integer16)
          ToOne("home", "Villa")
        }
        house
        Entity("Villa", extends: "House") {}
      }
    ),
  ]

  /// The first model with another member of Person.
  private static func person(
    age: Attribute = Attribute("age", .integer16),
    @ModelBuilder<any EntityMember> _ members: () -> [any EntityMember]
  ) -> ManagedObjectModel {
    let more = members()
    return ManagedObjectModel {
      Entity("Person") {
        Attribute("name", .string)
        age
        ToOne("home", "House", inverse: "people")
        for member in more { member }
      }
      house
    }
  }

  @Test(arguments: refused.indices) func `what cannot be inferred has its reason`(index: Int) {
    let (reason, second) = Self.refused[index]
    #expect(ModelDifference(from: Self.first, to: second).refusals == [reason])
  }

  @Test func `an inherited property is said once, at the entity that declares it`() {
    func model(_ type: AttributeType, isOptional: Bool = true) -> ManagedObjectModel {
      ManagedObjectModel {
        Entity("Base", isAbstract: true) { Attribute("size", type, isOptional: isOptional) }
        Entity("Middle", extends: "Base") {}
        Entity("Leaf", extends: "Middle") {}
      }
    }
    let difference = ModelDifference(
      from: model(.integer16), to: model(.integer32, isOptional: false))
    #expect(
      difference.lines == [
        "~ Base", "  ~ size  type: integer16 → integer32; value: optional → required",
      ])
    #expect(difference.refusals == ["Base.size is required and has no default"])
    #expect(difference.entities.allSatisfy { $0.properties.count == 1 })
    // There is no object that could miss a value.
    let empty = ManagedObjectModel { Entity("Base", isAbstract: true) {} }
    #expect(ModelDifference(from: empty, to: model(.string, isOptional: false)).refusals == [])
  }

  @Test func `a renaming identifier is canonical, or the name before, and may be old`() {
    func model(_ name: String, _ identifier: String?) -> ManagedObjectModel {
      ManagedObjectModel {
        Entity("E") { Attribute(name, .string, renamingIdentifier: identifier) }
      }
    }
    let versions = [
      model("a", nil), model("b", "a"), model("c", "a"), model("c", "b"), model("d", "gone"),
      model("d", nil),
    ]
    func renamed(_ old: Int, _ new: Int) -> Bool {
      ModelDifference(from: versions[old], to: versions[new]).losses.isEmpty
    }
    #expect(renamed(0, 1) && renamed(0, 2) && renamed(1, 2) && renamed(1, 3) && renamed(4, 5))
    #expect(renamed(1, 0) && renamed(2, 0) && renamed(2, 1) && renamed(5, 4))
    #expect(!renamed(0, 3) && !renamed(0, 4))
  }

  @Test func `two names that are exchanged, and a new one that has an old name`() {
    let old = ManagedObjectModel {
      Entity("E") {
        Attribute("a", .string)
        Attribute("b", .string)
      }
    }
    let exchanged = ManagedObjectModel {
      Entity("E") {
        Attribute("a", .string, renamingIdentifier: "b")
        Attribute("b", .string, renamingIdentifier: "a")
      }
    }
    let replaced = ManagedObjectModel {
      Entity("E") {
        Attribute("a", .integer16)
        Attribute("b", .string)
        Attribute("c", .string, renamingIdentifier: "a")
      }
    }
    #expect(
      ModelDifference(from: old, to: exchanged).lines == [
        "~ E", "  ~ a (was b)", "  ~ b (was a)",
      ])
    let difference = ModelDifference(from: old, to: replaced)
    #expect(
      difference.lines == [
        "~ E", "  + a  type: integer16; value: optional", "  ~ c (was a)",
      ])
    #expect(difference.losses == [] && difference.refusals == [])
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `random models are like themselves, and renamed as a whole`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let names = (0..<Int.random(in: 1...6, using: &random)).map { "E\($0)" }
    /// The model with a suffix for each name, which says what the name was.
    func model(_ suffix: String, using random: inout SeededGenerator) -> ManagedObjectModel {
      func identifier(_ name: String) -> String? { suffix.isEmpty ? nil : name }
      var entities: [Entity] = []
      for (index, name) in names.enumerated() {
        let parent =
          index > 0 && Bool.random(using: &random)
          ? names[Int.random(in: 0..<index, using: &random)] + suffix : nil
        var members: [any EntityMember] = [EntityOptions(renamingIdentifier: identifier(name))]
        for number in 0..<Int.random(in: 0...4, using: &random) {
          let own = "a\(index)x\(number)"
          members.append(
            Attribute(
              own + suffix, AttributeType.allCases.randomElement(using: &random) ?? .string,
              isOptional: Bool.random(using: &random), renamingIdentifier: identifier(own)))
        }
        for number in 0..<Int.random(in: 0...2, using: &random) {
          let own = "r\(index)x\(number)"
          let destination = (names.randomElement(using: &random) ?? name) + suffix
          members.append(
            Bool.random(using: &random)
              ? ToOne(own + suffix, destination, renamingIdentifier: identifier(own))
              : ToMany(own + suffix, destination, renamingIdentifier: identifier(own)))
        }
        entities.append(Entity(name + suffix, extends: parent) { for member in members { member } })
      }
      return ManagedObjectModel { for entity in entities { entity } }
    }
    var (first, second) = (random, random)
    let (old, new) = (model("", using: &first), model("New", using: &second))
    #expect(ModelDifference(from: old, to: old).isEmpty)
    for (from, to) in [(old, new), (new, old)] {
      let difference = ModelDifference(from: from, to: to)
      #expect(difference.refusals == [] && difference.losses == [])
      #expect(difference.entities.allSatisfy { $0.changes.isEmpty && !$0.isEmpty })
      #expect(difference.entities.allSatisfy { $0.properties.allSatisfy { $0.changes.isEmpty } })
      #expect(difference.lines.allSatisfy { $0.contains(" (was ") })
    }
  }
}
