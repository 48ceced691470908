import ObjectModel
import RowOutput

/// The summary of a column as one JSON object on a line; what a column does not have is missing.
enum SummaryJSON {
  static func line(of summary: ColumnSummary, entity: String, column: SummaryPlan.Column) -> String
  {
    var object = Object()
    object.add("entity", .string(entity))
    object.add("column", .string(KeyPathText.text(column.path)))
    object.add("rows", .integer(Int64(summary.rowCount)))
    object.add("null", .integer(Int64(summary.nullCount)))
    if summary.foreignCount > 0 {
      object.add("ofAnotherKind", .integer(Int64(summary.foreignCount)))
    }
    object.add("distinct", summary.distinctCount.map { .integer(Int64($0)) })
    object.add("isEstimate", .bool(summary.isEstimate))
    object.add("least", summary.least)
    object.add("greatest", summary.greatest)
    object.add("sum", summary.sum)
    object.add("mean", summary.mean)
    if let quartiles = summary.quartiles {
      var points = Object()
      points.add("lower", quartiles.lower)
      points.add("median", quartiles.median)
      points.add("upper", quartiles.upper)
      object.add("quartiles", points)
    }
    if let lengths = summary.lengths {
      var parts = Object()
      parts.add("least", .integer(Int64(lengths.least)))
      parts.add("greatest", .integer(Int64(lengths.greatest)))
      parts.add("mean", .double(lengths.mean))
      object.add("lengths", parts)
    }
    object.add(
      "mostFrequent",
      summary.mostFrequent.map { counted in
        var value = Object()
        value.add("value", counted.value)
        value.add("rows", .integer(Int64(counted.rowCount)))
        if counted.isCut { value.add("isCut", .bool(true)) }
        return value
      })
    if let histogram = summary.histogram {
      object.add(
        "histogram",
        histogram.bins.map { bin in
          var step = Object()
          step.add("from", bin.lower)
          step.add("to", bin.upper)
          step.add("rows", .integer(Int64(bin.rowCount)))
          return step
        })
    }
    return object.text
  }

  /// A JSON object whose keys keep their order.
  private struct Object {
    private var bytes: [UInt8] = []

    var text: String { "{" + String(decoding: bytes, as: UTF8.self) + "}" }

    private mutating func add(key: String) {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
      JSONText.append(key, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
    }

    mutating func add(_ key: String, _ value: Value?) {
      guard let value else { return }
      add(key: key)
      JSONText.append(ValueForm.forJSON(value), to: &bytes)
    }

    mutating func add(_ key: String, _ object: Object) {
      add(key: key)
      bytes.append(contentsOf: object.text.utf8)
    }

    mutating func add(_ key: String, _ objects: [Object]) {
      add(key: key)
      bytes.append(contentsOf: "[\(objects.map(\.text).joined(separator: ","))]".utf8)
    }
  }
}
