import ArgumentParser

/// The command line of the program.
///
/// If the first argument is not the name of a command, it is the path of a store to browse.
///
/// Each command gives its name: the parser would derive it from the type's at every start, which
/// takes as long as the rest of parsing.
@main
struct Cardfile: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cardfile",
    abstract: "Browse, query and delete the objects in a SQLite database.",
    usage: """
      cardfile [STORE [ENTITY]] [options]
      cardfile COMMAND …
      """,
    discussion: """
      Opens a Core Data store or any other SQLite database and shows the objects of an entity \
      (the rows of a table) as a sorted list in sections. You can search, open objects, follow \
      relationships, delete, undo and save. Nothing is written before you save. Press ? in the \
      program for its keys.

      EXAMPLES
        cardfile                               choose a store to browse
        cardfile demo                          browse a demo store
        cardfile chinook.sqlite                choose an entity, then browse it
        cardfile chinook.sqlite Artist         browse the artists
        cardfile chinook.sqlite Track --section album.Title --sort Name
        cardfile chinook.sqlite Invoice --where "Total > 10" --read-only

      'cardfile help browse' lists all options for browsing, 'cardfile help COMMAND' those of \
      another command. To open a store whose file has the name of a command, write ./NAME.

      EXIT STATUS
        0  success
        1  the operation was refused or failed, or an object was not found
        2  invalid arguments, or a name that the store does not have
        3  the store cannot be read
        128 and the number of the signal: interrupted (130 by C-c, 143 by SIGTERM); \
      nothing was written then
      """,
    version: "0.1.0",
    subcommands: [
      Browse.self, Demo.self, Entities.self, Describe.self, Count.self, Fetch.self, Summary.self,
      Delete.self, Import.self, Export.self, Diff.self, History.self, Check.self, Create.self,
      Migrate.self, Generate.self, Notify.self, Config.self, Manual.self,
    ],
    defaultSubcommand: Browse.self)
}
