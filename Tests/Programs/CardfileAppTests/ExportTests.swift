import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

@MainActor @Suite struct ExportTests {
  private func export(_ stage: Stage, _ path: String, replacing: Bool = false) {
    stage.app.exportList(to: path, replacing: replacing)
    stage.wait {
      stage.settle()
      return stage.app.export == nil
    }
  }

  @Test func `what the list shows is exported: filter, order, columns, unsaved changes`() throws {
    let folder = try TemporaryFolder()
    let stage = try Stage(
      options: AppOptions(columns: ["name", "employer", "pets", "city"]))
    stage.type("/jensen")
    stage.press(.enter)
    stage.type("S")
    let id = try #require(stage.person("Jensen, Viktor"))
    stage.app.session.context.object(with: id)["city"] = "Łódź, \"new\""
    stage.app.session.context.processPendingChanges()
    export(stage, folder.path("a.csv"))
    #expect(stage.status.contains("Exported 2 rows, "), "\(stage.status)")
    #expect(
      try folder.text("a.csv") == """
        name,employer,pets,city\r
        "Jensen, Viktor",,0,"Łódź, ""new\"""\r
        "Jensen, Søren",,0,Tromsø\r

        """)
    export(stage, folder.path("b.jsonl"))
    #expect(
      try folder.text("b.jsonl") == """
        {"name":"Jensen, Viktor","employer":null,"pets":0,"city":"Łódź, \\"new\\""}
        {"name":"Jensen, Søren","employer":null,"pets":0,"city":"Tromsø"}

        """)
    export(stage, folder.path("c.json"))
    let json = try JSONSerialization.jsonObject(with: Data(try folder.text("c.json").utf8))
    #expect((json as? [Any])?.count == 2)
    export(stage, folder.path("d.md"))
    #expect(
      try folder.text("d.md") == """
        | name | employer | pets | city |
        | --- | --- | --- | --- |
        | Jensen, Viktor |  | 0 | Łódź, "new" |
        | Jensen, Søren |  | 0 | Tromsø |

        """)
    #expect(try folder.names == ["a.csv", "b.jsonl", "c.json", "d.md"])
  }

  @Test func `objects that rows lead to are exported by their titles`() throws {
    let folder = try TemporaryFolder()
    let stage = try Stage(options: AppOptions(columns: ["name", "employer"]))
    export(stage, folder.path("all"))
    #expect(try folder.text("all.csv").contains("\"Horváth, Noah\",Nordic Fish ehf.\r\n"))
  }

  @Test func `q asks while a file is being exported, and nothing is left of it after the end`()
    throws
  {
    let folder = try TemporaryFolder()
    let stage = try Stage("Tag")
    stage.settle()
    stage.app.exportList(to: folder.path("a.csv"), replacing: false)
    stage.type("Q")
    #expect(stage.text.contains("Nothing is left of the file if you quit now"), "\(stage.text)")
    stage.type("n")
    #expect(stage.app.exitStatus == nil)
    stage.type("Qs")
    #expect(stage.app.exitStatus == 0)
    stage.app.end()
    #expect(try folder.names.allSatisfy { $0 == "a.csv" })
  }

  @Test(arguments: ["pipe.csv", "null.csv", "folder.csv"])
  func `what is no place for a file is refused with a word`(name: String) throws {
    let folder = try TemporaryFolder()
    mkfifo(folder.path("pipe.csv"), 0o600)
    symlink("/dev/null", folder.path("null.csv"))
    mkdir(folder.path("folder.csv"), 0o700)
    let stage = try Stage("Tag")
    for replacing in [false, true] {
      export(stage, folder.path(name), replacing: replacing)
      // On the screen a long path leaves no room for it.
      #expect(stage.app.message?.text.contains(" is a ") == true, "\(stage.status)")
    }
    #expect(try folder.names == ["folder.csv", "null.csv", "pipe.csv"])
  }

  @Test func `an existing file is replaced only when that was asked for`() throws {
    let folder = try TemporaryFolder()
    try Data("old".utf8).write(to: folder.url("a.csv"))
    let stage = try Stage("Tag")
    export(stage, folder.path("a.csv"))
    #expect(stage.text.contains("replaces it"))
    #expect(try folder.text("a.csv") == "old")
    export(stage, folder.path("a.csv"), replacing: true)
    #expect(try folder.text("a.csv").contains("tag 1"))
    export(stage, folder.path("x.pdf"))
    #expect(stage.status.contains("A file is exported as one of .csv .json .jsonl .md"))
    export(stage, folder.path("no/x.csv"))
    #expect(stage.status.contains("Nothing was exported: No such file or directory"))
    #expect(try folder.names == ["a.csv"])
  }

  @Test func `Esc cancels an export, and nothing is left of the file`() throws {
    let folder = try TemporaryFolder()
    let stage = try Stage("Tag", store: try Contacts.store(tagCount: 30))
    let list = try #require(stage.app.screen as? ListScreen)
    let export = try #require(list.export())
    let (path, target) = (folder.path("a.csv"), try FileTarget(path: folder.path("a.csv")))
    let hold = DispatchSemaphore(value: 0)
    stage.app.export = stage.app.session.jobs.start("Exporting", total: export.rows.count) {
      hold.wait()
      return export.write(to: target, as: .csv, $0)
    } done: {
      stage.app.show($0, of: export, to: path)
    }
    #expect(stage.status.contains("Exporting … 0 %  0/30   Esc cancel"), "\(stage.status)")
    stage.press(.escape)
    hold.signal()
    stage.wait {
      stage.settle()
      return stage.app.export == nil
    }
    #expect(stage.status.contains("Export cancelled: nothing was written"))
    #expect(try folder.names.isEmpty)
  }
}

extension TemporaryFolder {
  fileprivate func text(_ name: String) throws -> String {
    try String(contentsOf: url(name), encoding: .utf8)
  }

  fileprivate var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}
