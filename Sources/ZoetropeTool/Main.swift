import ArgumentParser
import Zoetrope

@main struct Tool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zoetrope", abstract: "Play, probe and snapshot media.",
        subcommands: [Probe.self, Snapshot.self])
}
