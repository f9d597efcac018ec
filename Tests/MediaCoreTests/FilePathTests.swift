import Foundation
import Testing

@testable import MediaCore

@Suite("File paths as bytes")
struct FilePathTests {
    @Test(
        "a path survives conversion to a URL, UTF-8 or not",
        arguments: [
            Array("/a b/ü%20#?.mp4".utf8), Array("/caf".utf8) + [0xE9] + Array(".mp4".utf8),
            [0x2F, 0xFF, 0xFE, 0x25, 0x32, 0x30], Array("/e\u{301}/\u{10FFFF}".utf8), Array("/x\n\u{1B}[2J".utf8),
            Array("/-dash".utf8),
        ] as [[UInt8]])
    func around(bytes: [UInt8]) throws {
        let path = try #require(FilePath(bytes: bytes))
        #expect(FilePath(path.url)?.bytes == bytes)
        #expect(path.cString.last == 0 && path.cString.count == bytes.count + 1)
        #expect(path.url.isFileURL)
        #expect(path.url.location == path.description && !path.description.isEmpty)
        #expect(!path.description.unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test("a path has a description, a folder, a name and an extension")
    func parts() throws {
        let path = try #require(FilePath(bytes: Array("/a/caf".utf8) + [0xE9] + Array(".PNG".utf8)))
        #expect(
            path.description == "/a/caf\\xE9.PNG" && path.name.description == "caf\\xE9.PNG"
                && path.folder.description == "/a" && path.pathExtension == "PNG")
        #expect(FilePath(URL(fileURLWithPath: "/usr/"))?.description == "/usr")
        #expect(FilePath(URL(fileURLWithPath: "/.hidden"))?.pathExtension == "")
        #expect(try FilePath(#require(URL(string: "https://example.org/a"))) == nil)
        #expect(try FilePath(#require(URL(string: "file:///a%00b"))) == nil)
        #expect(FilePath(bytes: []) == nil && FilePath(bytes: [0x61, 0]) == nil)
    }

    @Test("a file can be accessed even if its name is not UTF-8")
    func access() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-path-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try #require(FilePath(folder)).appending([0x63, 0xE9])
        #expect(!file.url.startAccessingSecurityScopedResource() && !file.exists && file.status == nil)
        let handle = file.withCString { open($0, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600) }
        try #require(handle >= 0)
        defer { _ = file.withCString { unlink($0) } }
        close(handle)
        #expect(file.url.startAccessingSecurityScopedResource() && file.exists && file.status?.st_size == 0)
        #expect(try !#require(URL(string: "https://example.org/a")).startAccessingSecurityScopedResource())
    }

    @Test("a folder entry is recognized as a folder without its type")
    func entryTypes() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-path-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = folder.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
        let file = folder.appendingPathComponent("file")
        try Data().write(to: file)
        let unknown = Int32(DT_UNKNOWN)
        #expect(try #require(FilePath(folder)).isFolder(entryType: unknown))
        // A search that followed links could return to the same folder again and again.
        for other in [link, file, folder.appendingPathComponent("missing")] {
            #expect(try !#require(FilePath(other)).isFolder(entryType: unknown), "\(other.lastPathComponent)")
        }
        let path = try #require(FilePath(file))
        #expect(path.isFolder(entryType: Int32(DT_DIR)) && !path.isFolder(entryType: Int32(DT_REG)))
    }

    @Test("only regular files within the size limit are read")
    func contents() throws {
        func error(_ name: String, limit: Int = 100) -> AVError.Code? {
            do throws(AVError) { _ = try FilePath(bytes: name.utf8)?.contents(limit: limit, kind: "words") } catch {
                return error.code
            }
            return nil
        }
        #expect(
            error("/dev/zero") == .notAFile && error("/usr") == .notAFile && error("/nonexistent/x") == .fileNotFound)
        #expect(error("/proc/self/status") == .readFailed && error("/proc/self/status", limit: 1 << 20) == nil)
        #expect(error("/etc/passwd", limit: 1) == .readFailed)
    }

    @Test("the beginning of a file is read without waiting")
    func beginning() throws {
        func beginning(_ name: String, _ count: Int) -> [UInt8]? {
            FilePath(bytes: name.utf8)?.beginning(count)
        }
        #expect(beginning("/proc/self/status", 5) == Array("Name:".utf8))
        let whole = try #require(FilePath(bytes: "/etc/passwd".utf8)).contents(limit: 1 << 20, kind: "words")
        #expect(beginning("/etc/passwd", whole.count + 10) == whole)
        #expect(beginning("/dev/zero", 1) == nil && beginning("/usr", 1) == nil && beginning("/nonexistent", 1) == nil)
        // The kernel's log: a plain read waits for the next message, and several readers share the messages.
        #expect(beginning("/proc/kmsg", 1)?.count ?? 0 < 2)
    }
}
