import Foundation
import StreamSimulation
import Streaming
import TestSupport
import Testing

@Suite("Network traces")
struct SimulTraceTests {
    private func parse(_ text: String) throws -> NetworkTrace {
        try NetworkTrace(parsing: text, file: "bus.log", name: "bus")
    }

    private func reason(_ text: String) -> String {
        do {
            _ = try parse(text)
            return "none"
        } catch { return "\(error)" }
    }

    @Test("one number per line is Mbit/s for one second")
    func oneColumn() throws {
        let trace = try parse("# a comment\n2\n\n 0.5 \r\n0\n")
        #expect(trace.duration == 3)
        #expect(trace.bits(until: 1) == 2e6)
        #expect(trace.bits(until: 3) == 2.5e6)
    }

    @Test("two columns are times and Mbit/s, with any separator")
    func twoColumns() throws {
        let trace = try parse("10 4\n10.5\t2\n12.5,1\n")
        #expect(trace.duration == 4.5)
        #expect(trace.bits(until: 0.5) == 2e6)
        #expect(trace.bits(until: 4.5) == 8e6)
    }

    @Test("a trace repeats, and skips steps without bandwidth")
    func loops() throws {
        let trace = try parse("8\n0\n")
        #expect(trace.bits(until: 21) == 88e6)
        #expect(trace.end(of: 8e6, from: 0) == 1)
        #expect(trace.end(of: 12e6, from: 0) == 2.5)
        #expect(trace.end(of: 1e6, from: 1.5) == 2.125)
        #expect(trace.end(of: 0, from: 7) == 7)
        // A change of the bit rate during a segment counts.
        #expect(try parse("1\n3\n").end(of: 2.5e6, from: 0) == 1.5)
    }

    @Test("a transfer's end time matches the transferred bits", arguments: CommittedTraces.names)
    func inverse(name: String) throws {
        let trace = try CommittedTraces.read(name)
        for start in stride(from: 0.0, to: 1500, by: 17.3) {
            for bits in [1e3, 1.2e6, 17.2e6, 4e9] {
                let end = trace.end(of: bits, from: start)
                #expect(end >= start)
                #expect(abs(trace.bits(until: end) - trace.bits(until: start) - bits) < 1e-6 * bits + 1)
            }
        }
    }

    @Test("errors name the file, the line and the reason")
    func errors() {
        #expect(reason("1\n2\nx7\n") == "bus.log:3: “x7” is not a number")
        #expect(reason("1 2\n3\n").hasPrefix("bus.log:2: the line has 1 column,"))
        #expect(reason("1 2 3\n").hasPrefix("bus.log:1: the line has 3 columns;"))
        #expect(reason("1\n-2\n").contains("bus.log:2: -2.0 Mbit/s is negative"))
        #expect(reason("0 1\n2 1\n2 1\n").contains("bus.log:3: the time 2.0 s is not later than 2.0 s"))
        #expect(reason("# nothing\n") == "bus.log: the file contains no numbers")
        #expect(reason("0\n0\n").contains("the bandwidth is always 0"))
        #expect(reason("nan\n").contains("not a number"))
        #expect(reason("1e9\n").contains("values are in Mbit/s"))
        #expect(reason("0 1\n1e11 1\n").contains("more than a week"))
    }

    @Test("the script recreates the committed traces exactly")
    func script() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-traces-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: folder) }
        let run = Process()
        run.executableURL = Repository.root.appendingPathComponent("Benchmarks/make-traces")
        run.arguments = [folder.path]
        try run.run()
        run.waitUntilExit()
        #expect(run.terminationStatus == 0)
        for name in CommittedTraces.names {
            let made = try Data(contentsOf: folder.appendingPathComponent(name + ".txt"))
            #expect(
                made == (try Data(contentsOf: CommittedTraces.folder.appendingPathComponent(name + ".txt"))), "\(name)")
        }
    }
}
