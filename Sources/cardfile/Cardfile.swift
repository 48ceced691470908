import ArgumentParser

/// The program.
///
/// Without a command word its first argument is a store to browse.
@main
struct Cardfile: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cardfile",
    abstract: "A card file for the objects in a SQLite database.",
    usage: """
      cardfile STORE [ENTITY] [options]
      cardfile COMMAND …
      """,
    discussion: """
      Opens any SQLite database and shows the objects of an entity (the rows of a table) as a \
      sorted list in sections, to look at, search, follow from one to another, delete, undo and \
      save. Nothing is written before you save. Press ? in the program for its keys.

      EXAMPLES
        cardfile demo                          a store to try it on
        cardfile chinook.sqlite                choose an entity, then browse it
        cardfile chinook.sqlite Artist         browse the artists
        cardfile chinook.sqlite Track --section album.Title --sort Name
        cardfile chinook.sqlite Invoice --where "Total > 10" --read-only

      'cardfile help browse' tells all options of browsing, 'cardfile help COMMAND' those of a \
      command for scripts. A store that is named like a command is opened as ./NAME.

      EXIT STATUS
        0  done
        1  refused, or not found
        2  the arguments make no sense, or name what the store does not have
        3  the store cannot be read
      """,
    version: "0.1.0",
    subcommands: [
      Browse.self, Demo.self, Entities.self, Describe.self, Count.self, Fetch.self, Delete.self,
      History.self, Check.self, Create.self, Generate.self,
      Manual.self,
    ],
    defaultSubcommand: Browse.self)
}
