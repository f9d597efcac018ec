import Foundation
import Testing

@testable import PlayerApp

@Suite("The folder of the file dialog")
@MainActor
struct FileChooserTests {
    @Test("the dialog begins in the playing file's folder, never at a server")
    func folder() throws {
        let file = URL(fileURLWithPath: "/films/a folder/film.mp4")
        #expect(FileChooser.folder(for: file)?.path == "/films/a folder")
        let stream = try #require(URL(string: "https://example.org/films/film.m3u8"))
        #expect(FileChooser.folder(for: stream) == FileChooser.folder(for: nil))
        #expect(FileChooser.folder(for: nil)?.isFileURL != false)
    }
}
