import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

/// What a key does, as a person sees it: the state it needs, and whether its effect is seen.
struct KeyEffect {
  /// Types what brings the screen into a state in which the key has an effect.
  var setUp: @MainActor (Stage) -> Void = { _ in }
  /// Whether the effect is seen, compared with what was seen before the key.
  let isSeen: @MainActor (Stage, ScreenSight) -> Bool
}

/// What is seen of the application at a moment.
@MainActor
struct ScreenSight {
  let text: String
  let title: String
  /// The row of a list, or the cursor's line on the screen.
  let position: Int
  let screenCount: Int
  let overlayCount: Int
  let marks: Set<ObjectID>
  let selectedCount: Int
  let isGrid: Bool

  init(_ stage: Stage) {
    let (canvas, cursor) = stage.picture()
    text = canvas.text
    title = stage.title
    let list = stage.app.screen as? ListScreen
    position = list?.tableView.cursorRow ?? cursor?.y ?? -1
    screenCount = stage.app.screens.count
    overlayCount = stage.app.overlays.count
    marks = Set(stage.app.session.marks)
    selectedCount = list?.tableView.selection.count ?? 0
    isGrid = list?.isGrid ?? false
  }
}

extension KeyEffect {
  /// The effect with keys that are typed before.
  fileprivate func after(_ setUp: @escaping @MainActor (Stage) -> Void) -> KeyEffect {
    KeyEffect(setUp: setUp, isSeen: isSeen)
  }

  /// The effect of an action on the screen of a key table; nil if it is not described here.
  ///
  /// Whoever adds an action to a key table describes here what a person sees of it.
  @MainActor static func effect(of action: Action, on table: String) -> KeyEffect? {
    special["\(table) \(action)"] ?? common[action]
  }

  @MainActor private static let common: [Action: KeyEffect] = [
    .sections: dialog, .sectionsBy: dialog, .columns: dialog, .copy: dialog,
    .summary: KeyEffect { stage, before in
      stage.wait {
        stage.settle()
        return ScreenSight(stage).overlayCount == before.overlayCount + 1
      }
      return true
    },
    .onlyValue: KeyEffect { $0.title.contains("filter: ") && !$1.title.contains("filter: ") },
    .withoutValue: KeyEffect { $0.title.contains("filter: ") && !$1.title.contains("filter: ") },
    .screenTop: backward, .screenBottom: forward,
    .screenMiddle: KeyEffect { ScreenSight($0).position != $1.position }.after { $0.type("g") },
    .scroll: KeyEffect { stage, _ in
      (stage.app.screen as? ListScreen)?.awaitsScrollKey == true
    },
    .nextColumn: KeyEffect { stage, _ in
      (stage.app.screen as? ListScreen)?.columns.markedName != nil
    },
    .previousColumn: KeyEffect { stage, _ in
      (stage.app.screen as? ListScreen)?.columns.markedName != nil
    },
    .selectRange: KeyEffect { ScreenSight($0).selectedCount == $1.selectedCount + 1 },
    .preview: KeyEffect { stage, _ in stage.app.session.showsPreview },
    // Moving
    .rowDown: forward, .halfPageDown: forward, .pageDown: forward, .last: forward,
    .nextSection: forward, .cellRight: forward,
    .rowUp: backward, .halfPageUp: backward, .pageUp: backward, .first: backward,
    .previousSection: backward, .cellLeft: backward,
    .percent: KeyEffect { $1.position != ScreenSight($0).position },
    .jumpToSection: KeyEffect { stage, before in
      stage.type("l")
      return ScreenSight(stage).position > before.position && stage.text.contains("Larsen")
    },
    // Finding and looking
    .filter: KeyEffect { stage, _ in
      stage.type("zzz")
      return stage.text.contains("zzz")
    },
    .escape: KeyEffect { ScreenSight($0).text.count > $1.text.count }
      .after { stage in
        stage.type("/e")
        stage.press(.enter)
      },
    .find: KeyEffect { stage, _ in
      stage.type("zzz")
      return stage.text.contains("zzz")
    },
    .findNext: found, .findPrevious: found,
    .sort: dialog,
    .reverse: KeyEffect { $0.title.contains("↓") && !$1.title.contains("↓") },
    .refresh: KeyEffect { stage, _ in stage.status.contains("Refreshed") },
    .redraw: KeyEffect { stage, _ in stage.terminal.redrawCount == 1 },
    .row: dialog,
    .tables: KeyEffect { stage, _ in
      stage.status.contains("Every table has an entity") || stage.text.contains("without entity")
    },
    .toggleGrid: KeyEffect { ScreenSight($0).isGrid != $1.isGrid },
    .hideEmpty: KeyEffect { $0.text != $1.text },
    // Following
    .open: KeyEffect { ScreenSight($0).screenCount == $1.screenCount + 1 },
    .back: KeyEffect { ScreenSight($0).screenCount == $1.screenCount - 1 },
    .nextObject: KeyEffect { $0.title != $1.title && $0.app.screens.count == $1.screenCount },
    .previousObject: KeyEffect { $0.title != $1.title && $0.app.screens.count == $1.screenCount },
    // Selecting and changing
    .toggleSelection: KeyEffect { ScreenSight($0).selectedCount == $1.selectedCount + 1 },
    .selectAll: KeyEffect { stage, _ in ScreenSight(stage).selectedCount == 20 },
    .selectNone: KeyEffect { $1.selectedCount == 2 && ScreenSight($0).selectedCount == 0 }
      .after { $0.type("  ") },
    .edit: dialog,
    .insert: dialog,
    .duplicate: KeyEffect { stage, before in
      // Columns that are hidden or to the right are counted in the same way.
      let former = before.text.replacing("+1 hidden", with: "").replacing("+1 ▸", with: "")
      return stage.app.session.flagCounters.contains("+1") && !former.contains("+1")
    },
    // A list of all objects has no relationship to add to.
    .add: KeyEffect { stage, _ in stage.app.message != nil },
    .delete: KeyEffect { ScreenSight($0).marks.count == $1.marks.count + 1 },
    .unmark: unmarking.after { $0.mark(andStepBack: true) },
    .undo: unmarking.after { $0.mark() },
    .redo: KeyEffect { $1.marks.isEmpty && ScreenSight($0).marks.count == 1 }
      .after { stage in
        stage.mark()
        stage.type("u")
      },
    .save: dialog.after { $0.mark() },
    .discard: dialog.after { $0.mark() },
    // The program
    .command: KeyEffect { stage, before in
      stage.type("zzz")
      return stage.text.contains("zzz") && !before.text.contains("zzz")
    },
    .entities: KeyEffect { stage, _ in stage.app.screen is EntityScreen },
    .help: KeyEffect { stage, before in
      dialog.isSeen(stage, before) && stage.text.contains("Keys")
    },
    .quit: KeyEffect { ScreenSight($0).screenCount == $1.screenCount - 1 },
    .quitProgram: KeyEffect { stage, _ in stage.app.exitStatus == 0 },
    .suspend: KeyEffect { stage, _ in stage.terminal.suspendCount == 1 },
  ]

