import ObjectModel
import Testing

/// A save is either cancelled or committed.
struct FetchControlTests {
  private let control = FetchControl()

  private func commit(_ body: () throws(StoreError) -> Void) throws {
    try FetchControl.$current.withValue(control) {
      try FetchControl.committing(doing: "saving", body)
    }
  }

  @Test func `cancelled work does not commit`() {
    #expect(control.cancelUnlessCommitting())
    let error = #expect(throws: StoreError.self) {
      try commit { Issue.record("it was committed") }
    }
    #expect(error?.reason == .cancelled)
    #expect(!control.isCommitting)
  }

  @Test func `work is not cancelled from the beginning of its commit on`() throws {
    try commit { #expect(!control.cancelUnlessCommitting()) }
    #expect(!control.cancelUnlessCommitting())
    #expect(control.isCommitting && !control.isCancelled)
  }

  @Test func `after a commit that failed work can be cancelled`() throws {
    #expect(throws: StoreError.self) {
      try commit { () throws(StoreError) in throw StoreError(.locked, doing: "saving") }
    }
    #expect(!control.isCommitting)
    #expect(control.cancelUnlessCommitting())
  }

  @Test func `what follows a commit can be cancelled`() throws {
    try commit {}
    control.cancel()
    #expect(throws: StoreError.self) { try commit { Issue.record("it was committed") } }
    // The first one stays.
    #expect(control.isCommitting)
  }
}
