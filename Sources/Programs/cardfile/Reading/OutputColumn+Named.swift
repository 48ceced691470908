import CardfileApp
import ObjectModel
import RowOutput

extension OutputColumn {
  /// The columns that `--columns` names: attributes, relationships, `objectID` and `entity`.
  static func named(_ text: String, of entity: EntityDescription, in names: NameResolver)
    throws(Failure) -> [OutputColumn]
  {
    var columns: [OutputColumn] = []
    for name in NameList.split(text).map({ NameList.unquoted($0.text) }) {
      if entity.details.composites.contains(where: { $0.name == name }) {
        columns += entity.attributes.filter { $0.name.hasPrefix(name + ".") }
          .sorted { $0.name < $1.name }.map(OutputColumn.init(element:))
      } else if let attribute = entity.attribute(named: name) {
        columns.append(OutputColumn(name: name, kind: .attribute(attribute)))
      } else if let relationship = entity.relationship(named: name) {
        columns.append(OutputColumn(relationship))
      } else if name == objectIDName {
        columns.append(OutputColumn(name: name, kind: .objectID))
      } else if name == entityColumnName {
        columns.append(OutputColumn(name: name, kind: .entityName))
      } else {
        throw names.unknown(
          name, in: entity, option: "--columns",
          offering: (entity.attributes.map(\.name) + entity.relationships.map(\.name)) + [
            objectIDName, entityColumnName,
          ])
      }
    }
    guard !columns.isEmpty else {
      throw Failure(.usage, "--columns is empty", try: "--columns \"name,born\"")
    }
    return columns
  }
}
