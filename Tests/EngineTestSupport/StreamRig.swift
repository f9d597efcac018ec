import Foundation
import MediaCore
import TestSupport
import Testing

import MediaEngine
import Streaming

/// A stream from a server of the test's own, in a player with a display that pulls.
@MainActor
package final class StreamRig {
    package let server: StreamServer
    package let rig: Rig
    package let item: AVPlayerItem
    package var player: AVQueuePlayer { rig.player }

    /// - Parameters:
    ///   - timeout: seconds a request may be silent.
    ///   - opening: seconds of trying again before anything has come.
    ///   - recovery: the same later.
    package convenience init(
        _ path: String, timeout: Double = 20, opening: Double = 2, recovery: Double = .infinity,
        _ prepare: (StreamServer, AVPlayerItem) throws -> Void = { _, _ in }
    ) throws {
        let server = try TestStreams.server()
        try self.init(server.url(for: path), server, timeout: timeout, opening: opening, recovery: recovery, prepare)
    }

    package init(
        _ url: URL, _ server: StreamServer, timeout: Double = 20, opening: Double = 2, recovery: Double = .infinity,
        _ prepare: (StreamServer, AVPlayerItem) throws -> Void = { _, _ in }
    ) throws {
        self.server = server
        // Another test's server may have had the same port, and its throughput be remembered.
        ThroughputMemory.shared.remember(1_000_000, for: url)
        rig = Rig()
        item = AVPlayerItem(
            asset: AVURLAsset(
                url: url,
                options: [
                    AVURLAssetTimeoutKey: timeout, AVURLAssetOpeningTimeoutKey: opening,
                    AVURLAssetRecoveryTimeoutKey: recovery,
                ]))
        try prepare(server, item)
        player.insert(item)
    }

    /// Media time, seconds.
    package var time: Double { player.currentTime().seconds }
    package var error: AVError? { item.error as? AVError }

    package func play(rate: Float = 1) { player.rate = rate }

    /// Waits until media time is beyond `seconds`, or the item has failed: then false.
    package func reaches(_ seconds: Double, within limit: Double = Deadline.seconds) async -> Bool {
        await rig.wait(limit) { item.status == .failed || time > seconds } && item.status != .failed
    }

    /// Waits until it is ready and shows a picture, or has failed: then false.
    package func ready(within limit: Double = Deadline.seconds) async -> Bool {
        await rig.wait(limit) { item.status == .failed || item.status == .readyToPlay && rig.picture() != nil }
            && item.status != .failed
    }

    /// What is loaded from the start on grows, in more than three steps, until it reaches beyond `seconds`.
    package func loadsBitByBit(to seconds: Double, _ location: SourceLocation = #_sourceLocation) async {
        var ends: [Double] = []
        let isLoaded = await rig.wait {
            let end = item.loadedTimeRanges.first?.timeRangeValue.end.seconds ?? 0
            if end > (ends.last ?? 0) { ends.append(end) }
            return end > seconds
        }
        #expect(isLoaded && ends.count > 3, "\(ends)", sourceLocation: location)
    }

    package func fails(within limit: Double = Deadline.seconds) async -> AVError? {
        _ = await rig.wait(limit) { item.status == .failed }
        return error
    }

    /// Ends the player, then the server. In between no request may go on and no connection be in use.
    package func close(_ location: SourceLocation = #_sourceLocation) async {
        rig.stopDisplay()
        player.close()
        let server = server
        let isQuiet = await rig.wait { server.requests.allSatisfy { $0.outcome != .running } }
        #expect(
            isQuiet, "still asks: \(server.requests.filter { $0.outcome == .running }.map(\.path))",
            sourceLocation: location)
        // As many as the client keeps for the next request to the same host; the server's threads meet the others' ends
        // in their time.
        let areFew = await rig.wait { server.openConnectionCount <= 8 }
        #expect(areFew, "\(server.openConnectionCount) connections", sourceLocation: location)
        server.close()
    }

    /// The rung of the picture that stands now, by its grey.
    package var rungShown: Int? { rig.picture().map { TestStreams.rung(luma: Rig.luma($0, quadrant: 2)) } }

    /// Requests for media (not playlists) so far.
    package var segmentRequests: [ServedRequest] {
        server.requests.filter { !$0.path.hasSuffix("m3u8") && !$0.path.hasSuffix("key") }
    }

    /// No picture was shown twice or after a later one.
    package func neverWentBack(_ location: SourceLocation = #_sourceLocation) {
        let shown = rig.shown
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 < $1 }, "\(shown)", sourceLocation: location)
    }
}
