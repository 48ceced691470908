import Foundation
import ModelFiles
import ObjectModel

// What the plug-in CardfileModels runs: `cardfile-generate MODEL OUTPUT`. It is a program of its
// own, so that a client of the plug-in does not build the browser for it.

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  FileHandle.standardError.write(Data("usage: cardfile-generate MODEL OUTPUT\n".utf8))
  exit(2)
}
do {
  let model = try ModelFile.read(path: arguments[1]).model
  let output = URL(filePath: arguments[2])
  let file = try SubclassGenerator(model: model).file(named: output.lastPathComponent)
  try Draft.replace(
    output.lastPathComponent, in: OpenFolder(path: output.path.parentPath),
    with: Array(file.contents.utf8), mode: 0o666)
} catch {
  // The form in which SwiftPM shows errors of tools.
  FileHandle.standardError.write(Data("\(arguments[1]): error: \(error)\n".utf8))
  exit(1)
}
