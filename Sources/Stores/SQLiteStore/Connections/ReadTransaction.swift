/// The transaction in which a thread reads one state of a database, through several calls.
struct ReadTransaction: Sendable {
  /// The transaction of the running closure; nil if each call has its own.
  @TaskLocal static var current: ReadTransaction?

  /// The pool of the connection.
  let pool: ObjectIdentifier
  let connection: PooledConnection
}
