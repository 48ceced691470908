import ObjectModel

extension App {
  /// The completions of a command line up to the cursor; nil where nothing is completed.
  func completion(of text: String) -> CommandCompletion? {
    let line = CommandText(text)
    let isInName = line.argument.isEmpty && text.last?.isWhitespace != true
    if isInName {
      return CommandCompletion(
        line.name, among: CommandTable.all.map { $0.names[0] }.sorted(), suffix: " ")
    }
    guard let command = try? CommandTable.command(named: line.name) else { return nil }
    let typed = String(text.dropFirst(line.argumentOffset))
    switch command.argument {
    case .none: return nil
    case .command: return CommandCompletion(typed, among: CommandTable.all.map { $0.names[0] })
    case .entity: return CommandCompletion(typed, among: session.model.entities.map(\.name))
    case .setting: return settingCompletion(typed)
    case .kind: return kindCompletion(typed)
    case .path: return CommandCompletion(typed, among: program.completePath(typed))
    case .keyPaths, .sections:
      guard let list = screen as? ListScreen else { return nil }
      return keyPathCompletion(
        typed, from: list.entity, withSections: command.argument == .sections)
    case .columns:
      guard let list = screen as? ListScreen else { return nil }
      let last = typed.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
      return CommandCompletion(String(last.drop(while: \.isWhitespace)), among: list.columnNames)
    case .assignment:
      guard let list = screen as? ListScreen else { return nil }
      return assignmentCompletion(typed, in: list.entity)
    case .predicate:
      guard let list = screen as? ListScreen else { return nil }
      return CommandCompletion(
        PredicateCompletion(
          before: typed, for: list.entity, in: session.model, values: session.knownTexts))
    }
  }

  /// Completes the last component of the last key path.
  private func keyPathCompletion(
    _ typed: String, from entity: EntityDescription, withSections: Bool
  ) -> CommandCompletion {
    let last = typed.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
    let path = last.drop(while: \.isWhitespace)
    if path.contains(where: \.isWhitespace) {
      let word = path.split(whereSeparator: \.isWhitespace).dropFirst().last.map(String.init) ?? ""
      return CommandCompletion(
        path.last?.isWhitespace == true ? "" : word, among: ["asc", "desc"])
    }
    if withSections, let colon = path.lastIndex(of: ":") {
      return CommandCompletion(
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
    return CommandCompletion(
      steps.last ?? "", among: names + (withSections && steps.count < 2 ? ["none"] : []))
  }

  /// Completes the name of a column, or what it is after `=`.
  private func kindCompletion(_ typed: String) -> CommandCompletion? {
    guard let entity = shownEntity else { return nil }
    guard let sign = typed.lastIndex(of: "=") else {
      return CommandCompletion(typed, among: entity.attributes.map(\.name), suffix: "=")
    }
    let kind = typed[typed.index(after: sign)...].drop(while: \.isWhitespace)
    return CommandCompletion(String(kind), among: ColumnKind.allCases.map(\.rawValue))
  }

  /// Completes the name of a setting, or its value after `=`.
  private func settingCompletion(_ typed: String) -> CommandCompletion {
    guard let end = typed.firstIndex(where: { $0 == "=" || $0.isWhitespace }) else {
      return CommandCompletion(typed, among: Setting.all.map(\.name), suffix: "=")
    }
    let setting = Setting.all.first { $0.name == typed[..<end] }
    return CommandCompletion(
      String(typed[typed.index(after: end)...]), among: setting?.choices ?? [])
  }
}
