@testable import SQLiteStore

/// The store's SQL, under a name that GRDB does not have too.
typealias StatementText = SQL
