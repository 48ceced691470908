#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder

  /// An attribute that says something about a property: `@Unique`.
  enum Marker: String, CaseIterable {
    case attribute = "Attribute"
    case unique = "Unique"
    case indexed = "Indexed"
    case derived = "Derived"
    case toOne = "ToOne"
    case toMany = "ToMany"
    case transient = "Transient"

    var isRelationship: Bool { self == .toOne || self == .toMany }
  }

  extension AttributeSyntax {
    /// Its name without a module.
    var shortName: String {
      String(attributeName.trimmedDescription.split(separator: ".").last ?? "")
    }

    var marker: Marker? { Marker(rawValue: shortName) }

    /// The arguments as written.
    var labeledArguments: LabeledExprListSyntax {
      if case .argumentList(let list) = arguments { list } else { [] }
    }

    /// The argument with a label; nil for the one without.
    func argument(_ label: String?) -> ExprSyntax? {
      labeledArguments.first { $0.label?.text == label }?.expression
    }
  }

  extension AttributeListSyntax {
    var all: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) } }
  }

  extension DeclModifierListSyntax {
    func has(_ keyword: Keyword) -> Bool {
      contains { $0.name.tokenKind == .keyword(keyword) }
    }

    /// The access level for a member that is as visible, with a space; empty for the default one.
    var access: String {
      for modifier in self where modifier.detail == nil {
        switch modifier.name.tokenKind {
        case .keyword(.public), .keyword(.open): return "public "
        case .keyword(.package): return "package "
        case .keyword(.fileprivate): return "fileprivate "
        case .keyword(.private): return "private "
        default: continue
        }
      }
      return ""
    }
  }
#endif
