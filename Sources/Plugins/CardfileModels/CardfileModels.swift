import Foundation
import PackagePlugin

/// Generates the classes of the models in a target's folder when the target is built, as
/// `cardfile generate` does: those of `People.xcdatamodeld` are in `People+Classes.swift`.
@main
struct CardfileModels: BuildToolPlugin {
  private static let extensions = ["xcdatamodeld", "xcdatamodel", "momd", "mom"]

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let tool = try context.tool(named: "cardfile-generate")
    return models(in: target.directoryURL).map { model in
      let name = model.deletingPathExtension().lastPathComponent
      let output = context.pluginWorkDirectoryURL.appending(path: "\(name)+Classes.swift")
      return .buildCommand(
        displayName: "Generating the classes of \(model.lastPathComponent)", executable: tool.url,
        arguments: [model.path, output.path], inputFiles: files(of: model), outputFiles: [output])
    }
  }

  /// The models in a folder, at any depth.
  private func models(in folder: URL) -> [URL] {
    contents(of: folder).flatMap { url in
      if Self.extensions.contains(url.pathExtension) { return [url] }
      return url.hasDirectoryPath ? models(in: url) : []
    }
  }

  /// The files that a model consists of.
  private func files(of model: URL) -> [URL] {
    model.hasDirectoryPath ? contents(of: model).flatMap(files) : [model]
  }

  private func contents(of folder: URL) -> [URL] {
    // A folder that cannot be read has no models; the compiler complains about it.
    let urls = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)
    return (urls ?? []).sorted { $0.path < $1.path }
  }
}
