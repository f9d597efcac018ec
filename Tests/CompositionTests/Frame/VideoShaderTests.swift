import CGIO
import Foundation
import MediaCore
import MediaEngine
import Testing

@testable import Filters
@testable import Overlays

@Suite("Custom shaders", .timeLimit(.minutes(5)))
@MainActor
struct VideoShaderTests {
    private func compose(_ shader: VideoShader, _ frame: VideoFrame, at seconds: Double = 0) throws -> VideoFrame {
        var settings = PictureSettings()
        settings.add(shader)
        return try OfflineComposer(settings: settings).compose(
            frame, at: CMTime(seconds: seconds, preferredTimescale: 1000))
    }

    @Test(
        "a shader with any line ending reads frame, size, time and uniforms", arguments: ["\n", "\r\n", "\r"])
    func values(lineEnding: String) throws {
        let shader = try VideoShader(
            source: """
                #define HALF 0.5
                uniform float amount;
                uniform vec3 tint;   // with a comment
                uniform highp vec2 unset;
                vec4 shade(vec2 uv) {
                    float wide = size == vec2(32.0, 12.0) ? 1.0 : 0.0;
                    return vec4(video(uv).r * amount, wide * HALF + unset.x, fract(time) * tint.b, 1.0);
                }
                """.replacingOccurrences(of: "\n", with: lineEnding))
        #expect(shader.inputKeys == ["amount", "tint", "unset"])
        shader.setValue(0.5, forKey: "amount")
        shader.setValue(CIVector(x: 0, y: 0, z: 1), forKey: "tint")
        let frame = try VideoFrame.bgra(width: 32, height: 12, presentationTime: CMTime(value: 1250, timescale: 1000)) {
            pixels, _ in
            for index in stride(from: 0, to: pixels.count, by: 4) {
                pixels.storeBytes(of: 0xFF_CC00_00 as UInt32, toByteOffset: index, as: UInt32.self)
            }
        }
        #expect(FrameStage.color(try compose(shader, frame, at: 1.25)) == 0x668040)
    }

    @Test("lines in comments are ignored", arguments: ["\n", "\r\n"])
    func comments(lineEnding: String) throws {
        let shader = try VideoShader(
            source: """
                #define FULL 1.0 /* The input:
                uniform float amount;
                #version 300 es
                // */
                uniform float gain; /* not yet:
                uniform vec3 tint; */
                /*/ uniform int steps; /**/ uniform vec2 shift;
                // A line that continues \\
                uniform float scale;
                vec4 shade(vec2 uv) { return vec4(gain / 2.0 * FULL, shift, 1.0); } // The end /*
                """.replacingOccurrences(of: "\n", with: lineEnding))
        #expect(shader.inputKeys == ["gain", "shift"])
        shader.setValue(2.0, forKey: "gain")
        shader.setValue(CIVector(x: 0, y: 1), forKey: "shift")
        #expect(FrameStage.color(try compose(shader, FrameStage.plain(0))) == 0xFF00FF)
    }

    @Test("uv has its origin at the lower left")
    func orientation() throws {
        let shader = try VideoShader(source: "vec4 shade(vec2 uv) { return vec4(uv, 0.0, 1.0); }")
        let frame = try compose(shader, FrameStage.plain(0, width: 4, height: 4))
        frame.withAVFrame { picture in
            guard let data = picture.pointee.data.0 else { return }
            let first = UnsafeRawPointer(data).loadUnaligned(as: UInt32.self) & 0xFFFFFF
            #expect(first == 0x20DF00)
        }
    }

