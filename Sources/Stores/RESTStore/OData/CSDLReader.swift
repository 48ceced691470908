import Foundation
import ModelFiles
import ObjectModel

/// Reads the metadata document of an OData service: CSDL 4.0 and 4.01 as XML.
///
/// `XMLScanner` and `MarkupElement` read it, which know no document type and bound depth and number
/// of elements.
struct CSDLReader {
  private var document = CSDLDocument()
  /// The namespaces by alias.
  private var aliases: [String: String] = [:]
  /// The annotations of sets that are not written in them: by the name of the set.
  private var annotations: [String: [MarkupElement]] = [:]

  /// Reads a document.
  ///
  /// - Throws: `StoreError` if it is damaged, too large, or is no metadata document.
  static func document(of data: Data) throws(StoreError) -> CSDLDocument {
    let root: MarkupElement
    do {
      root = try MarkupElement.root(of: data)
    } catch {
      throw Self.error("\(error)")
    }
    guard root.name.localName == "Edmx" else {
      throw Self.error("it is <\(root.name.prefix(40))> and no <edmx:Edmx>")
    }
    var reader = CSDLReader()
    try reader.read(root)
    return reader.document
  }

  static func error(_ detail: String) -> StoreError {
    StoreError(
      .corrupt, doing: "reading the metadata of the service", subject: "$metadata", detail: detail)
  }

  private mutating func read(_ root: MarkupElement) throws(StoreError) {
    document.version = root["Version"] ?? "4.0"
    guard document.version.hasPrefix("4.") else {
      throw Self.error("it is of OData \(document.version.prefix(10)); only OData 4 is known")
    }
    let schemas = root.children.filter { $0.name.localName == "DataServices" }
      .flatMap(\.children).filter { $0.name == "Schema" }
    for schema in schemas {
      if let alias = schema["Alias"], let namespace = schema["Namespace"] {
        aliases[alias] = namespace
      }
    }
    for schema in schemas {
      for target in schema.elements("Annotations") {
        // Those of the container itself have no slash.
        let path = target["Target"] ?? ""
        let name = path.firstIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? ""
        annotations[name, default: []] += target.elements("Annotation")
      }
    }
    for schema in schemas { try read(schema: schema) }
    if document.sets.isEmpty { throw Self.error("it has no entity set") }
  }

  private mutating func read(schema: MarkupElement) throws(StoreError) {
    guard let namespace = schema["Namespace"] else { throw Self.error("a schema has no name") }
    for element in schema.children {
      guard let name = element["Name"] else { continue }
      let qualified = "\(namespace).\(name)"
      switch element.name {
      case "EntityType", "ComplexType": document.types.append(structured(element, qualified))
      case "EnumType":
        document.enumerations[qualified] = CSDLDocument.Enumeration(
          members: element.elements("Member").compactMap { $0["Name"] },
          isFlags: element["IsFlags"] == "true")
      case "TypeDefinition":
        document.definitions[qualified] = element["UnderlyingType"] ?? "Edm.String"
      case "EntityContainer": read(container: element)
      case "Action", "Function", "Term", "Annotations": break
      default: document.notes.append("\(element.name) \(name) is not used")
      }
    }
  }

  private func structured(_ element: MarkupElement, _ name: String) -> CSDLDocument.StructuredType {
    var type = CSDLDocument.StructuredType(name: name, isEntity: element.name == "EntityType")
    type.base = element["BaseType"].map(resolved)
    type.isAbstract = element["Abstract"] == "true"
    type.key = element.elements("Key").flatMap { $0.elements("PropertyRef") }
      .compactMap { $0["Name"] }
    type.properties = element.elements("Property").compactMap(property)
    type.navigations = element.elements("NavigationProperty").compactMap(navigation)
    return type
  }

  private func property(_ element: MarkupElement) -> CSDLDocument.Property? {
    guard let name = element["Name"] else { return nil }
    let (type, isCollection) = self.type(of: element)
    let terms = element.elements("Annotation")
    return CSDLDocument.Property(
      name: name, type: type, isCollection: isCollection,
      isNullable: element["Nullable"] != "false",
      maxLength: element["MaxLength"].flatMap { Int($0) },
      precision: element["Precision"].flatMap { Int($0) }, defaultValue: element["DefaultValue"],
      isComputed: terms.contains { $0.isTrue(of: "Computed") })
  }

