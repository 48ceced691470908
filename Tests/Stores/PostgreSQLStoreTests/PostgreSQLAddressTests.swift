import ObjectModel
import PostgreSQLStore
import Testing

/// Addresses of servers; needs none.
@Suite struct PostgreSQLAddressTests {
  @Test func `an address is no path`() {
    #expect(PostgreSQLStore.isAddress("postgres://host/db"))
    #expect(PostgreSQLStore.isAddress("postgresql:///db"))
    #expect(!PostgreSQLStore.isAddress("postgres.sqlite"))
    #expect(!PostgreSQLStore.isAddress("./postgres://x"))
  }

  @Test(arguments: [
    ("postgres://ada:s3cret@host/db", "postgres://ada@host/db"),
    ("postgres://ada:p@ss:word@host:5432/db?x=1", "postgres://ada@host:5432/db?x=1"),
    ("postgres://ada@host/db", "postgres://ada@host/db"),
    ("postgres://host:5432/db", "postgres://host:5432/db"),
    ("postgresql:///db?user=a&password=s3cret&x=1", "postgresql:///db?user=a&password=…&x=1"),
    ("postgresql:///db?sslpassword=s3cret", "postgresql:///db?sslpassword=…"),
    ("notes.sqlite", "notes.sqlite"),
  ])
  func `a password is not shown`(address: String, shown: String) {
    #expect(PostgreSQLStore.withoutPassword(address) == shown)
  }

  @Test func `a server that is not there is named, without the password`() {
    #expect {
      _ = try PostgreSQLStore(address: "postgresql://ada:s3cret@127.0.0.1:1/db?connect_timeout=2")
    } throws: { error in
      let text = "\(error)"
      return text.contains("postgresql://ada@127.0.0.1:1/db") && !text.contains("s3cret")
    }
  }
}
