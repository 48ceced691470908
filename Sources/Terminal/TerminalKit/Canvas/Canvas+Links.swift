import Foundation

/// Text on the screen that leads to an address, which the terminal opens itself.
package struct ScreenLink: Hashable, Sendable {
  /// The cells of the text, on one line of the whole canvas.
  package let rect: Rect
  /// The address, of printable ASCII characters.
  package let address: String

  /// The schemes of addresses that a terminal may open.
  private static let schemes = ["http://", "https://", "ftp://", "mailto:"]

  /// Returns a text if it is an address as a whole; nil for anything else.
  ///
  /// Data decides neither which programs a terminal starts nor what is sent to it: only addresses of
  /// the web and of mail count, without blanks and control characters.
  package static func address(_ text: String) -> String? {
    let isPrintable = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard isPrintable, text.utf8.count <= 2000 else { return nil }
    return schemes.contains { text.lowercased().hasPrefix($0) && text.count > $0.count }
      ? text : nil
  }
}

extension Canvas {
  /// Makes the text on an area of one line a link, on terminals that have links.
  ///
  /// - Parameters:
  ///   - rect: The area, relative to the viewport and clipped by it.
  ///   - address: The address; ignored unless ``ScreenLink/address(_:)`` takes it.
  package mutating func link(_ rect: Rect, to address: String) {
    guard let address = ScreenLink.address(address) else { return }
    let area = Rect(
      x: viewport.minX + rect.minX, y: viewport.minY + rect.minY, width: rect.size.width,
      height: min(rect.size.height, 1)
    ).intersection(viewport)
    guard area.size.width > 0, area.size.height > 0 else { return }
    links.append(ScreenLink(rect: area, address: address))
  }
}
