import SQLiteStore

extension WritingOptions {
  /// The store options of a command that can write.
  func storeOptions(model: String?, isReadOnly: Bool) -> SQLiteStore.Options {
    var options = SQLiteStore.Options()
    options.isReadOnly = isReadOnly
    options.modelPath = model
    options.forcesWriting = forceWrite
    options.makesBackup = !noBackup
    return options
  }
}
