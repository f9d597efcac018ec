import Foundation
import Observation
import Synchronization
import Testing

@testable import Downloads

/// Tests which changes of a download update a view.
@Suite("Observation of downloads") @MainActor struct DownloadObservationTests {
    /// Returns whether `change` changes a property that `read` reads.
    private func depends(_ read: () -> Void, on change: () -> Void) -> Bool {
        let isChanged = Mutex(false)
        withObservationTracking(read) { isChanged.withLock { $0 = true } }
        change()
        return isChanged.withLock { $0 }
    }

    @Test("only getters register what a view reads")
    func reads() async throws {
        let test = try await TestLibrary(starts: false)
        let library = test.library
        let url = try #require(URL(string: "http://127.0.0.1:9/film.mp4"))
        let download = try await library.add(url, paused: true)
        var snapshot = DownloadSnapshot(
            id: download.id, url: url, title: "", options: download.options, state: download.state,
            progress: download.progress, added: download.added, location: download.location, playable: nil,
            session: "", note: "")
        func change() {
            snapshot.state = download.state == .finished ? .queued : .finished
            snapshot.title += "x"
            download.take(snapshot)
        }
        #expect(!depends({ _ = (library.downloads, library[download.id], download.states) }, on: change))
        #expect(depends({ _ = download.state }, on: change))
        #expect(depends({ _ = library.downloads.map(\.title) }, on: change))
    }

    @Test("a library's list changes only when downloads are added or removed")
    func list() async throws {
        let test = try await TestLibrary(starts: false)
        let library = test.library
        let first = try await library.add(try #require(URL(string: "http://127.0.0.1:9/first.mp4")), paused: true)
        let isChanged = Mutex(false)
        func track() {
            isChanged.withLock { $0 = false }
            withObservationTracking {
                _ = library.downloads
            } onChange: {
                isChanged.withLock { $0 = true }
            }
        }

        track()
        try await first.resume()
        #expect(await first.reaches { $0 == .queued } == .queued)
        try await first.pause()
        #expect(await first.reaches { $0 == .paused } == .paused)
        #expect(!isChanged.withLock { $0 } && library.downloads.count == 1)

        let second = try await library.add(try #require(URL(string: "http://127.0.0.1:9/second.mp4")), paused: true)
        #expect(isChanged.withLock { $0 } && library.downloads.map(\.id) == [first.id, second.id])
        track()
        try await first.remove()
        #expect(await first.reaches { $0 == .cancelled } == .cancelled)
        #expect(library.downloads.map(\.id) == [second.id] && isChanged.withLock { $0 })
    }
}
