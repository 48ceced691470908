import Foundation
import ObjectModel
import SQLQueries

/// Derives the attributes of an entity from the columns of its table.
struct AttributePlan {
  let table: Catalog.Table
  private let typings: [ColumnTyping]
  private let samples: [ColumnSample]
  private let findings: [ColumnTyping.Finding]
  private let kinds: ChosenKinds

  /// Evaluates the declarations of a table's columns, some of which are in foreign keys, and
  /// samples the values of those whose declared type is not specific.
  init(
    table: Catalog.Table, keyColumns: Set<String>, isCoreData: Bool, known: KnownPrograms,
    kinds: ChosenKinds, now: Date, sampler: inout ColumnSampler
  ) throws {
    self.table = table
    self.kinds = kinds
    let typings = table.columns.map { column in
      ColumnTyping(
        column, isKey: column.keyPosition > 0 || keyColumns.contains(column.name),
        isCoreData: isCoreData, known: known.column(column.name, of: table.name))
    }
    let open = table.columns.indices.filter {
      typings[$0].needsSample || kinds.kind(of: table.columns[$0].name, in: table.name) != nil
    }
    var seen = try sampler.sample(open.map { table.columns[$0] }, of: table)
    let flags = open.indices.filter { typings[open[$0]].isFlag && seen[$0].isFlags }
    var flagSamples = flags.map { seen[$0] }
    try sampler.addOtherThanFlags(
      in: flags.map { table.columns[open[$0]] }, of: table, to: &flagSamples)
    for (index, sample) in zip(flags, flagSamples) { seen[index] = sample }
    var samples = table.columns.map { _ in ColumnSample() }
    for (column, sample) in zip(open, seen) { samples[column] = sample }
    (self.typings, self.samples) = (typings, samples)
    findings = zip(typings, samples).map { $0.finding($1, now: now) }
  }

  /// The clocks by which columns of the table certainly are dates.
  var clocks: Set<ValueEncoding> {
    Set(
      findings.compactMap {
        guard case .decided(let decision) = $0, decision.encoding.isNumberOfDate else { return nil }
        return decision.encoding
      })
  }

  /// The clock that more than one undecided column of the table agrees with, if it is the only one.
  private var agreedClock: ValueEncoding? {
    let open = findings.compactMap { finding -> ValueEncoding? in
      guard case .open(let encodings, _) = finding, encodings.count == 1 else { return nil }
      return encodings[0]
    }
    guard open.count > 1, Set(open) == [.unixSeconds] else { return nil }
    return open[0]
  }

  /// Returns the attributes.
  ///
  /// - Parameters:
  ///   - clocks: The clocks by which columns of the database certainly are dates.
  ///   - now: The present.
  /// - Returns: An attribute for each column.
  func attributes(clocks: Set<ValueEncoding>, now: Date) -> [AttributeDescription] {
    let own = self.clocks.union([agreedClock].compactMap(\.self))
    return table.columns.indices.map { index in
      let (column, sample, typing) = (table.columns[index], samples[index], typings[index])
      let chosen = kinds.kind(of: column.name, in: table.name).flatMap { kind in
        typing.decision(for: kind, sample).map { (kind, $0) }
      }
      let decision: ColumnTyping.Decision
      switch findings[index] {
      case .decided(let decided): decision = decided
      case .open(let encodings, let other):
        let (inTable, inDatabase) = (
          encodings.filter(own.contains), encodings.filter(clocks.contains)
        )
        if inTable.count == 1 {
          decision = typing.date(inTable[0], sample, like: "other columns of the table", now: now)
        } else if inTable.isEmpty, inDatabase.count == 1 {
          decision = typing.date(inDatabase[0], sample, like: "other tables", now: now)
        } else {
          decision = other
        }
      }
      return attribute(
        column, chosen?.1 ?? decision, kind: chosen?.0, sample,
        table.conversion(of: column))
    }
  }

  private func attribute(
    _ column: Catalog.Column, _ decision: ColumnTyping.Decision, kind: ColumnKind?,
    _ sample: ColumnSample, _ conversion: StorageConversion
  ) -> AttributeDescription {
    let literal = column.defaultText.map(DefaultLiteral.value)
    // SQLite itself fills a rowid and a generated column.
    let isFilled = column.isGenerated || column == table.rowidAlias
    var attribute = AttributeDescription(
      column.name, decision.type, encoding: decision.encoding,
      isOptional: !column.isNotNull || isFilled, isReadOnly: column.isGenerated,
      declaredType: column.declaredType)
    attribute.reading = AttributeReading(
      kind ?? ColumnKind(decision.type, decision.encoding),
      reason: kind == nil ? decision.reason : "as you said", isChosen: kind != nil,
      example: sample.example, holdsUUIDs: decision.type == .string && sample.isUUIDs,
      conversion: conversion)
    if column.isGenerated { return attribute }
    if let stored = literal ?? nil {
      attribute.defaultValue = attribute.decode(stored)
    } else if let expression = column.defaultText {
      attribute.details.defaultExpression = expression
    }
    return attribute
  }
}

extension ColumnKind {
  /// The kind of a column that is read like this.
  fileprivate init(_ type: AttributeType, _ encoding: ValueEncoding) {
    switch type {
    case .date: self = ColumnKind(dateEncoding: encoding) ?? .number
    case .boolean: self = .boolean
    case .uuid: self = .uuid
    case .string, .uri: self = .text
    case .binaryData, .transformable: self = .bytes
    case .undefined: self = .auto
    case .integer16, .integer32, .integer64, .decimal, .double, .float: self = .number
    }
  }
}

/// What a person said that columns are: by `column` or `entity.column`, which goes before.
struct ChosenKinds {
  private let kinds: [String: ColumnKind]

  init(_ kinds: [String: ColumnKind]) { self.kinds = kinds }

  func kind(of column: String, in table: String) -> ColumnKind? {
    guard !kinds.isEmpty else { return nil }
    return kinds["\(table).\(column)"] ?? kinds[column]
  }
}
