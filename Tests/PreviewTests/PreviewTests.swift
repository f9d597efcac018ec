import Foundation
import TestSupport
import Testing

@testable import DeclarativeUI

/// Tests that request previews from an app, on a private display.
@Suite("Previews", .serialized)
struct PreviewTests {
    private func start(_ arguments: [String], on display: PrivateDisplay) throws -> AppProcess {
        try AppProcess("PreviewProbe", arguments, display: display)
    }

    /// The area of a color on the screen, sampled every four pixels.
    private struct Area {
        /// The size, in square pixels.
        var size = 0
        var top = Int.max

        init(of color: [Int], in shot: Screenshot) {
            for y in stride(from: 0, to: 800, by: 4) {
                for x in stride(from: 0, to: 1280, by: 4) where shot.isNear(x, y, color) {
                    size += 16
                    top = min(top, y)
                }
            }
        }
    }

    /// Waits until the window `title` is open and `color` covers about `size` square pixels of the screen. Returns
    /// false after the deadline.
    private func shows(_ title: String, _ color: [Int], on size: Int, _ display: PrivateDisplay) async throws -> Bool {
        try await until {
            guard try display.window(title) != nil else { return nil }
            return abs(Area(of: color, in: try display.screenshot()).size - size) < size / 20 ? true : nil
        } ?? false
    }

    @Test(
        "--preview NAME shows a preview provider, with or without its suffix",
        arguments: ["Swatch_Previews", "Swatch", "swatch", "PreviewProbe.Swatch_Previews"])
    func provider(_ name: String) async throws {
        let display = try await PrivateDisplay.launch()
        let app = try start(["--preview", name], on: display)
        try await app.wait(for: "app made")
        try await app.wait(for: "shown 1")
        #expect(try await shows("Swatch_Previews", [255, 0, 0], on: 300 * 200, display))
        #expect(try display.window("the app itself") == nil, "the app's own window does not open")
    }

    @Test("several views are stacked at their sizes; the name titles the window")
    func several() async throws {
        let display = try await PrivateDisplay.launch()
        let app = try start(["--preview=Swatches"], on: display)
        #expect(try await shows("Both", [0, 255, 0], on: 200 * 120, display), "\(app.errors)")
        #expect(try await shows("Both", [0, 0, 255], on: 200 * 120, display))
        let shot = try display.screenshot()
        #expect(Area(of: [0, 255, 0], in: shot).top + 120 <= Area(of: [0, 0, 255], in: shot).top)
    }

    @Test("a source file that imports SwiftUI can use #Preview")
    func applesSource() async throws {
        let display = try await PrivateDisplay.launch()
        let app = try start(["--preview", "Badge as it was"], on: display)
        #expect(try await shows("Badge as it was", [255, 0, 255], on: 300 * 200, display), "\(app.errors)")
    }

    @Test(
        "a view reads the values of @Entry, which a parent can set",
        arguments: [
            ("Default entries", [128, 0, 255], 100 * 200), ("Entries that a parent sets", [255, 128, 0], 300 * 160),
        ])
    func entries(_ name: String, _ color: [Int], _ size: Int) async throws {
        let display = try await PrivateDisplay.launch()
        let app = try start(["--preview", name], on: display)
        #expect(try await shows(name, color, on: size, display), "\(app.errors)")
    }

    @Test("--preview NAME shows a #Preview at its requested size")
    func macro() async throws {
        let display = try await PrivateDisplay.launch()
        let app = try start(["--preview", "Yellow, small"], on: display)
        #expect(try await shows("Yellow, small", [255, 255, 0], on: 240 * 160, display), "\(app.errors)")
    }

    @Test("@Previewable state lives as long as the preview is displayed")
    func previewable() async throws {
        let display = try await PrivateDisplay.launch()
        let app = try start(["--preview", "Counting"], on: display)
        #expect(try await shows("Counting", [0, 255, 255], on: 300 * 200, display), "\(app.errors)")
    }

