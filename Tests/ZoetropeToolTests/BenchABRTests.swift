import Foundation
import TestSupport
import Testing

@Suite("bench abr")
struct BenchABRTests {
    private func write(_ text: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-trace-\(UUID().uuidString.prefix(8)).txt")
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    @Test("--json prints every rule beside the optimum for each trace")
    func json() async throws {
        let one = try write((0..<120).map { $0 % 20 < 10 ? "6" : "4.5" }.joined(separator: "\n"))
        let two = try write("0 8.5\n30 9\n")
        defer { for file in [one, two] { try? FileManager.default.removeItem(atPath: file) } }
        let run = try await ToolProcess.run(["bench", "abr", "--trace", one, "--trace", two, "--json"], seconds: 300)
        #expect(run.code == 0, "\(run.error)")
        let tables = try ToolProcess.report(run.output)["tables"] as? [[String: Any]] ?? []
        #expect(tables.count == 2)
        for table in tables {
            let rows = table["rows"] as? [[String: Any]] ?? []
            #expect(
                rows.compactMap { $0["rule"] as? String } == [
                    "adaptive", "throughput", "buffer", "fixed 0", "fixed 1", "fixed 2", "fixed 3", "fixed 4",
                    "fixed 5", "optimum",
                ])
            let optimum = rows.last?["qoe"] as? Double ?? 0
            for row in rows { #expect((row["qoe"] as? Double ?? .infinity) <= optimum + 0.002) }
            #expect((rows.first?["ofOptimum"] as? Double ?? 0) > 0.9)
            #expect(rows.first?["stalls"] as? Int == 0)
        }
    }

    @Test("the table has a row for each rule")
    func table() async throws {
        let file = try write("9\n")
        defer { try? FileManager.default.removeItem(atPath: file) }
        let run = try await ToolProcess.run(["bench", "abr", "--trace", file, "--buffer", "20", "--log"], seconds: 300)
        #expect(run.code == 0, "\(run.error)")
        for word in [
            "adaptive", "throughput", "buffer", "fixed 5 (best)", "fixed 3", "optimum", "of optimum", "1 of 1. Lowest",
        ] {
            #expect(run.output.contains(word), "\(word)")
        }
    }

    @Test("an invalid trace exits with 1 and names file and line")
    func errors() async throws {
        let broken = try write("1\n2\nthree\n")
        defer { try? FileManager.default.removeItem(atPath: broken) }
        let run = try await ToolProcess.run(["bench", "abr", "--trace", broken])
        #expect(run.code == 1)
        #expect(run.error.contains("\(broken):3: “three” is not a number"))
        for none in ["/nonexistent/trace.txt", "/usr", "/dev/zero"] {
            let other = try await ToolProcess.run(["bench", "abr", "--trace", none])
            #expect(other.code == 1)
            #expect(other.error.contains(none))
        }
        #expect(try await ToolProcess.run(["bench", "abr", "--buffer", "-1"]).code == 64)
    }
}
