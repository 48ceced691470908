import Testing

/// What the macro adds to classes.
struct ExpansionTests {
  @Test func `a class gets keys, its entity's properties and accessors`() {
    let expansion = Expansion(
      of: #"""
        @Managed final class Person: ManagedObject {
          @Unique var username: String
          var age: Int = 18
          @ToMany(inverse: \DVD.owner, .cascade) var dvds: Set<DVD>
          var shown: String { username }
          static let limit = 3
          @Transient var draft = ""
          @Transient var cache: [String: Int] = [:]
          @Transient var unknown = make()
        }
        """#)
    #expect(expansion.mistakes == [])
    #expect(
      expansion.text == #"""
        final class Person: ManagedObject {
          var username: String {
            get {
              self[Person.username]
            }
            set {
              self[Person.username] = newValue
            }
          }
          var age: Int {
            get {
              self[Person.age]
            }
            set {
              self[Person.age] = newValue
            }
          }
          var dvds: Set<DVD> {
            get {
              self[Person.dvds]
            }
            set {
              self[Person.dvds] = newValue
            }
          }
          var shown: String { username }
          static let limit = 3
          var draft = ""
          var cache: [String: Int] = [:]
          var unknown = make()

          static let username = ManagedKey<Person>.key("username", String.self)

          static let age = ManagedKey<Person>.key("age", Int.self)

          static let dvds = ManagedKey<Person>.key("dvds", Set<DVD>.self)

          static var entityName: String {
            "Person"
          }

          static var properties: EntityClass.Properties {
            [
              Person.username,
              Unique(Person.username),
              Attribute(Person.age, default: 18),
              ToMany(Person.dvds, inverse: DVD.owner, deleteRule: .cascade),
              ManagedKey<Person>.transient("draft", (String).self),
              ManagedKey<Person>.transient("cache", ([String: Int]).self),
            ]
          }
        }

        nonisolated extension Person: EntityClass {
        }
        """#)
  }

  @Test func `a subclass overrides, and is as visible as it says`() {
    let expansion = Expansion(
      of: """
        @Managed(entity: "Volume", indexes: [["title", "made"]], userInfo: ["a": "b"])
        public class Book: Item {
          public internal(set) var title: String
          @Derived("pages.@count") var pageCount: Int
        }
        """, isSubclass: true)
    #expect(expansion.mistakes == [])
    #expect(
      expansion.text == """
        public class Book: Item {
          public internal(set) var title: String {
            get {
              self[Book.title]
            }
            set {
              self[Book.title] = newValue
            }
          }
          var pageCount: Int {
            get {
              self[Book.pageCount]
            }
          }

          public static let title = ManagedKey<Book>.key("title", String.self)

          static let pageCount = ManagedKey<Book>.key("pageCount", Int.self)

          public override class var entityName: String {
            "Volume"
          }

          public override class var properties: EntityClass.Properties {
            [
              Book.title,
              Attribute(Book.pageCount, derivation: "pages.@count"),
              FetchIndex("title", "made"),
              EntityOptions(userInfo: ["a": "b"]),
            ]
          }
        }
        """)
  }

  @Test(arguments: [
    (
      #"@ToOne(inverse: \A.b, .deny, isOptional: false) var x: A?"#,
      #"ToOne(T.x, inverse: A.b, isOptional: false, deleteRule: .deny)"#
    ),
    (
      #"@ToMany(.deny, minCount: 1, maxCount: 3) var x: [A]"#,
      #"ToMany(T.x, deleteRule: .deny, minCount: 1, maxCount: 3)"#
    ),
    (
      #"@Attribute(encoding: .isoText, renamingIdentifier: "y") var x: Date?"#,
      #"Attribute(T.x, encoding: .isoText, renamingIdentifier: "y")"#
    ),
    (#"var x: A? = nil"#, "T.x"), (#"var `class`: String"#, "T.`class`"),
    (#"@Indexed var x: Int"#, "FetchIndex(T.x)"),
  ])
  func `options become members`(source: String, member: String) {
    let expansion = Expansion(of: "@Managed final class T: ManagedObject {\n  \(source)\n}")
    #expect(expansion.mistakes == [])
    #expect(expansion.text.contains("      \(member),\n"), "\(expansion.text)")
  }
}
