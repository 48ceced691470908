import CardfileApp
import ObjectModel

/// Parses `--sort`: key paths separated by commas, each optionally followed by `asc` or `desc`.
enum SortText {
  static func descriptors(_ text: String, for entity: EntityDescription, in names: NameResolver)
    throws(Failure) -> [FetchSortDescriptor]
  {
    let descriptors: [FetchSortDescriptor]
    do {
      descriptors = try TypedOrder.descriptors(text, for: entity, in: names.model)
    } catch {
      throw names.failure(error, in: entity, option: "--sort")
    }
    guard !descriptors.isEmpty else {
      throw Failure(.usage, "--sort is empty", try: "--sort \"name desc\"")
    }
    return descriptors
  }
}
