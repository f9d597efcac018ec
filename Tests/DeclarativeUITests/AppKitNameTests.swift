import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@MainActor @Suite("AppKit's file panels")
struct SavePanelTests {
    @Test(
        "a new file that needs an extension gets the first type's",
        arguments: [("Clip", "Clip.mp4"), ("Clip.MP4", "Clip.MP4"), ("Clip.v2", "Clip.v2.mp4")])
    func endings(_ name: String, _ expected: String) {
        let panel = NSSavePanel()
        panel.allowedContentTypes = [.mpeg4Movie]
        #expect(panel.finished(URL(fileURLWithPath: "/tmp/\(name)")).lastPathComponent == expected)
        panel.allowsOtherFileTypes = true
        #expect(panel.finished(URL(fileURLWithPath: "/tmp/\(name)")).lastPathComponent == name)
        #expect(NSOpenPanel().finished(URL(fileURLWithPath: "/tmp/\(name)")).lastPathComponent == name)
    }

    @Test("an existing file is not replaced under an extended name unasked")
    func replacing() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data([1]).write(to: folder.appendingPathComponent("Clip.mp4"))
        let panel = NSSavePanel()
        panel.allowedContentTypes = [.mpeg4Movie]
        #expect(panel.needsQuestion(folder.appendingPathComponent("Clip")))
        #expect(!panel.needsQuestion(folder.appendingPathComponent("Clip.mp4")))
        #expect(!panel.needsQuestion(folder.appendingPathComponent("Other")))
    }
}

/// Tests of AppKit's windows on a screen.
@Suite("AppKit's window properties", .serialized)
struct WindowLookTests {
    @Test("a window's style and the visibility of its title can be changed")
    func windowLook() async throws {
        let probe = try await ControlProbe(["window-look"])
        let window = try #require(try probe.display.window("probe"))
        try probe.click("look")
        try await probe.expect("mask=true false probe")
        #expect(
            try await probe.comes {
                try probe.display.xdotool(["getwindowname", window]).trimmingCharacters(in: .whitespacesAndNewlines)
                    .isEmpty
            })
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }
}
