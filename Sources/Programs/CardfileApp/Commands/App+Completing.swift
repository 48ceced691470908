import ObjectModel
import TerminalApplications
import TerminalKit

extension App {
  /// The completions of a command line up to the cursor; nil where nothing is completed.
  func completion(of text: String) -> PromptBar.Completion? {
    let line = CommandText(text)
    let isInName = line.argument.isEmpty && text.last?.isWhitespace != true
    if isInName {
      return PromptBar.Completion(
        line.name, among: CommandTable.all.map { $0.names[0] }.sorted(), suffix: " ")
    }
    guard let command = try? CommandTable.command(named: line.name) else { return nil }
    let typed = String(text.dropFirst(line.argumentOffset))
    let list = screen as? ListScreen
    switch command.argument {
    case .none: return nil
    case .command: return PromptBar.Completion(typed, among: CommandTable.all.map { $0.names[0] })
    case .entity: return PromptBar.Completion(typed, among: session.model.entities.map(\.name))
    case .setting: return settingCompletion(typed)
    case .kind: return kindCompletion(typed)
    case .path: return PromptBar.Completion(typed, among: program.completePath(typed))
    case .keyPaths, .sections:
      return list.map {
        keyPathCompletion(typed, from: $0.entity, withSections: command.argument == .sections)
      }
    case .columns:
      let last = typed.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
      return list.map {
        PromptBar.Completion(
          String(last.drop(while: \.isWhitespace)), among: $0.columns.all.map(\.name))
      }
    case .assignment: return list.flatMap { assignmentCompletion(typed, in: $0.entity) }
    case .predicate:
      return list.map {
        PromptBar.Completion(
          PredicateCompletion(
            before: typed, for: $0.entity, in: session.model, values: session.knownTexts))
      }
    }
  }

  /// Completes the last component of the last key path.
  private func keyPathCompletion(
    _ typed: String, from entity: EntityDescription, withSections: Bool
  ) -> PromptBar.Completion {
    let last = typed.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
    let path = last.drop(while: \.isWhitespace)
    if path.contains(where: \.isWhitespace) {
      let word = path.split(whereSeparator: \.isWhitespace).dropFirst().last.map(String.init) ?? ""
      return PromptBar.Completion(
        path.last?.isWhitespace == true ? "" : word, among: ["asc", "desc"])
    }
    if withSections, let colon = path.lastIndex(of: ":") {
      return PromptBar.Completion(
        String(path[path.index(after: colon)...]),
        among: SectionKey.Transform.allCases.map(\.rawValue))
    }
    let steps = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var owner: EntityDescription? = entity
    for step in steps.dropLast() {
      owner = owner?.relationship(named: step).flatMap {
        session.model.entity(named: $0.destinationEntityName)
      }
    }
    let names =
      owner.map { $0.attributes.map(\.name) + $0.toOneRelationships.map(\.name) } ?? []
    return PromptBar.Completion(
      steps.last ?? "", among: names + (withSections && steps.count < 2 ? ["none"] : []))
  }

  /// Completes the name of a column, or what it is after `=`.
  private func kindCompletion(_ typed: String) -> PromptBar.Completion? {
    guard let entity = shownEntity else { return nil }
    guard let sign = typed.lastIndex(of: "=") else {
      return PromptBar.Completion(typed, among: entity.attributes.map(\.name), suffix: "=")
    }
    let kind = typed[typed.index(after: sign)...].drop(while: \.isWhitespace)
    return PromptBar.Completion(String(kind), among: ColumnKind.allCases.map(\.rawValue))
  }

  /// Completes the name of a setting, or its value after `=`.
  private func settingCompletion(_ typed: String) -> PromptBar.Completion {
    guard let end = typed.firstIndex(where: { $0 == "=" || $0.isWhitespace }) else {
      return PromptBar.Completion(typed, among: Setting.all.map(\.name), suffix: "=")
    }
    let setting = Setting.all.first { $0.name == typed[..<end] }
    return PromptBar.Completion(
      String(typed[typed.index(after: end)...]), among: setting?.choices ?? [])
  }
}

extension PromptBar.Completion {
  /// Completes a word by those that can stand there.
  ///
  /// - Parameters:
  ///   - typed: The word as typed so far.
  ///   - words: All words that can stand there.
  ///   - suffix: What follows a complete word, as a blank.
  init(_ typed: String, among words: [String], suffix: String = "") {
    let wanted = TextFolding.folded(typed)
    let matching = words.filter { TextFolding.folded($0).hasPrefix(wanted) }
    let first = matching.first.map { $0 + suffix }
    guard matching.count > 1 else {
      self.init(replacing: typed.count, by: first == typed ? nil : first, candidates: [])
      return
    }
    let common = matching.dropFirst().reduce(matching[0]) { common, word in
      String(zip(common, word).prefix { $0.lowercased() == $1.lowercased() }.map(\.0))
    }
    self.init(
      replacing: typed.count, by: common.count > typed.count ? common : nil, candidates: matching)
  }
}
