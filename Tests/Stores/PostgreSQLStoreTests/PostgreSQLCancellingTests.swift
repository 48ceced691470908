#if PostgreSQL
  import ObjectModel
  import SQLQueries
  import TestSupport
  import Testing

  @testable import PostgreSQLStore

  /// The server is asked on another line to stop a statement.
  @Suite(.enabled(if: TestServer.shared != nil, Comment(rawValue: TestServer.reason)))
  struct PostgreSQLCancellingTests {
    @Test func `a statement that ends as it is cancelled leaves the next one alone`() throws {
      let connection = try ServerConnection(#require(TestServer.shared).makeDatabase(""))
      let control = FetchControl()
      control.cancel()
      for step in 0..<100 {
        // Whoever waits looks after 20 ms whether he is to stop.
        let seconds = 0.0195 + Double(step % 10) / 4_000
        do throws(StoreError) {
          try connection.run("SELECT pg_sleep(\(Value.double(seconds)))", control: control)
        } catch {
          #expect(error.reason == .cancelled)
        }
        try connection.run("SELECT pg_sleep(0.003)")
      }
    }
  }
#endif
