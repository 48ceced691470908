import Foundation

/// The spellings of names and addresses.
enum RESTNames {
  /// `created_at` for `createdAt`, `url_of_page` for `URLOfPage`.
  static func snakeCase(_ name: String) -> String {
    let letters = Array(name)
    var words = ""
    for (index, letter) in letters.enumerated() {
      let next = index + 1 < letters.count ? letters[index + 1] : nil
      if letter.isUppercase, index > 0, letters[index - 1] != "_",
        !letters[index - 1].isUppercase || next?.isLowercase == true
      {
        words.append("_")
      }
      words += letter.lowercased()
    }
    return words
  }

  /// A key as one component of a path.
  static func pathComponent(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  /// The letters that need no escape anywhere in an address.
  static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  /// The address of `rel="next"` in a header `Link` (RFC 8288); nil if it has none.
  static func nextLink(_ header: String) -> String? {
    for link in header.split(separator: ",") {
      let parts = link.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let target = parts.first, target.hasPrefix("<"), target.hasSuffix(">"),
        parts.dropFirst().contains(where: { $0 == "rel=\"next\"" || $0 == "rel=next" })
      else { continue }
      return String(target.dropFirst().dropLast())
    }
    return nil
  }
}

extension URL {
  /// An address below this one.
  ///
  /// - Parameters:
  ///   - path: The path, with its escapes.
  ///   - query: Names and values, without escapes; they follow a query that this address has.
  /// - Returns: The address.
  func appending(escaped path: String, query: [(String, String)]) -> URL {
    var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) ?? URLComponents()
    var base = parts.percentEncodedPath
    while base.hasSuffix("/") { base.removeLast() }
    parts.percentEncodedPath = path.isEmpty ? base : "\(base)/\(path)"
    let own = parts.percentEncodedQuery.map { [$0] } ?? []
    let added = query.map {
      "\(RESTNames.pathComponent($0.0))=\(RESTNames.pathComponent($0.1))"
    }
    parts.percentEncodedQuery = own + added == [] ? nil : (own + added).joined(separator: "&")
    return parts.url ?? self
  }
}