  private func navigation(_ element: MarkupElement) -> CSDLDocument.Navigation? {
    guard let name = element["Name"] else { return nil }
    let (type, isCollection) = self.type(of: element)
    return CSDLDocument.Navigation(
      name: name, type: type, isCollection: isCollection,
      isNullable: element["Nullable"] != "false", partner: element["Partner"],
      constraints: element.elements("ReferentialConstraint").compactMap { constraint in
        guard let property = constraint["Property"],
          let referenced = constraint["ReferencedProperty"]
        else { return nil }
        return (property, referenced)
      }, onDelete: element.elements("OnDelete").first?["Action"])
  }

  /// The type of a property without `Collection(…)`, and whether it had that.
  private func type(of element: MarkupElement) -> (name: String, isCollection: Bool) {
    let type = element["Type"] ?? "Edm.String"
    guard type.hasPrefix("Collection("), type.hasSuffix(")") else { return (resolved(type), false) }
    return (resolved(String(type.dropFirst(11).dropLast())), true)
  }

  /// A qualified name with its namespace in place of an alias.
  private func resolved(_ name: String) -> String {
    guard let dot = name.lastIndex(of: "."), let namespace = aliases[String(name[..<dot])] else {
      return name
    }
    return namespace + name[dot...]
  }

  private mutating func read(container: MarkupElement) {
    let own = container.elements("Annotation") + annotations["", default: []]
    document.hasBatch = !own.contains {
      $0["Term"]?.hasSuffix(".BatchSupported") == true && !$0.isTrue(of: "BatchSupported")
    }
    for element in container.children {
      guard let name = element["Name"] else { continue }
      if element.name == "EntitySet", let type = element["EntityType"] {
        var set = CSDLDocument.EntitySet(name: name, type: resolved(type))
        for annotation in element.elements("Annotation") + annotations[name, default: []] {
          set.capabilities.add(annotation)
        }
        document.sets.append(set)
      } else if element.name == "Singleton" {
        document.notes.append("\(name) is one object and no set")
      }
    }
  }
}

extension ODataCapabilities {
  /// Adds what an annotation says.
  fileprivate mutating func add(_ annotation: MarkupElement) {
    guard let term = annotation["Term"] else { return }
    let record = annotation.elements("Record").first
    func flag(_ property: String) -> Bool {
      record?.value(of: property)?["Bool"] != "false"
    }
    func paths(_ property: String) -> Set<String> {
      let list = record?.value(of: property)?.elements("Collection").first?.children ?? []
      return Set(list.map { $0.content.trimmingCharacters(in: .whitespacesAndNewlines) })
    }
    switch term.localName(after: ".") {
    case "FilterRestrictions":
      isFilterable = flag("Filterable")
      nonFilterable.formUnion(paths("NonFilterableProperties"))
    case "SortRestrictions":
      isSortable = flag("Sortable")
      nonSortable.formUnion(paths("NonSortableProperties"))
    case "CountRestrictions": hasCount = flag("Countable")
    case "ExpandRestrictions": isExpandable = flag("Expandable")
    case "ChangeTracking": tracksChanges = flag("Supported")
    case "OptimisticConcurrency": hasVersions = true
    case "InsertRestrictions": isInsertable = flag("Insertable")
    case "UpdateRestrictions": isUpdatable = flag("Updatable")
    case "DeleteRestrictions": isDeletable = flag("Deletable")
    default: break
    }
  }
}

extension MarkupElement {
  /// Whether it is an annotation of a term that has the value true, which is the default of tags.
  fileprivate func isTrue(of term: String) -> Bool {
    self["Term"]?.localName(after: ".") == term && self["Bool"] != "false"
      && elements("Bool").first?.content != "false"
  }

  /// The value of a property of a record.
  fileprivate func value(of property: String) -> MarkupElement? {
    elements("PropertyValue").first { $0["Property"] == property }
  }
}

extension String {
  /// The name after the last separator.
  fileprivate func localName(after separator: Character) -> String {
    lastIndex(of: separator).map { String(self[index(after: $0)...]) } ?? self
  }

  /// The name of an element without its prefix.
  fileprivate var localName: String { localName(after: ":") }
}