  @MainActor private static let special: [String: KeyEffect] = [
    "object open": KeyEffect { ScreenSight($0).screenCount == $1.screenCount + 1 }
      .after { stage in
        for _ in 0..<40 where !stage.cursorLine.contains("pets") { stage.type("j") }
      },
    "object add": KeyEffect { ScreenSight($0).screenCount == $1.screenCount + 1 }
      .after { stage in
        for _ in 0..<40 where !stage.cursorLine.contains("pets") { stage.type("j") }
      },
    // The list of entities is the first screen.
    "entities back": KeyEffect { stage, _ in stage.status.contains("first screen") },
    // Without entities that have no objects the key says so; there are too few for a percentage.
    "entities hideEmpty": KeyEffect { stage, _ in stage.app.message != nil },
    "entities percent": KeyEffect { ScreenSight($0).position < $1.position }.after { $0.type("G") },
    "entities refresh": KeyEffect { stage, _ in
      stage.app.message?.text.contains("Refreshed") == true
    },
    "value open": KeyEffect { $0.text != $1.text && $0.app.screens.count == $1.screenCount },
    "value close": KeyEffect { $0.text != $1.text || $0.app.screens.count < $1.screenCount },
    "value nextForm": otherForm, "value previousForm": otherForm,
    "value writeFile": KeyEffect { stage, before in
      stage.text.contains("Write to a file") && !before.text.contains("Write to a file")
    },
    "choice open": KeyEffect { ScreenSight($0).screenCount == $1.screenCount - 1 },
    // Where several are chosen, none is no choice.
    "choice chooseNull": KeyEffect { stage, _ in stage.app.message != nil },
    "stores open": KeyEffect { stage, before in
      stage.title != before.title && !stage.title.contains("Open a store")
    },
    "stores back": KeyEffect { stage, _ in stage.status.contains("first screen") },
    "stores quit": KeyEffect { stage, _ in stage.app.exitStatus == 0 },
    "stores refresh": KeyEffect { stage, _ in
      stage.app.message?.text.contains("again") == true
    },
    "stores escape": KeyEffect { ScreenSight($0).text.count > $1.text.count }
      .after { stage in
        stage.type("/store 1")
        stage.press(.enter)
      },
    "entities quit": KeyEffect { stage, _ in stage.app.exitStatus == 0 },
  ]

  private static let otherForm = KeyEffect { $0.title != $1.title }
  private static let forward = KeyEffect { ScreenSight($0).position > $1.position }
  private static let backward = KeyEffect { ScreenSight($0).position < $1.position }
  private static let dialog = KeyEffect { ScreenSight($0).overlayCount == $1.overlayCount + 1 }
  private static let unmarking = KeyEffect {
    $1.marks.count == 1 && ScreenSight($0).marks.isEmpty
  }
  private static let found = KeyEffect { $1.position != ScreenSight($0).position }
    .after { stage in
      stage.type("fe")
      stage.press(.enter)
    }
}

extension Stage {
  /// Marks the object of the screen for deletion; another one where the screen has none.
  fileprivate func mark(andStepBack: Bool = false) {
    if app.screen is EntityScreen {
      guard let id = person("Kim, José") else { return }
      app.session.setMarked(true, [id], name: "mark Kim, José")
      draw()
      return
    }
    let list = app.screen as? ListScreen
    let id = list?.cursorID
    type("d")
    if andStepBack, let id { list?.showCursor(on: id) }
  }
}
