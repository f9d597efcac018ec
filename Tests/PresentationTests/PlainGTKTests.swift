import Foundation
import TestSupport
import Testing

/// Tests of the example of a GTK app (`docs/gtk.md`).
@Suite("A player in a GTK app", .serialized)
struct PlainGTKTests {
    @Test("the player view works beside other widgets, with either renderer", arguments: ["cpu", "gl"])
    func among(renderer: String) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        var environment = display.environment.merging(["ZOETROPE_RENDERER": renderer]) { $1 }
        if renderer == "gl" { environment["GSK_RENDERER"] = ProbeProcess.glRenderer }
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-plain-\(UUID().uuidString.prefix(8))"
        ).path
        defer { try? FileManager.default.removeItem(atPath: errors) }
        let app = try ChildProcess(
            Repository.root.appendingPathComponent(".build/debug/PlainGTK").path,
            [TestMedia.url("quad-709.mp4").path], environment: environment, error: errors)
        defer { app.send(SIGKILL) }
        // The window has 640 × 400 points, and the button is below the video.
        let points = [(160, 95), (480, 95), (160, 270), (480, 270)]
        let isShown = try await until {
            let shot = try display.screenshot()
            return zip(points, TestPicture.colors).allSatisfy { shot.isNear($0.0, $0.1, $1) } ? true : nil
        }
        let last = try display.screenshot()
        let seen = points.map { last.color($0.0, $0.1) }
        let words = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
        #expect(isShown == true, "saw \(seen); \(words)")
        #expect(try display.window("Video") != nil)
        let button = last.color(20, 392)
        #expect(button != [0, 0, 0] && !TestPicture.colors.contains(button), "\(button)")
        // GTK and GLib must print no warnings.
        #expect(!words.contains("CRITICAL") && !words.contains("WARNING"), "\(words)")
    }

    @Test("docs/gtk.md contains the example's code")
    func documented() throws {
        let code = try String(
            contentsOf: Repository.root.appendingPathComponent("Examples/PlainGTK/PlainGTK.swift"), encoding: .utf8)
        let page = try String(contentsOf: Repository.root.appendingPathComponent("docs/gtk.md"), encoding: .utf8)
        #expect(page.contains(code.trimmingCharacters(in: .newlines)))
    }
}
