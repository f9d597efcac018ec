import ArgumentParser
import Foundation
import MediaCore
import Streaming

/// `zoetrope bench abr`
struct BenchABR: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "abr",
        abstract:
            "Simulate the adaptive choice of rungs over recorded networks, beside simple rules and the offline optimum.",
        discussion: """
            A trace is a text file: one number a line (Mbit/s, a line a second), or two columns (seconds, Mbit/s from then on).
            Without --trace all of Benchmarks/traces is run. QoE is Yin et al.'s (SIGCOMM 2015) with Pensieve's constants, per
            segment: quality − |steps| − top quality × (seconds stalled + seconds until the start).

            EXAMPLE
              zoetrope bench abr --trace bus.log --trace tram.log --json
            """)

    @Option(help: ArgumentHelp("A trace; may be given several times.", valueName: "file")) var trace: [FileArgument] =
        []
    @Option(help: ArgumentHelp("Media to keep buffered.", valueName: "seconds")) var buffer = 60.0
    @Option(help: ArgumentHelp("Segments' sizes differ by this share of the mean, 0 to 0.9.", valueName: "share"))
    var variation = 0.0
    @Flag(help: "Quality is the logarithm of the bit rate (QoE_log), not the bit rate in Mbit/s (QoE_lin).") var log =
        false
    @Flag(help: "Print one JSON object on the last line.") var json = false

    func validate() throws {
        guard (4...3600).contains(buffer) else {
            throw ValidationError("--buffer \(buffer) is out of range; write 4 to 3600 seconds.")
        }
        guard (0...0.9).contains(variation) else {
            throw ValidationError("--variation \(variation) is out of range; write 0 to 0.9.")
        }
    }

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
        let stream = SimulatedStream(variation: variation)
        let quality = QualityOfExperience(log ? .log : .linear, rungs: stream.rungs)
        let (files, folder) = try tracesToRun()
        if let folder, !json { try Console.out("Traces of \(folder)") }
        var tables: [SimulationComparison] = []
        for file in files {
            var simulator = StreamSimulator(stream: stream, trace: try ABRTraces.read(file))
            simulator.bufferTarget = buffer
            tables.append(SimulationComparison(simulator, quality, clock: { HostClock.now() }))
        }
        return ABRReport(tables, stream: stream, quality: quality, bufferTarget: buffer)
    }

    private func tracesToRun() throws(NetworkTraceError) -> (files: [URL], folder: String?) {
        guard trace.isEmpty else { return (trace.map(\.path), nil) }
        let folder = try ABRTraces.folder()
        return (try ABRTraces.files(in: folder), folder)
    }
}

/// Where traces lie, and how one is read.
enum ABRTraces {
    /// A trace of a week is 8 MB; more is no trace.
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
            reason: "is neither above the working directory nor above the tool; name a trace with --trace FILE")
    }

    static func files(in folder: String) throws(NetworkTraceError) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let files = names.filter { $0.hasSuffix(".txt") }.sorted().map { URL(fileURLWithPath: folder + "/" + $0) }
        guard !files.isEmpty else {
            throw NetworkTraceError(
                file: folder, line: nil, reason: "holds no .txt; make them with scripts/make-abr-traces")
        }
        return files
    }

    static func read(_ file: URL) throws -> NetworkTrace {
        guard let path = FilePath(file) else {
            throw AVError(.fileNotFound, at: file.absoluteString, reason: "is no name that a file can have")
        }
        let bytes = try path.contents(limit: longest, kind: "a trace")
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw AVError(
                .fileFormatNotRecognized, at: file.location, reason: "is not text (UTF-8)", suggestion: "Name a trace")
        }
        return try NetworkTrace(
            parsing: text, file: file.location, name: file.deletingPathExtension().lastPathComponent)
    }
}
