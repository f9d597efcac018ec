import CGTK
import Foundation
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of text layout in narrow spaces.
@Suite("Layout in little space") @MainActor
struct NarrowLayoutTests {
    /// The size of `text` on one line.
    private func line(_ text: String) -> CGSize { Stage(2000, 200) { Text(verbatim: text) }.frame(text)?.size ?? .zero }

    @Test("a word keeps its width beside views that can shrink")
    func words() throws {
        let word = line("Playback")
        let stage = Stage(160, 200) {
            HStack {
                Text(verbatim: "Playback")
                Text(verbatim: "a few small words and more of them, one after the other").mark("long")
                Color.red.frame(minWidth: 20, maxWidth: 60, maxHeight: 10)
            }
        }
        #expect(stage.frame("Playback")?.size == word)
        #expect((stage.frame(of: "long")?.maxX ?? 999) <= 140)
    }

    @Test(
        "a window is at least as wide as its words and controls",
        arguments: ["Playback", "Playback speed of everything"])
    func least(_ title: String) {
        let stage = Stage(400, 200) {
            HStack {
                Text(verbatim: title)
                Color.red.frame(width: 120, height: 20)
            }
            .padding(10)
        }
        let least = stage.host.surface.measure(GTK_ORIENTATION_HORIZONTAL, -1).minimum
        let longest = title.split(separator: " ").map { line(String($0)).width }.max() ?? 0
        #expect(CGFloat(least) >= longest + 8 + 120 + 20)
        #expect(CGFloat(least) <= longest + 8 + 120 + 22)
        // In a window of the minimum width no word is broken.
        stage.layOut(CGFloat(least), 200)
        #expect((stage.frame(title)?.width ?? 0) >= longest)
    }

    @Test("text narrower than a word is one line with an ellipsis")
    func column() {
        let stage = Stage(300, 300) { Text(verbatim: "Subtitles").frame(width: 24).mark("f") }
        #expect(stage.frame("Subtitles")?.height == line("Subtitles").height)
    }

    @Test("a word wider than any window is broken")
    func endless() {
        let word = String(repeating: "abcdefghij", count: 20)
        let stage = Stage(300, 300) { Text(verbatim: word) }
        #expect((stage.frame(word)?.width ?? 999) <= 300)
        #expect((stage.frame(word)?.height ?? 0) > line(word).height * 2)
        #expect(stage.host.surface.measure(GTK_ORIENTATION_HORIZONTAL, -1).minimum < 300)
    }

    @Test(
        "a label stands beside its control if both fit, otherwise above",
        arguments: [400, 170, 90])
    func labels(_ width: Int) throws {
        let stage = Stage(CGFloat(width), 600) {
            VStack {
                Picker("Playback speed", selection: .constant(1)) { Text("Normal speed").tag(1) }.mark("picker")
                Toggle("Remember everything", isOn: .constant(true)).mark("toggle")
                Slider(value: .constant(0.5)) { Text("Brightness") }.mark("slider")
                Stepper("Number of lines", value: .constant(3)).mark("stepper")
            }
        }
        for text in ["Playback speed", "Remember everything", "Brightness", "Number of lines"] {
            let frame = try #require(stage.frame(text))
            let longest = text.split(separator: " ").map { line(String($0)).width }.max() ?? 0
            #expect(frame.width >= longest, "\(text) \(frame)")
            #expect(frame.height <= line(text).height * CGFloat(text.split(separator: " ").count), "\(text) \(frame)")
        }
        let label = try #require(stage.frame("Playback speed"))
        let control = try #require(stage.elements.first { $0 is PickerElement }?.frameInHost)
        if width == 400 { #expect(label.maxX < control.minX && abs(label.midY - control.midY) < 2) }
        if width == 90 { #expect(label.maxY <= control.minY) }
    }

    @Test("segments show whole words or an ellipsis")
    func segments() throws {
        let stage = Stage(200, 100) {
            Picker("", selection: .constant(1)) {
                Text(verbatim: "Background").tag(1)
                Text(verbatim: "Foreground").tag(2)
            }
            .pickerStyle(.segmented).labelsHidden().mark("picker")
        }
        let word = line("Background")
        #expect(CGFloat(stage.host.surface.measure(GTK_ORIENTATION_HORIZONTAL, -1).minimum) >= word.width * 2)
        #expect((stage.frame("Background")?.height ?? 99) == word.height)
    }
}
