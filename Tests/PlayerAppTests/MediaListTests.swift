import Foundation
import MediaCore
import TestSupport
import Testing

@testable import PlayerApp

@Suite("Lists of media")
struct MediaListTests {
    /// A folder of the test's own.
    final class Folder {
        let path: String
        init() throws {
            path =
                FileManager.default.temporaryDirectory.appendingPathComponent("zt-list-\(UUID().uuidString.prefix(8))")
                .path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        deinit { try? FileManager.default.removeItem(atPath: path) }
        @discardableResult
        func write(_ name: String, _ bytes: [UInt8] = [0]) throws -> URL {
            let url = URL(fileURLWithPath: path + "/" + name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: url)
            return url
        }
        func write(_ name: String, _ text: String) throws -> URL { try write(name, Array(text.utf8)) }
        /// Of its entries, from the folder on.
        func names(_ list: MediaList) -> [String] {
            list.entries.map { entry in
                FilePath(entry.url).map { $0.description.replacingOccurrences(of: path + "/", with: "") }
                    ?? entry.url.absoluteString
            }
        }
    }

    @Test("a folder stands for the media in it, in the order people read names in, without hidden files and others")
    func folder() throws {
        let folder = try Folder()
        for name in [
            "Part 10.mkv", "part 2.MP4", "Part 1.webm", ".hidden.mp4", "cover.jpg", "notes.txt", "sub/inner.mp4",
            "part 002b.mp3",
        ] {
            try folder.write(name)
        }
        let list = MediaList.expanding([URL(fileURLWithPath: folder.path)])
        #expect(folder.names(list) == ["Part 1.webm", "part 2.MP4", "part 002b.mp3", "Part 10.mkv"])
        #expect(list.problems.isEmpty)
        let empty = MediaList.expanding([
            URL(fileURLWithPath: folder.path + "/sub/..//sub"), URL(fileURLWithPath: "/usr"),
        ])
        #expect(folder.names(empty).count == 1 && empty.problems.map(\.code) == [.notAFile])
    }
}
