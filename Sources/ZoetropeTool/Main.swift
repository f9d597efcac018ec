import ArgumentParser

@main
struct Tool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zoetrope",
        abstract: "Play, probe, snapshot, filter and render media.",
        discussion: """
        EXAMPLES
          zoetrope play film.mp4
          zoetrope probe film.mp4 --json
          zoetrope snapshot film.mp4 --at 1:30 -o poster.png
          zoetrope render film.mkv -o scene.mp4 --from 1:30 --to 2:00

        EXIT CODES
          0 done · 1 the file could not be read or played (the reason is on standard error) · 64 wrong usage · 130 interrupted
        """,
        version: "0.1.0",
        subcommands: [Play.self, Probe.self, Snapshot.self, Render.self, Filters.self, Bench.self])
}
