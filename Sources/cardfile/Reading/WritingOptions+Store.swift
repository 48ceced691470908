import SQLiteStore

extension WritingOptions {
  /// The store options of a command that can write.
  func storeOptions(for argument: StoreArgument, isReadOnly: Bool) -> SQLiteStore.Options {
    var options = SQLiteStore.Options()
    options.isReadOnly = isReadOnly
    options.modelPath = argument.model
    options.forcesWriting = forceWrite
    options.makesBackup = !noBackup
    return options
  }
}
