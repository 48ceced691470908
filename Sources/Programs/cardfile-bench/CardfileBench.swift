import ArgumentParser
import Foundation

/// The benchmark program: times Cardfile's operations against plain loops over SQLite's C API.
@main
struct CardfileBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cardfile-bench",
    abstract: "Measure Cardfile against plain loops over SQLite's C API.",
    discussion: """
      Each workload runs Cardfile's code and a raw SQLite loop alternately on the same rows. \
      Printed are the median times, their ratio (Cardfile divided by raw) and its goal, and the \
      peak of the process's memory during Cardfile's side with its goal for a list of that size. \
      MISSED says which goals are exceeded. The rows are the same in every run of the program.

      WORKLOADS
      \(Workload.all.map { "  \($0.name): \($0.meaning)" }.joined(separator: "\n"))

      With "windows" lists of a million rows or more are looked up in SQLite, and with "postgres" in the \
      server at CARDFILE_POSTGRES, beside psql:
      \((Workload.windows + Workload.postgres).map { "  \($0.name): \($0.meaning)" }.joined(separator: "\n"))
      """)

  @Argument(
    help: ArgumentHelp(
      "The workloads to run; by default all, and of a Core Data store or with a log \"reading\": "
        + "those that can run on it."))
  var workloads: [String] = []

  @Option(
    help: ArgumentHelp(
      "The numbers of rows in the table, such as \"10000,100000\".", valueName: "numbers"))
  var rows = "10000,100000,1000000"

  @Option(help: ArgumentHelp("The number of times each side runs.", valueName: "number"))
  var runs = 5

  @Flag(
    help: ArgumentHelp(
      "Make a Core Data store instead of a plain table, with the rows as objects of an entity and "
        + "of two subentities."))
  var coreData = false

  @Option(
    help: ArgumentHelp(
      "The number of frames in a write-ahead log that stays beside the database.",
      valueName: "number"))
  var frames = 0

  @Flag(help: "Print one JSON object per line instead of a table.")
  var json = false

  func run() throws {
    let chosen = try chosenWorkloads()
    let sizes = try rows.split(separator: ",").map { text in
      guard let size = Int(text), size > 0 else {
        throw ValidationError(
          "--rows contains “\(text)”, which is not a positive number. Try: --rows 10000,100000")
      }
      return size
    }
    guard runs > 0 else { throw ValidationError("--runs is \(runs); it must be at least 1.") }
    guard frames >= 0 else {
      throw ValidationError("--frames is \(frames); it must not be negative.")
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("cardfile-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    if !json { print(Measurement.header) }
    for size in sizes {
      let path = folder.appendingPathComponent("\(size).sqlite").path
      let isMade = !chosen.allSatisfy(\.isOnServer)
      if isMade {
        try coreData
          ? PeopleDatabase.createCoreDataStore(at: path, rows: size)
          : PeopleDatabase.create(at: path, rows: size)
      }
      let log = isMade && frames > 0 ? try LongLog(path: path, rows: size, frames: frames) : nil
      for workload in chosen {
        let setting = Setting(
          workload: workload.name, goal: workload.goal, memoryGoal: workload.memoryGoal,
          path: path, rows: size, runs: runs)
        let measurement = try workload.measure(setting)
        print(json ? try measurement.json : measurement.line)
      }
      try log?.end()
      if isMade { try FileManager.default.removeItem(atPath: path) }
    }
  }

  private func chosenWorkloads() throws -> [Workload] {
    if workloads.isEmpty { return coreData || frames > 0 ? Workload.reading : Workload.all }
    let known = Workload.all + Workload.windows + Workload.postgres
    return try workloads.flatMap { name in
      if let group = Workload.groups[name] { return group }
      guard let workload = known.first(where: { $0.name == name }) else {
        let names = (Workload.all.map(\.name) + Workload.groups.keys.sorted())
          .joined(separator: ", ")
        throw ValidationError("There is no workload “\(name)”. Use one of: \(names).")
      }
      return [workload]
    }
  }
}
