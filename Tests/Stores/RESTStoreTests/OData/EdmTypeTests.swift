import ObjectModel
import Testing

@testable import RESTStore

struct `types of OData` {
  @Test(arguments: [
    ("Edm.Int32", AttributeType.integer32), ("Edm.DateTimeOffset", .date), ("Edm.Guid", .uuid),
    ("Edm.Duration", .string), ("Edm.Stream", nil), ("Int32", nil), ("My.Int32", nil),
  ]) func `are found by their qualified name`(name: String, type: AttributeType?) {
    #expect(EdmType(qualified: name)?.attributeType == type)
  }
}
