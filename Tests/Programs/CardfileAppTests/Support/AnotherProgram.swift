import GRDB

extension DatabaseQueue {
  /// Opens a database as another program does, which waits for what is being read to commit.
  static func ofAnotherProgram(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}
