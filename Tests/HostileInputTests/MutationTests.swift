import Foundation
import TestSupport
import Testing

@Suite("Damaged files", .serialized)
struct MutationTests {
    /// Runs in a child process, because a finding may end the process.
    private func mutate(_ arguments: [String], seconds: Double) async throws -> (code: Int32, output: String) {
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-mutate-\(UUID().uuidString.prefix(8))"
        ).path
        defer { try? FileManager.default.removeItem(atPath: output) }
        let child = try ChildProcess(Programs.path("Mutate"), arguments, output: output)
        let code = await Task.detached { child.wait(seconds: seconds) }.value
        return (code, (try? String(contentsOfFile: output, encoding: .utf8)) ?? "")
    }

    // Each file may use at most 512 MB and 10 s.
    @Test("two thousand damaged files cause no crash, hang or silent error")
    func mutations() async throws {
        let media = Repository.root.appendingPathComponent("Tests/Media/mutation").path
        let (code, output) = try await mutate(["--media", media, "--count", "2000"], seconds: 2400)
        #expect(code == 0, "\(output)")
        #expect(output.contains("2000 mutations of 12 films"))
    }

    @Test("files that once crashed the process or exhausted its memory are safe")
    func hostile() async throws {
        let media = Repository.root.appendingPathComponent("Tests/Media/hostile").path
        let (code, output) = try await mutate(["--media", media, "--plain", "yes"], seconds: 300)
        #expect(code == 0, "\(output)")
        #expect(output.contains(" films as they are: 0 findings"))
    }
}
