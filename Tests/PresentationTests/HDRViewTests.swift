import Foundation
import GTK
import TestSupport
import Testing

/// Tests that OpenGL and the CPU draw the same for frames that need the whole pipeline.
@Suite("HDR in the view", .serialized)
struct HDRViewTests {
    /// Returns a screenshot once the frame is shown, which is white at its lower right.
    private func shot(
        _ arguments: [String], renderer: String, environment: [String: String] = [:], width: Int, height: Int
    ) async throws -> Screenshot {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let probe = try ProbeProcess(arguments, renderer: renderer, environment: environment, display: display)
        let shot = try await until {
            let shot = try display.screenshot()
            return shot.isNear(width - 2, height - 3, [252, 252, 252], within: 6) ? shot : nil
        }
        try await probe.ask("quit")
        return try #require(shot, "\(renderer): no frame was displayed")
    }

    @Test(
        "OpenGL shows the same colors as the CPU renderer",
        arguments: [
            "pq:yuv420p10le:left", "pq:p010le:topleft", "hlg:yuv422p10le:left", "bt2020:yuv444p12le:left",
            "bt709:yuv420p10le:center", "bt709:yuv420p10le:topleft", "pq:gbrp12le:left",
        ])
    func same(gradient: String) async throws {
        try await expectSame(gradient, environment: [:])
    }

    @Test(
        "OpenGL ES without 16-bit textures shows the same colors",
        arguments: ["bt709:yuv420p10le:center", "pq:p010le:topleft", "pq:gbrp12le:left"])
    func embedded(gradient: String) async throws {
        // Newer versions of GTK ignore the first variable, because they prefer OpenGL ES.
        try await expectSame(
            gradient, environment: ["GDK_DEBUG": "gl-gles", "MESA_EXTENSION_OVERRIDE": "-GL_EXT_texture_norm16"])
    }

    private func expectSame(_ gradient: String, environment: [String: String]) async throws {
        let arguments = ["--gradient", gradient, "--picture", "160x90", "--window", "320x180", "--gravity", "resize"]
        let cpu = try await shot(arguments, renderer: "cpu", width: 320, height: 180)
        let gl = try await shot(arguments, renderer: "gl", environment: environment, width: 320, height: 180)
        var sum = 0
        var far = 0
        var count = 0
        for y in 2..<178 {
            // For SDR frames libswscale gives two neighboring pixels the same chroma, so compare their means.
            for x in stride(from: 2, to: 318, by: 2) {
                func mean(_ shot: Screenshot) -> [Int] {
                    zip(shot.color(x, y), shot.color(x + 1, y)).map { ($0 + $1) / 2 }
                }
                let apart = zip(mean(cpu), mean(gl)).map { abs($0 - $1) }.max() ?? 255
                sum += apart
                count += 1
                if apart > 4 { far += 1 }
            }
        }
        // For 8-bit output libswscale uses its short tables, which are wrong by one or two code values. For 16-bit
        // output it is exact.
        let most: Double = gradient.hasPrefix("bt709") ? 2 : 1
        #expect(Double(sum) / Double(count) < most, "\(Double(sum) / Double(count))")
        // At the edge of the gamut, one code value of chroma changes a pure color by many.
        #expect(far * 50 < count, "\(far) of \(count)")
        #expect(Set((0..<300).map { cpu.color($0, 40) }).count > 60)
    }

    /// Returns the sRGB value, 0…255, of a gray in PQ (SMPTE ST 2084) without tone mapping. `code` is 0…1. Luminances
    /// of 203 cd/m² and above are white.
    private func clipped(pq code: Double) -> Double {
        let root = pow(code, 32 / 2523.0)
        let light = pow(max(0, root - 0.8359375) / (18.8515625 - 18.6875 * root), 16384 / 2610.0) * 10_000 / 203
        let white = min(1, light)
        return (white <= 0.0031308 ? white * 12.92 : 1.055 * pow(white, 1 / 2.4) - 0.055) * 255
    }

    @Test("on request, GTK gets HDR in its own colors", .enabled(if: GTKVersion.isAtLeast(minor: 16)))
    func own() async throws {
        let arguments = [
            "--gradient", "pq:yuv420p10le:left", "--picture", "160x90", "--window", "320x180", "--gravity", "resize",
        ]
        let mapped = try await shot(arguments, renderer: "gl", width: 320, height: 180)
        let own = try await shot(
            arguments, renderer: "gl", environment: ["ZOETROPE_HDR": "1"], width: 320, height: 180)
        var far: [String] = []
        for x in stride(from: 8, to: 312, by: 4) {
            // The lowest rows are gray, from black to three quarters of the code range.
            let color = own.color(x, 176)
            let expected = clipped(pq: ((Double(x) + 0.5) / 2 - 0.5) / 160 * 0.75)
            if color.contains(where: { abs(Double($0) - expected) > 6 }) { far.append("\(x): \(color) \(expected)") }
        }
        #expect(far.isEmpty, "\(far)")
        // Dark grays differ, because tone mapping for a gamma of 2.4 makes them lighter.
        #expect(own.color(40, 176) != mapped.color(40, 176))
    }
}
