import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// Stores without a model: entities and properties are derived from the tables.
struct BareStoreTests {
  let fixture: Fixture
  let store: SQLiteStore

  init() throws {
    fixture = try Fixture("bare")
    store = try fixture.open()
  }

  @Test func `entities come from Z_PRIMARYKEY and properties from columns`() {
    #expect(
      store.model.picture == """
        Author
          age: integer64
          firstname: string
        Book
          state: integer64
          publishedat: date referenceSeconds
          price: decimal decimalNumber
          weight: double
          title: string
          cover: binaryData
          author -> Author <- none nullify
          tags ->> Tag <- books nullify ordered
        Comic
          state: integer64
          publishedat: date referenceSeconds
          price: decimal decimalNumber
          weight: double
          title: string
          cover: binaryData
          author -> Author <- none nullify
          tags ->> Tag <- books nullify ordered
        Loan
          book -> Book <- none nullify
        Shelf
          _sign: string
          books ->> Book <- none nullify
        Tag
          word: string
          books ->> Book <- tags nullify
        """)
    #expect(store.model.entity(named: "Comic")?.superentityName == "Book")
  }

  @Test func `objects and their relationships are read`() throws {
    #expect(
      try store.picture() == """
        Author 1: age=40, firstname=Ada
        Author 2: firstname=Bo
        Book 1: cover=x'01', price=9.5, publishedat=@86400.0, state=1, title=One, weight=0.25; \
        author=Author 1, tags=[Tag 2, Tag 1]
        Book 2: state=2, title=Two; author=Author 1
        Comic 4: title=Pow; author=Author 2, tags=[Tag 2]
        Loan 1: ; book=Comic 4
        Shelf 1: _sign=A-C; books=[Book 1, Book 2]
        Tag 1: word=old; books=[Book 1]
        Tag 2: word=new; books=[Book 1, Comic 4]
        """)
  }

  @Test func `notes say what the store lacks`() {
    #expect(store.summary.kind == "Core Data store")
    #expect(store.summary.generation == nil)
    #expect(
      store.summary.notes == [
        "The store's metadata are empty: what wrote it is not known.",
        "The store's model cache is empty.",
        "Entities are those of the store, properties are named by their columns in lower case; "
          + "types and relationships follow from the tables. "
          + "A model file can be given with --model.",
      ])
  }

  @Test(
    .needsRealStores,
    arguments: [
      ("recipes-2010.sqlite", "Image 7, Ingredient 31, Recipe 7, RecipeType 5"),
      ("surf-journal.sqlite", "JournalEntry 5000"),
      (
        "chat-without-modelcache.sqlite",
        "KikAttachment 2, KikAttachmentExtra 2, KikChat 6, KikChatExtra 6, KikMessage 60, "
          + "KikUser 25, KikUserExtra 25"
      ),
      (
        "notes-empty-modelcache.storedata",
        "Account 2, EWSAccount 0, IMAPAccount 1, LocalAccount 1, Attachment 0, Folder 7, "
          + "EWSFolder 0, IMAPFolder 2, TrashFolder 2, Note 3, EWSNote 0, IMAPNote 0, NoteBody 3"
      ),
    ])
  func `real stores without a model have their entities and all objects`(
    name: String, counts: String
  ) throws {
    let copy = try StoreCopy(name)
    let found = try copy.store.model.entities.prefix(13).map { entity in
      "\(entity.name) \(try copy.store.count(FetchPlan(entityName: entity.name), control: nil))"
    }
    #expect(found.joined(separator: ", ") == counts)
    #expect(copy.store.summary.notes.count >= 2)
  }
}
