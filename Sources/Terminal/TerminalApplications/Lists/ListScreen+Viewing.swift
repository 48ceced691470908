import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalKit

extension ListScreen {
  var viewCommands: [KeyCommand] {
    var commands = [
      KeyCommand(
        tableView is GridView ? [.enter] : [.enter, .right, "l"], section: .follow, help: "open",
        hint: "open"
      ) { [weak self] _ in self?.tableView.chooseCursorRow() }
    ]
    if !(tableView is GridView), (application?.screens.count ?? 0) > 1 {
      commands.append(
        KeyCommand("h", .left, .backspace, section: .follow, help: "back") { [weak self] in
          self?.pop()
        })
    }
    guard !orders.isEmpty else { return commands }
    commands += [
      KeyCommand(
        "s", section: .view, label: "s S", help: "sort…, reverse", hint: "sort"
      ) { [weak self] in self?.askForOrder() },
      KeyCommand("S", section: .view, help: "") { [weak self] in self?.reverse() },
    ]
    return commands
  }

  /// The order in which the list is shown; nil for one that is not among ``orders``.
  ///
  /// Setting it fetches; setting nil does nothing.
  public var order: ListOrder? {
    get {
      let request = provider.request
      return orders.first { order in
        order.sectionKey == request.sectionKey
          && order.sortDescriptors.map(\.keyPath)
            == request.fetchRequest.sortDescriptors.map(\.keyPath)
      }
    }
    set {
      guard let newValue else { return }
      var request = provider.request
      request.fetchRequest.sortDescriptors = newValue.sortDescriptors
      request.sectionKey = newValue.sectionKey
      provider.request = request
      showProviderError()
    }
  }

  private func askForOrder() {
    choose(
      "Sort by", from: orders.map { Menu.Item($0.title) },
      selected: order.flatMap { orders.firstIndex(of: $0) } ?? 0
    ) { [weak self] index in
      guard let self else { return }
      order = orders[index]
    }
  }

  private func reverse() {
    provider.sortDescriptors = provider.sortDescriptors.map(\.reversed)
    showProviderError()
  }
}
