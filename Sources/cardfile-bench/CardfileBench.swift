import ArgumentParser
import Foundation

/// Measures what a person waits for, beside plain loops over SQLite's C API.
@main
struct CardfileBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cardfile-bench",
    abstract: "Measure Cardfile against plain loops over SQLite's C API.",
    discussion: """
      Both sides of a workload run in turn on the same rows; medians are printed, and how many \
      times as long ours took. The rows are the same in every run of the program.

      WORKLOADS
      \(Workload.all.map { "  \($0.name): \($0.meaning)" }.joined(separator: "\n"))
      """)

  @Argument(help: "The workloads to run; all when left out.")
  var workloads: [String] = []

  @Option(help: ArgumentHelp("The sizes of the table, as \"10000,100000\".", valueName: "numbers"))
  var rows = "10000,100000,1000000"

  @Option(help: ArgumentHelp("How often each side runs.", valueName: "number"))
  var runs = 5

  @Flag(help: "Print a JSON object a line instead of a table.")
  var json = false

  func run() throws {
    let chosen = try chosenWorkloads()
    let sizes = try rows.split(separator: ",").map { text in
      guard let size = Int(text), size > 0 else {
        throw ValidationError("“\(text)” is no number of rows.")
      }
      return size
    }
    guard runs > 0 else { throw ValidationError("--runs is \(runs), but must be at least 1.") }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("cardfile-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    if !json { print(Measurement.header) }
    for size in sizes {
      let path = folder.appendingPathComponent("\(size).sqlite").path
      try PeopleDatabase.create(at: path, rows: size)
      for workload in chosen {
        let setting = Setting(workload: workload.name, path: path, rows: size, runs: runs)
        let measurement = try workload.measure(setting)
        print(json ? try measurement.json : measurement.line)
      }
      try FileManager.default.removeItem(atPath: path)
    }
  }

  private func chosenWorkloads() throws -> [Workload] {
    if workloads.isEmpty { return Workload.all }
    return try workloads.map { name in
      guard let workload = Workload.all.first(where: { $0.name == name }) else {
        throw ValidationError(
          "There is no workload “\(name)”, but \(Workload.all.map(\.name).joined(separator: ", "))."
        )
      }
      return workload
    }
  }
}