    @Test("an unknown, ambiguous or missing name prints the available previews")
    func unknown() async throws {
        let display = try await PrivateDisplay.launch()
        let wrong = try start(["--preview", "Nothing"], on: display)
        try await ends(wrong, 1)
        #expect(wrong.errors.contains("No preview is called “Nothing”"))
        for name in ["Swatch_Previews", "Swatches_Previews", "Yellow, small", "Counting"] {
            #expect(wrong.errors.contains("  \(name)"), "\(wrong.errors)")
        }
        let twins = try start(["--preview", "Twin"], on: display)
        try await ends(twins, 1)
        #expect(
            twins.errors.contains("PreviewProbe.First.Twin_Previews")
                && twins.errors.contains("PreviewProbe.Second.Twin_Previews"))
        let list = try start(["--preview"], on: display)
        try await ends(list, 0)
        #expect(
            list.lines.contains("  Counting  (PreviewProbe/PreviewProbe.swift:\(line(of: "#Preview(\"Counting\")")))"),
            "\(list.lines)")
        #expect(list.errors.isEmpty && !list.lines.contains("app made"))
    }

    private func ends(
        _ app: AppProcess, _ expected: Int32, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let code = try await offPool { app.child.wait() }
        #expect(code == expected, "\(app.lines) \(app.errors)", sourceLocation: sourceLocation)
    }

    private func line(of text: String) -> Int {
        let source =
            (try? String(
                contentsOf: Repository.root.appendingPathComponent("Tests/PreviewProbe/PreviewProbe.swift"),
                encoding: .utf8)) ?? ""
        return (source.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains(text) } ?? -1)
            + 1
    }
}

// These types are in the test's own process.
private struct Plain_Previews: PreviewProvider { static var previews: some View { Text("plain") } }
private struct Generic_Previews<T>: PreviewProvider { static var previews: some View { Text("generic") } }

@Suite("The preview catalog") @MainActor
struct PreviewCatalogTests {
    @Test("arguments request a preview, the list, or neither")
    func request() {
        #expect(
            PreviewRun.Request(["app"]) == .none && PreviewRun.Request(["app", "film.mp4"]) == .none
                && PreviewRun.Request(["--preview"]) == .none)
        #expect(
            PreviewRun.Request(["app", "--preview"]) == .list
                && PreviewRun.Request(["app", "x", "--preview", "A"]) == .named("A"))
        #expect(PreviewRun.Request(["app", "--preview=A b"]) == .named("A b"))
    }

    @Test("types are found by protocol, private ones included, generic ones not")
    func types() {
        let names = ConformanceRecords.types(conformingTo: (any PreviewProvider).self).map { String(describing: $0) }
        #expect(names.contains("Plain_Previews") && !names.contains { $0.hasPrefix("Generic_Previews") })
        #expect(ConformanceRecords.types(conformingTo: Int.self).isEmpty)
        #expect(
            PreviewCatalog.all().contains {
                $0.names == ["Plain_Previews", "Plain"] && $0.fullName == "PreviewTests.Plain_Previews"
            })
    }

    @Test("exact names have priority, and ambiguous or unknown names are errors")
    func find() throws {
        func known(_ names: String..., full: String) -> KnownPreview {
            KnownPreview(names: names, fullName: full) { AnyView(EmptyView()) }
        }
        let all = [
            known("A_Previews", "A", full: "M.A_Previews"), known("A", full: "M/F.swift:3"),
            known("B", "F", full: "M/F.swift:5"), known("C", "F", full: "M/F.swift:9"),
        ]
        #expect(try PreviewCatalog.find("A", in: all).fullName == "M/F.swift:3")
        #expect(try PreviewCatalog.find("M.A_Previews", in: all).fullName == "M.A_Previews")
        #expect(try PreviewCatalog.find("a_previews", in: all).fullName == "M.A_Previews")
        #expect(
            throws: PreviewCatalog.NotFound(
                description: "Several previews are called “F”:\n  M/F.swift:5\n  M/F.swift:9")
        ) { try PreviewCatalog.find("F", in: all) }
        #expect(throws: PreviewCatalog.NotFound.self) { try PreviewCatalog.find("Z", in: all) }
        #expect(throws: PreviewCatalog.NotFound(description: PreviewCatalog.none)) {
            try PreviewCatalog.find("Z", in: [])
        }
    }
}
