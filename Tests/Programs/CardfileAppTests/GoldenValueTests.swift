import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// A state of the page of an object, of a viewer or of what is copied, with its pictures.
struct ValueState: CustomTestStringConvertible, Sendable {
  let name: String
  let steps: @MainActor @Sendable (Stage) throws -> Void

  var testDescription: String { name }

  private static let json =
    #"{"name":"Þór","tags":["a","b\n"],"size":{"width":1024,"ratio":1.50},"ok":true,"none":null}"#

  @MainActor private static func view(_ content: ValueContent, _ stage: Stage) {
    stage.app.push(ViewerScreen(content, path: ["contacts", "notes"], session: stage.app.session))
    stage.draw()
  }

  static let all: [ValueState] = [
    ValueState(name: "value-text") { stage in
      let lines = (1...60).map { "\($0)\tline of a long text, 東京 \u{1B}[31m and more of it" }
      view(.text(lines.joined(separator: "\n")), stage)
      stage.type("/東京")
      stage.press(.enter)
      stage.type("n")
    },
    ValueState(name: "value-tree") { stage in
      view(.text(json), stage)
      stage.type("jj")
      stage.press(.enter)
      stage.type("/ratio")
      stage.press(.enter)
    },
    ValueState(name: "value-hex") { stage in
      view(.bytes(Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(0...200) + Data("Þór".utf8)), stage)
      stage.type("/ff d8")
      stage.press(.enter)
    },
    ValueState(name: "value-writing") { stage in
      view(.text(json), stage)
      stage.type("w")
    },
    ValueState(name: "object-find") { stage in
      stage.type("/þór")
      stage.press(.enter, .enter)
      stage.type("fjo")
    },
    ValueState(name: "object-narrowed") { stage in
      stage.type("/þór")
      stage.press(.enter, .enter)
      stage.type("/jo")
      stage.press(.enter)
    },
    ValueState(name: "object-hidden") { stage in
      stage.type("/éluard")
      stage.press(.enter, .enter)
      stage.type(".")
    },
    ValueState(name: "copy") { $0.type("jy") },
    ValueState(name: "message-long") { stage in
      stage.app.message = .failed(
        "SQLite error 5 while saving 3 notes: database is locked — close the other program that "
          + "is writing, or raise the busy timeout to 5000 ms")
    },
    ValueState(name: "messages") { stage in
      stage.app.message = .done("Refreshed")
      stage.app.message = .failed("There is no next object")
      stage.app.perform(.messages)
    },
  ]
}

@MainActor @Suite struct GoldenValueTests {
  @Test(arguments: ValueState.all)
  func `each screen of values matches its golden pictures`(_ state: ValueState) throws {
    try expectPictures(state.name) { capabilities in
      let stage = try Stage(capabilities: capabilities)
      try state.steps(stage)
      return stage
    }
  }
}
