import ArgumentParser
import Foundation
import MediaCore
import Streaming

/// `zoetrope bench abr`
struct BenchABR: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "abr",
        abstract: "Simulate adaptive bit rate selection over recorded network traces.",
        usage: "zoetrope bench abr [options]",
        discussion: """
            EXAMPLES
              # Simulate all traces of Benchmarks/traces
              zoetrope bench abr
              # Simulate two traces and print JSON
              zoetrope bench abr --trace bus.log --trace tram.log --json

            DESCRIPTION
              Compares the player's adaptive bit rate selection with simple rules and with the best possible choice,
              which knows the whole trace in advance.

              A trace is a text file. Each line has one number (Mbit/s, one line per second) or two (seconds, and the
              Mbit/s from then on).

              The score is the quality of experience (QoE) of Yin et al. (SIGCOMM 2015) with the constants of
              Pensieve. Per segment: quality − |quality change| − best quality × (stalled seconds + start-up seconds).

            EXIT CODES
              0    Every trace was simulated.
              1    A trace could not be read. The reason is on standard error.
              64   Invalid arguments.
            """)

    @OptionGroup(title: "Simulation") var simulation: SimulationOptions
    @OptionGroup(title: "Output") var output: JSONOptions

    private var json: Bool { output.json }

    func report(of failure: ToolFailure) -> String? { json ? Self.failureLine(failure) : nil }

    func perform() throws {
        let report = try compare()
        if json {
            try Console.out(ReportJSON.line(report))
        } else {
            try report.printTables()
        }
    }

    private func compare() throws -> ABRReport {
        let stream = SimulatedStream(variation: simulation.variation)
        let quality = QualityOfExperience(simulation.log ? .log : .linear, rungs: stream.rungs)
        let (files, folder) = try tracesToRun()
        if let folder, !json { try Console.out("Traces in \(folder)") }
        var tables: [SimulationComparison] = []
        for file in files {
            var simulator = StreamSimulator(stream: stream, trace: try ABRTraces.read(file))
            simulator.bufferTarget = simulation.buffer
            tables.append(SimulationComparison(simulator, quality, clock: { HostClock.now() }))
        }
        return ABRReport(tables, stream: stream, quality: quality, bufferTarget: simulation.buffer)
    }

    private func tracesToRun() throws(NetworkTraceError) -> (files: [URL], folder: String?) {
        guard simulation.trace.isEmpty else { return (simulation.trace.map(\.path), nil) }
        let folder = try ABRTraces.folder()
        return (try ABRTraces.files(in: folder), folder)
    }
}

/// What `zoetrope bench abr` simulates.
struct SimulationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Simulate this trace. Repeat for more. Default: all of Benchmarks/traces.", valueName: "file"))
    var trace: [FileArgument] = []
    @Option(help: ArgumentHelp("Buffer up to this many seconds of media, 4 to 3600.", valueName: "seconds"))
    var buffer = 60.0
    @Option(help: ArgumentHelp("Vary the segment sizes by this fraction of the mean, 0 to 0.9.", valueName: "fraction"))
    var variation = 0.0
    @Flag(help: "Score the logarithm of the bit rate (QoE_log) instead of Mbit/s (QoE_lin).")
    var log = false

    func validate() throws {
        guard (4...3600).contains(buffer) else {
            throw ValidationError(invalid: "--buffer", "\(buffer)", use: "a number of seconds from 4 to 3600")
        }
        guard (0...0.9).contains(variation) else {
            throw ValidationError(invalid: "--variation", "\(variation)", use: "a number from 0 to 0.9")
        }
    }
}

/// Where the network traces are, and how one is read.
enum ABRTraces {
    /// In bytes. A trace of a week has 8 MB; a larger file is not a trace.
    private static let longest = 64 << 20

    /// The checkout's `Benchmarks/traces`: above the working directory, or above the tool.
    static func folder() throws(NetworkTraceError) -> String {
        let tool = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        for start in [URL(fileURLWithPath: FileManager.default.currentDirectoryPath), tool] {
            var place = start.standardizedFileURL
            while true {
                let candidate = place.appendingPathComponent("Benchmarks/traces")
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), isFolder.boolValue {
                    return candidate.path
                }
                guard place.path != "/" else { break }
                place.deleteLastPathComponent()
            }
        }
        throw NetworkTraceError(
            file: "Benchmarks/traces", line: nil,
            reason: "the folder was not found above the working directory or above the tool. Name a trace with --trace")
    }

    static func files(in folder: String) throws(NetworkTraceError) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let files = names.filter { $0.hasSuffix(".txt") }.sorted().map { URL(fileURLWithPath: folder + "/" + $0) }
        guard !files.isEmpty else {
            throw NetworkTraceError(
                file: folder, line: nil, reason: "the folder has no .txt files. Make them with Benchmarks/make-traces")
        }
        return files
    }

    static func read(_ file: URL) throws -> NetworkTrace {
        guard let path = FilePath(file) else {
            throw AVError(.fileNotFound, at: file.absoluteString, reason: "the file name is not valid")
        }
        let bytes = try path.contents(limit: longest, kind: "a trace")
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw AVError(
                .fileFormatNotRecognized, at: file.location, reason: "the file is not UTF-8 text",
                suggestion: "Name a network trace")
        }
        return try NetworkTrace(
            parsing: text, file: file.location, name: file.deletingPathExtension().lastPathComponent)
    }
}
