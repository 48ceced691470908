import SQLiteStore

extension WritingOptions {
  /// How to open a store that a command may write.
  func storeOptions(for argument: StoreArgument, isReadOnly: Bool) -> SQLiteStore.Options {
    var options = SQLiteStore.Options()
    options.isReadOnly = isReadOnly
    options.modelPath = argument.model
    options.forcesWriting = forceWrite
    options.makesBackup = !noBackup
    return options
  }
}
