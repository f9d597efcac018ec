import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Fonts attached to Matroska files")
struct AttachedFontTests {
    private static let kinds: [(type: String, name: String, bytes: String)] = [
        ("font/ttf", "a", "x"), ("font/otf", "a", "x"), ("font/collection", "a", "x"), ("font/sfnt", "a", "x"),
        ("font/woff2", "a", "x"), ("application/font-sfnt", "a", "x"), ("application/x-font-ttf", "a", "x"),
        ("application/x-truetype-font", "a", "x"), ("application/vnd.ms-opentype", "a", "x"),
        ("APPLICATION/X-FONT", "a", "x"), ("application/octet-stream", "Some Font.TTF", "x"),
        ("application/octet-stream", "some.font.otc", "x"), ("binary", "a", "OTTO"), ("text/plain", "a", "ttcf"),
        ("application/octet-stream", "a", "\u{0}\u{1}\u{0}\u{0}"), ("application/octet-stream", "font.bin", "true"),
    ]
    private static let others: [(type: String, name: String, bytes: String)] = [
        ("image/jpeg", "cover.jpg", "x"), ("text/plain", "readme.txt", "a font"), ("application/pdf", "a", "%PDF"),
    ]

    private func file(_ attachments: [(type: String, name: String, bytes: String)], _ folder: URL) throws -> URL {
        let words = folder.appendingPathComponent("words.srt")
        try Data("1\n00:00:00,000 --> 00:00:01,000\nA\n".utf8).write(to: words)
        var arguments = [
            "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "color=red:s=64x36:r=5:d=1", "-i", words.path,
        ]
        for (index, attachment) in attachments.enumerated() {
            let path = folder.appendingPathComponent("attached-\(index)")
            try Data((attachment.bytes + " and more").utf8).write(to: path)
            arguments += [
                "-attach", path.path, "-metadata:s:t:\(index)", "mimetype=\(attachment.type)", "-metadata:s:t:\(index)",
                "filename=\(attachment.name)",
            ]
        }
        let url = folder.appendingPathComponent("fonts.mkv")
        arguments += ["-c:v", "libx264", "-c:s", "srt", url.path]
        try #require(try ChildProcess("ffmpeg", arguments).wait() == 0)
        return url
    }

    @Test("fonts are found by type, name or content; other attachments are ignored")
    func found() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-fonts-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let fonts = SubtitleScanner.fonts(try MediaSource(url: try file(Self.kinds + Self.others, folder)))
        #expect(fonts.map(\.name) == Self.kinds.map(\.name))
        #expect(fonts.map { String(decoding: $0.bytes, as: UTF8.self) } == Self.kinds.map { $0.bytes + " and more" })
    }
}
