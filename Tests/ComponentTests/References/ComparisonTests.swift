import Foundation
import TestSupport
import Testing

/// Tests that the comparison with reference images finds changes and ignores noise.
@Suite("Comparison with reference images")
struct ComparisonTests {
    /// Returns the difference between a reference image and the same image after ImageMagick's `operations`.
    private static func difference(_ operations: [String], _ page: String, isDark: Bool = false) async throws
        -> CellPicture.Difference
    {
        let size = ReferenceGallery.Size.all[isDark ? 1 : 0]
        let variant = ReferenceGallery.Variant(isDark: isDark, size: size, scale: 1)
        let file = Repository.root.appendingPathComponent("Tests/References/\(page)-\(variant).png")
        let changed = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-changed-\(UUID().uuidString.prefix(8)).png")
        defer { try? FileManager.default.removeItem(at: changed) }
        let (width, height) = (size.width, size.height)
        let pictures = try await offPool {
            try ChildProcess("convert", [file.path] + operations + [changed.path]).wait()
            return try CellPicture.read([file, changed], width: width, height: height)
        }
        try #require(pictures.count == 2)
        return pictures[1].difference(from: pictures[0])
    }

    @Test("different smoothing of edges is not a change")
    func smoothing() async throws {
        for (page, isDark) in [("controls", false), ("shader", true), ("start", false)] {
            // A shift by a fifth of a pixel, as other hinting causes; slight blur or sharpening; other rounding of
            // colors; noise.
            for operations in [
                ["-distort", "Affine", "0,0 0.2,0.15"], ["-blur", "0x0.5"], ["-unsharp", "0x0.5+0.5+0"],
                ["-colors", "96"], ["-attenuate", "0.1", "+noise", "Gaussian"],
            ] {
                let found = try await Self.difference(operations, page, isDark: isDark)
                #expect(!found.isChange, "\(page) \(operations): \(found)")
            }
        }
    }

    /// A rectangle of the image, in pixels, as ImageMagick's geometry.
    private static func box(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> String {
        "\(width)x\(height)+\(x)+\(y)"
    }

    @Test("a missing word is a change, however small")
    func missing() async throws {
        // One word of the small gray text in the bar, and one row of the sidebar.
        for (x, y, width, height) in [(218, 28, 34, 16), (40, 96, 60, 20)] {
            // The background beside the word covers it.
            let found = try await Self.difference(
                [
                    "(", "+clone", "-crop", Self.box(x - 6, y - 18, 1, 1), "+repage", "-scale", "\(width)x\(height)!",
                    ")", "-geometry", "+\(x)+\(y)", "-composite",
                ], "controls")
            #expect(found.isChange, "\((x, y)): \(found)")
        }
    }

    @Test("an element moved by three points is a change")
    func shifted() async throws {
        for (x, y) in [(3, 0), (0, 3)] {
            // Only the bar above the page moves.
            let found = try await Self.difference(
                [
                    "(", "+clone", "-crop", Self.box(212, 4, 300, 42), "+repage", ")", "-geometry",
                    "+\(212 + x)+\(4 + y)", "-composite",
                ], "controls")
            #expect(found.isChange, "\((x, y)): \(found)")
        }
    }

    @Test("a different accent color is a change")
    func colour() async throws {
        // The hue turns by about a twelfth of the color wheel, in the sidebar only.
        let found = try await Self.difference(
            ["-region", Self.box(0, 44, 206, 600), "-modulate", "100,100,117"], "controls")
        #expect(found.isChange, "\(found)")
    }
}
