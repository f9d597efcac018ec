import Foundation
import TestSupport
import Testing

@Suite("The tool's filter and subtitle options", .serialized)
struct FilterToolTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "zt-filters-\(UUID().uuidString.prefix(8))")

    private func path(_ name: String) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.appendingPathComponent(name).path
    }

    /// Returns red, green and blue at a position, 0…1, in the first frame of a file of 320 × 180 pixels.
    private func color(_ path: String, _ x: Double, _ y: Double) async throws -> [Int] {
        let raw = folder.appendingPathComponent("\(UUID().uuidString).rgb")
        let arguments = ["-v", "error", "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", raw.path]
        _ = try await offPool { try ChildProcess("ffmpeg", arguments).wait() }
        let bytes = try Data(contentsOf: raw)
        try #require(bytes.count == 320 * 180 * 3)
        let index = (Int(y * 180) * 320 + Int(x * 320)) * 3
        return (0..<3).map { Int(bytes[index + $0]) }
    }

    private func isNear(_ a: [Int], _ b: [Int]) -> Bool { zip(a, b).allSatisfy { abs($0 - $1) <= 8 } }

    @Test("snapshot and render apply filters, shaders and subtitles alike")
    func written() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = try TestMedia.url("quad-709.mp4").path
        let shader = try path("swap.glsl")
        let words = try path("words.srt")
        try "uniform float unused;\nvec4 shade(vec2 uv) { return vec4(video(uv).bgr, 1.0); }".write(
            toFile: shader, atomically: true, encoding: .utf8)
        try "1\n00:00:00,000 --> 00:10:00,000\n█████████████████\n".write(
            toFile: words, atomically: true, encoding: .utf8)
        let options = ["--filter", "ColorInvert", "--shader", shader, "--subtitles", words]
        let still = try path("still.png")
        let film = try path("film.mp4")
        let shot = try await ToolProcess.run(["snapshot", source, "--at", "0", "-o", still] + options)
        #expect(shot.code == 0, "\(shot.error)")
        // Red is inverted to cyan, and swapping the channels turns it into yellow. White becomes black.
        let corner = try await color(still, 0.25, 0.25)
        let white = try await color(still, 0.9, 0.6)
        #expect(isNear(corner, [255, 255, 0]) && isNear(white, [0, 0, 0]), "\(corner), \(white)")
        // Filters do not apply to the subtitles.
        let words1 = try await color(still, 0.5, 0.92)
        let words2 = try await color(still, 0.5, 0.9)
        #expect(isNear(words1, [255, 255, 255]) || isNear(words2, [255, 255, 255]), "\(words1), \(words2)")
        let rendered = try await ToolProcess.run(["render", source, "-o", film, "--to", "0.2"] + options)
        #expect(rendered.code == 0, "\(rendered.error)")
        for (x, y) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.6), (0.9, 0.6)] {
            let (a, b) = (try await color(still, x, y), try await color(film, x, y))
            #expect(isNear(a, b), "at \(x), \(y): \(a) and \(b)")
        }
    }

    @Test("brightness applies after the filters")
    func brightness() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let still = try path("still.png")
        let run = try await ToolProcess.run([
            "snapshot", TestMedia.url("quad-709.mp4").path, "--at", "0", "-o", still, "--filter", "ColorInvert",
            "--brightness", "0.5",
        ])
        expectEnd(run, 0)
        // White is inverted to black, which then gets brighter. Before the filter, white could not get brighter.
        let white = try await color(still, 0.9, 0.6)
        #expect(white.allSatisfy { $0 > 60 }, "\(white)")
    }

    @Test(
        "an invalid filter, parameter or value is reported with valid ones",
        arguments: [
            ("SepiaTon", "CISepiaTone"), ("SepiaTone:intensty=1", "parameters: intensity"),
            ("SepiaTone:intensity=much", "number"),
            ("GaussianBlur:radius=#ff0000", "number"), ("ColorMonochrome:color=5", "#ff8800"),
        ])
    func mistakes(argument: String, words: String) async throws {
        let run = try await ToolProcess.run([
            "snapshot", TestMedia.url("quad-709.mp4").path, "-o", "/tmp/none.png", "--filter", argument,
        ])
        #expect(run.code == 1 && run.error.contains(words), "\(run.error)")
    }

    @Test("shader errors name file and line; missing subtitles their path")
    func files() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let shader = try path("bad.glsl")
        let still = try path("still.png")
        try "vec4 shade(vec2 uv) {\n  return oops;\n}".write(toFile: shader, atomically: true, encoding: .utf8)
        let run = try await ToolProcess.run([
            "snapshot", TestMedia.url("quad-709.mp4").path, "-o", still, "--shader", shader,
        ])
        #expect(run.code == 1 && run.error.contains(shader) && run.error.contains("line 2"), "\(run.error)")
        let other = try await ToolProcess.run([
            "snapshot", TestMedia.url("quad-709.mp4").path, "-o", still, "--subtitles", "/nowhere.srt",
        ])
        #expect(other.code == 1 && other.error.contains("/nowhere.srt"), "\(other.error)")
        #expect(!FileManager.default.fileExists(atPath: still))
    }

    @Test("filters lists categories and parameters, and draws a contact sheet")
    func list() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let all = try await ToolProcess.run(["filters"])
        #expect(
            all.code == 0 && all.output.contains("CICategoryBlur\n") && all.output.contains("  CISepiaTone\n"), "\(all)"
        )
        #expect(Set(all.output.split(separator: "\n").filter { $0.hasPrefix("  CI") }).count >= 60)
        let one = try await ToolProcess.run(["filters", "GaussianBlur"])
        #expect(one.output.contains("inputRadius") && one.output.contains("default 10"))
        let sheet = try path("sheet.png")
        let drawn = try await ToolProcess.run([
            "filters", "SepiaTone", "ColorInvert", "--sheet", sheet, "--picture", TestMedia.url("quad-709.mp4").path,
            "--at", "0",
        ])
        #expect(drawn.code == 0 && FileManager.default.fileExists(atPath: sheet), "\(drawn.error)")
        let unknown = try await ToolProcess.run(["filters", "Nonsense"])
        expectEnd(unknown, 64)
    }
}
