import Foundation
import Testing

@testable import Zoetrope

/// A temporary folder with the given files.
struct Folder {
    let url: URL
    init(_ files: [String]) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("zt-source-\(UUID().uuidString.prefix(8))")
            .resolvingSymlinksInPath()
        for file in files {
            let place = url.appendingPathComponent(file)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: place)
        }
    }
    func remove() { try? FileManager.default.removeItem(at: url) }
    func path(_ file: String) -> String { url.appendingPathComponent(file).path }
}

@Suite("Source names")
struct SourceTests {
    private func resolver(_ folder: Folder) -> SourceResolver {
        let url = folder.url
        return SourceResolver(
            resourceFolders: { [url.appendingPathComponent("main")] + SourceResolver.bundles(in: url) },
            workingFolder: { url.appendingPathComponent("here") })
    }

    @Test(
        "http and https URLs stay unchanged",
        arguments: [
            "http://host/clip.mp4", "https://host.example:8080/a%20b/list.m3u8?token=1#t", "HTTPS://host/clip",
        ])
    func remote(name: String) throws {
        #expect(try SourceResolver().url(for: name).absoluteString == name)
    }

    @Test(
        "invalid URLs, empty names and missing files are not found",
        arguments: [
            "http://", "https:///clip.mp4", "", "nowhere-at-all", "/nonexistent/clip.mp4",
            "file:///nonexistent/clip.mp4", "~/nonexistent-clip", "./nonexistent", "ftp://host/clip.mp4",
        ])
    func notFound(name: String) {
        #expect(throws: VPErrors.sourceNotFound(name)) { try SourceResolver().url(for: name) }
    }

    @Test("a subtitle file's name is trimmed; its URL needs a host")
    func subtitles() throws {
        let folder = try Folder(["here/a.srt"])
        defer { folder.remove() }
        let resolver = resolver(folder)
        #expect(resolver.subtitlesURL(for: " a\n")?.path == folder.path("here/a.srt"))
        #expect(resolver.subtitlesURL(for: " https://host/a.vtt ")?.absoluteString == "https://host/a.vtt")
        for name in ["http://", "https:///a.vtt", " ", ""] { #expect(resolver.subtitlesURL(for: name) == nil) }
    }

    @Test("a file is found by URL, absolute, home or relative path")
    func files() throws {
        let folder = try Folder(["here/a clip.mp4", "here/sub/b.mov", "c.webm"])
        defer { folder.remove() }
        let resolver = resolver(folder)
        let clip = URL(fileURLWithPath: folder.path("here/a clip.mp4"))
        #expect(try resolver.url(for: clip.absoluteString) == clip)
        #expect(try resolver.url(for: clip.path) == clip)
        #expect(try resolver.url(for: "a clip.mp4") == clip)
        #expect(try resolver.url(for: "./a clip") == clip)
        #expect(try resolver.url(for: "sub/b.mov").path == folder.path("here/sub/b.mov"))
        #expect(try resolver.url(for: "../c.webm").path == folder.path("c.webm"))
        let home = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(
            ".zt-source-\(UUID().uuidString.prefix(8)).mp4")
        try Data().write(to: home)
        defer { try? FileManager.default.removeItem(at: home) }
        #expect(try resolver.url(for: "~/\(home.lastPathComponent)").path == home.path)
    }

    @Test("the name's own extension is tried first, then Ext, mp4, none")
    func extensions() throws {
        let folder = try Folder([
            "main/a.mov", "main/a.mp4", "main/a.mov.mkv", "main/b.mp4", "main/v1.5.mp4", "main/bare",
        ])
        defer { folder.remove() }
        let resolver = resolver(folder)
        func found(_ name: String, _ ext: String) -> String? {
            (try? resolver.url(for: name, ext: ext))?.lastPathComponent
        }
        #expect(found("a.mov", "mkv") == "a.mov")
        #expect(found("a", "mov") == "a.mov")
        #expect(found("a", ".mov") == "a.mov")
        #expect(found("a", "mkv") == "a.mp4")
        #expect(found("b", "mov") == "b.mp4")
        #expect(found("b", "") == "b.mp4")
        #expect(found("v1.5", "mov") == "v1.5.mp4")
        #expect(found("bare", "mov") == "bare")
    }

    @Test("resources are searched in the main bundle, other bundles, working directory")
    func places() throws {
        let everywhere = ["main/a.mp4", "App_App.resources/a.mp4", "Kit.bundle/Contents/Resources/a.mp4", "here/a.mp4"]
        for first in everywhere.indices {
            let folder = try Folder(Array(everywhere[first...]))
            defer { folder.remove() }
            #expect(try resolver(folder).url(for: "a").path == folder.path(everywhere[first]))
        }
        let folder = try Folder(["App_App.resources/clips/a.mp4", "App_App.notresources/b.mp4"])
        defer { folder.remove() }
        #expect(try resolver(folder).url(for: "clips/a").path == folder.path("App_App.resources/clips/a.mp4"))
        #expect(throws: VPErrors.sourceNotFound("b")) { try resolver(folder).url(for: "b") }
    }

    // For example, a program next to the app must not hide a video with the same name.
    @Test("a match with the extension precedes one without, in any folder")
    func spellingFirst() throws {
        let folder = try Folder(["main/clip", "App_App.resources/clip.mp4", "here/clip.mov"])
        defer { folder.remove() }
        #expect(try resolver(folder).url(for: "clip").lastPathComponent == "clip.mp4")
        #expect(try resolver(folder).url(for: "clip", ext: "mov").lastPathComponent == "clip.mov")
    }

    @Test("a folder is not a video")
    func folders() throws {
        let folder = try Folder(["main/clip.mp4/inside"])
        defer { folder.remove() }
        #expect(throws: VPErrors.sourceNotFound("clip")) { try resolver(folder).url(for: "clip") }
    }

    @Test("a resource of a SwiftPM target is found by its name")
    func swiftPM() throws {
        #expect(try SourceResolver().url(for: "zoetrope").lastPathComponent == "zoetrope.mp4")
    }
}
