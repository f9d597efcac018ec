import Foundation
import TestSupport
import Testing

/// Tests of the gallery's command line.
@Suite("The gallery's command line", .serialized)
struct GalleryLaunchTests {
    /// Runs the gallery without a display, which none of these answers needs.
    private func run(_ arguments: [String]) async throws -> (code: Int32, output: String, error: String) {
        let base = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-gallery-\(UUID().uuidString.prefix(8))"
        ).path
        defer { for end in [".out", ".err"] { try? FileManager.default.removeItem(atPath: base + end) } }
        var environment = ProcessInfo.processInfo.environment
        environment["DISPLAY"] = nil
        environment["WAYLAND_DISPLAY"] = nil
        let child = try ChildProcess(
            Programs.path("Gallery"), arguments, environment: environment, output: base + ".out", error: base + ".err")
        let code = await Task.detached { child.wait() }.value
        func text(_ end: String) -> String { (try? String(contentsOfFile: base + end, encoding: .utf8)) ?? "" }
        return (code, text(".out"), text(".err"))
    }

    @Test("--help prints the usage and exits", arguments: ["--help", "-h"])
    func help(argument: String) async throws {
        let run = try await run([argument])
        #expect(run.code == 0 && run.output.hasPrefix("Usage: ") && run.error.isEmpty, "\(run)")
        for name in ["--page", "--dark", "--still", "pip", "examples"] { #expect(run.output.contains(name), "\(name)") }
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("an unknown page causes an error that lists the pages", arguments: ["nowhere", "", "-"])
    func unknownPage(name: String) async throws {
        let run = try await run(["--page", name])
        #expect(run.code == 64 && run.error.contains("“\(name)”"), "\(run)")
        for page in ["start", "pip", "vectors", "grid"] { #expect(run.error.contains(page), "\(page)") }
    }

    @Test(
        "an invalid command line is an error",
        arguments: [["--pages", "start"], ["--page"], ["--still", "soon"], ["--still", "-1"], ["start"]])
    func nonsense(arguments: [String]) async throws {
        let run = try await run(arguments)
        #expect(run.code == 64 && run.error.contains("Gallery --help"), "\(run)")
    }

    @Test(
        "a page opens by its name, title or file in any spelling",
        arguments: [
            ("pip", "Picture in Picture"), ("pictureInPicture", "Picture in Picture"),
            ("picture-in-picture", "Picture in Picture"), ("16 loops", "16 Loops"), ("GRID", "16 Loops"),
            ("a-b-loop-poster", "A–B Loop, Poster"),
        ])
    func page(name: String, title: String) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Gallery", ["--still", "1", "--page", name], display: display)
        let window = try await until { try display.window("Zoetrope Gallery: \(title)$") }
        #expect(window != nil, "\(app.errors)")
    }
}
