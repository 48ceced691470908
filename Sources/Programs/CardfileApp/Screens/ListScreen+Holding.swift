import ListProviders
import TerminalKit

extension ListScreen {
  /// Whether the row under the cursor is still one of before: other rows, or another place of the
  /// cursor, have been asked for.
  private var awaitsRow: Bool {
    provider.showsEarlierRequest || fetching.isAwaited || finder?.busyLine != nil
  }

  /// Keeps a key that acts on a row until the row is shown that the keys before it have asked for.
  ///
  /// Keys that are typed quickly, as in `/ocean⏎⏎`, then never act on rows that the person could not
  /// mean. The keys after it are kept too; Esc drops them.
  func hold(_ key: Key, for action: Action, count: Int?) -> Bool {
    guard awaitsRow(for: action) else { return false }
    heldKeys = count.map { String($0).map { .character($0) } } ?? []
    heldKeys.append(key)
    session.message = .done("\(key) waits for the rows — Esc cancels")
    return true
  }

  /// Keeps the keys after one that is held; Esc drops them.
  func holdNext(_ key: Key) -> Bool {
    guard !heldKeys.isEmpty else { return false }
    guard key != .escape else {
      heldKeys = []
      return false
    }
    heldKeys.append(key)
    return true
  }

  func awaitsRow(for action: Action) -> Bool {
    awaitsRow && Self.actionsOnRows.contains(action)
  }

  func dropHeldKeys() -> Int {
    defer { heldKeys = [] }
    return heldKeys.count
  }

  /// Whether a row from the cursor on is still to be read, after an attempt.
  ///
  /// Rows were seen when they were selected.
  func isUnread(for action: Action, count: Int?) -> Bool {
    guard Self.actionsOnRows.contains(action) else { return false }
    let isOnCursor = selectedCount == 0 || Self.actionsOnCursor.contains(action)
    return isOnCursor && session.areUnread(cursorIDs(count: min(count ?? 1, ListFetch.firstScreen)))
  }

  func takeHeldKeys() -> [Key] {
    guard !heldKeys.isEmpty, !awaitsRow else { return [] }
    defer { heldKeys = [] }
    return heldKeys
  }

  private static let actionsOnRows: Set<Action> = [
    .open, .edit, .duplicate, .delete, .unmark, .copy, .toggleSelection, .selectRange, .onlyValue,
    .withoutValue,
  ]

  /// Those that are on the row under the cursor whatever is selected.
  private static let actionsOnCursor: Set<Action> = [
    .open, .duplicate, .toggleSelection, .selectRange, .onlyValue, .withoutValue,
  ]
}
