/// The reason why a batch update does not lead from a table's old state to its new one.
struct BatchUpdateError: Error, Hashable, Sendable, CustomStringConvertible {
  enum Reason: Hashable, Sendable {
    case sections(before: Int, after: Int, inserted: Int, deleted: Int)
    case rows(
      section: Int, before: Int, after: Int, inserted: Int, deleted: Int, movedIn: Int,
      movedOut: Int)
    case noSuchSection(Int, isOld: Bool)
    case noSuchRow(TablePath, isOld: Bool)
    case listedTwice(TablePath, isOld: Bool)
  }

  let reason: Reason

  init(_ reason: Reason) {
    self.reason = reason
  }

  var description: String {
    switch reason {
    case .sections(let before, let after, let inserted, let deleted):
      """
      Invalid update: invalid number of sections. The number of sections after the update \
      (\(after)) must equal the number before (\(before)), plus or minus those inserted or \
      deleted (\(inserted) inserted, \(deleted) deleted).
      """
    case .rows(let section, let before, let after, let inserted, let deleted, let into, let out):
      """
      Invalid update: invalid number of rows in section \(section). The number of rows after the \
      update (\(after)) must equal the number before (\(before)), plus or minus those inserted or \
      deleted (\(inserted) inserted, \(deleted) deleted) and moved (\(into) moved in, \(out) \
      moved out).
      """
    case .noSuchSection(let section, let isOld):
      "Invalid update: there is no section \(section) \(isOld ? "before" : "after") the update."
    case .noSuchRow(let path, let isOld):
      "Invalid update: there is no row \(path) \(isOld ? "before" : "after") the update."
    case .listedTwice(let path, let isOld):
      "Invalid update: the row \(path) \(isOld ? "before" : "after") the update is listed twice."
    }
  }
}
