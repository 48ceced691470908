package import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalKit

extension ListScreen {
  var viewCommands: [KeyCommand] {
    var commands = [
      KeyCommand(
        tableView is GridView ? [.enter] : [.enter, .right, "l"], section: .follow, help: "open",
        hint: "open", target: .row
      ) { [weak self] _ in self?.tableView.chooseCursorRow() },
      KeyCommand("R", section: .view, help: "read the rest") { [weak self] in
        self?.readAgain()
      },
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
  /// Setting it fetches in the background; setting nil does nothing.
  public var order: ListOrder? {
    get {
      let request = controller.displayedRequest ?? provider.request
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
      sort(by: newValue.title, request)
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
    var request = provider.request
    request.fetchRequest.sortDescriptors = request.sortDescriptors.map(\.reversed)
    sort(by: order?.title ?? "", request)
  }

  /// Shows the list in another order; the cursor stays on its object if it was moved since the last
  /// one, otherwise the list is shown from its beginning.
  package func sort(by title: String, _ request: ListRequest) {
    guard isFetched else { return provider.request = request }
    fetch(.sorting(title), request, keepsCursor: hasMovedCursor)
    hasMovedCursor = false
  }
}