    @Test(
        "an error reports the line of the source text",
        arguments: [
            ("vec4 shade(vec2 uv) {\n    return oops;\n}", 2),
            ("uniform float a;\n\n\nvec4 shade(vec2 uv) { return vec4(a, 0.0, 0.0) }", 4),
            ("/* a\n   b */\nvec4 shade(vec2 uv) {\n  return oops; // c\n}", 4),
            ("#define X 1.0\n// words\nvec4 shade(vec2 uv) {\n  float y = X;\n  return vec4(nothing(y));\n}", 5),
        ])
    func errors(text: String, line: Int) throws {
        let shader = try VideoShader(source: text, name: "mine")
        let error = try #require(throws: AVError.self) { try shader.validate() }
        #expect(
            error.code == .invalidArgument && error.location == "mine" && error.reason.contains("line \(line)"),
            "\(error)")
        // Offline composition fails with the same message.
        let offline = try #require(throws: AVError.self) { try compose(shader, FrameStage.plain(0)) }
        #expect(offline.location == "mine" && offline.reason.contains("line \(line)"))
    }

    @Test(
        "errors found before compiling name the line or the cause",
        arguments: [
            ("uniform sampler2D other;\nvec4 shade(vec2 uv) { return vec4(0.0); }", "line 1"),
            ("\nuniform float a\nvec4 shade(vec2 uv) { return vec4(a); }", "line 2"),
            ("#version 300 es\nvec4 shade(vec2 uv) { return vec4(0.0); }", "line 1"),
            ("uniform float time;\nvec4 shade(vec2 uv) { return vec4(time); }", "line 1"),
            ("void main() {}", "shade"),
            ("", "shade"),
        ])
    func beforehand(text: String, words: String) throws {
        let error = try #require(throws: AVError.self) { try VideoShader(source: text) }
        #expect(error.code == .invalidArgument && error.reason.contains(words), "\(error)")
    }

    @Test("a shader that does not compile is reported once and ignored")
    func broken() async throws {
        let stage = FrameStage()
        let composition = PictureComposition()
        defer { composition.close() }
        var problems: [AVError] = []
        composition.onProblem = { problems.append($0) }
        stage.show(try FrameStage.plain(0x336699))
        composition.settings.add(try VideoShader(source: "vec4 shade(vec2 uv) {\n return oops; }", name: "mine"))
        let wakes = Wakes(composition)
        let first = try await wakes.pull(composition, stage) { $0.sequence >> 63 == 1 }
        #expect(FrameStage.color(first.frame) == 0x336699)
        stage.show(try FrameStage.plain(0x336698))
        _ = try await wakes.pull(composition, stage) { $0.sequence >> 63 == 1 && $0.sequence != first.sequence }
        #expect(
            problems.count == 1 && problems[0].location == "mine" && problems[0].reason.contains("line 2"),
            "\(problems)")
    }

    @Test("a changed shader file reloads during pause; a broken one is ignored")
    func reload() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("zt-\(UUID().uuidString).glsl")
        defer { try? FileManager.default.removeItem(at: url) }
        func write(_ color: String) throws {
            try Data("vec4 shade(vec2 uv) { return vec4(\(color), 1.0); }".utf8).write(to: url, options: .atomic)
        }
        try write("1.0, 0.0, 0.0")
        let stage = FrameStage()
        let composition = PictureComposition()
        defer { composition.close() }
        stage.show(try FrameStage.plain(0))
        composition.settings.add(try VideoShader(contentsOf: url))
        let wakes = Wakes(composition)
        _ = try await wakes.pull(composition, stage) { FrameStage.color($0.frame) == 0xFF0000 }
        try write("0.0, 1.0, 0.0")
        // GIO watches the file on GLib's main loop, which the test has to run.
        while composition.pull(from: stage, at: .zero).map({ FrameStage.color($0.frame) }) != 0x00FF00 {
            g_main_context_iteration(nil, 0)
            try Task.checkCancellation()
            await Task.yield()
        }
        // A file that cannot be read is reported, and the previous shader stays active.
        var problems: [AVError] = []
        composition.onProblem = { problems.append($0) }
        try Data("#version 100\n".utf8).write(to: url, options: .atomic)
        while problems.isEmpty {
            g_main_context_iteration(nil, 0)
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(problems[0].reason.contains("line 1"))
        #expect(composition.pull(from: stage, at: .zero).map { FrameStage.color($0.frame) } == 0x00FF00)
    }

    @Test("every composition of a shader reports its reload errors")
    func sharedShader() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("zt-\(UUID().uuidString).glsl")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data("vec4 shade(vec2 uv) { return vec4(1.0); }".utf8).write(to: url, options: .atomic)
        let shader = try VideoShader(contentsOf: url)
        let compositions = [PictureComposition(), PictureComposition(), PictureComposition()]
        defer { for composition in compositions { composition.close() } }
        var reports = [0, 0, 0]
        for (index, composition) in compositions.enumerated() {
            composition.onProblem = { _ in reports[index] += 1 }
            composition.settings.add(shader)
        }
        compositions[1].settings.removeAllFilters()
        try Data("#version 100\n".utf8).write(to: url, options: .atomic)
        shader.reload()
        #expect(reports == [1, 0, 1])
        compositions[2].close()
        shader.reload()
        #expect(reports == [2, 0, 1])
    }
}
