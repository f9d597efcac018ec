import Foundation
import Testing

@testable import Streaming

@Suite("Parts of a playlist tracker")
struct PlaylistTrackerPartsTests {
    private func error() throws -> HTTPError {
        HTTPError(.status, url: try PlaylistSamples.url(), status: 503, reason: "is busy")
    }

    @Test("failed reloads are reported from the third on")
    func reloads() throws {
        let error = try error()
        var failures = PlaylistFailures()
        for _ in 0..<2 { failures.reloadDidFail(error) }
        #expect(failures.reloadsFail && failures.reloadFailure == nil)
        failures.reloadDidFail(error)
        #expect(failures.reloadFailure != nil)
        // Their number is kept.
        failures.forget()
        #expect(failures.reloadsFail && failures.reloadFailure == nil)
        failures.reloadDidFail(error)
        #expect(failures.reloadFailure != nil)
        failures.didSucceed()
        #expect(!failures.reloadsFail && failures.reloadFailure == nil)
        failures.reloadDidFail(error)
        #expect(failures.reloadFailure == nil)
    }

    @Test("the failure of a load can be forgotten")
    func load() throws {
        var failures = PlaylistFailures()
        failures.loadDidFail(try error().avError, isTransient: true)
        #expect(failures.failure != nil && failures.isTransient && !failures.reloadsFail)
        failures.forget()
        #expect(failures.failure == nil && !failures.isTransient)
    }

    @Test("at most three multivariant playlists are followed")
    func location() throws {
        let url = try PlaylistSamples.url("https://media.example/show/live.m3u8")
        var location = PlaylistLocation(url)
        let isFollowed = location.follow(MultivariantPlaylist(url: url))
        #expect(!isFollowed && location.current == url)
        let text = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=1
            only.m3u8

            """
        let playlist = try PlaylistSamples.multivariant(text)
        let areFollowed = (0..<4).map { _ in location.follow(playlist) }
        #expect(areFollowed == [true, true, true, false])
        #expect(location.url == url && location.current.lastPathComponent == "only.m3u8")
    }
}
