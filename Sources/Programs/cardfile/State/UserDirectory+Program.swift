import Foundation
import ObjectModel

extension UserDirectory {
  /// The folder of this program in the directory.
  var folder: URL { url.appending(path: "cardfile", directoryHint: .isDirectory) }
}
