import ObjectModel
import RowOutput
import Transfers

/// The file of the records that are not imported: their fields, then line, column and reason.
struct RejectsFile {
  private var sink: FileSink
  private let count: Int

  init(path: String, columns: [String]) throws(TransferError) {
    count = columns.count
    do {
      sink = try FileSink(FileTarget(path: path))
    } catch {
      throw TransferError(error)
    }
    CSVText.appendLine(columns + ["line", "column", "reason"], to: &sink.bytes)
  }

  mutating func write(_ rejection: Rejection) throws {
    let fields = (0..<max(count, rejection.record.fields.count)).map(rejection.record.text)
    CSVText.appendLine(
      fields + ["\(rejection.line)", rejection.column, rejection.reason], to: &sink.bytes)
    try sink.flushIfLarge()
  }

  mutating func commit() throws(TransferError) {
    do { try sink.commit() } catch let error as FileError { throw TransferError(error) } catch {
      throw TransferError(.file, "", "\(error)")
    }
  }

  func discard() { sink.discard() }
}
