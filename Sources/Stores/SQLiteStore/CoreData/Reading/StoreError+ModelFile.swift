import ModelFiles
import ObjectModel

extension StoreError {
  /// The error for a model file, named by the user, that cannot be used.
  init(_ error: ModelFileError) {
    let reason: Reason = error.reason == .unreadable ? .notFound : .unsupported
    self.init(
      reason, doing: "reading the model", subject: error.subject,
      detail: error.detail.isEmpty ? error.description : error.detail, remedy: error.remedy)
  }
}
