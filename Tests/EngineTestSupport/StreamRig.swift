import Foundation
import MediaCore
import TestSupport
import Testing

import MediaEngine
import Streaming

/// A stream from a test server, in a player with a simulated display.
@MainActor
package final class StreamRig {
    package let server: StreamServer
    package let rig: Rig
    package let item: AVPlayerItem
    package var player: AVQueuePlayer { rig.player }

    /// Starts a stream of `TestStreams`.
    /// - Parameters:
    ///   - path: The path of the playlist on the server.
    ///   - timeout: The seconds for which a request may receive no data.
    ///   - opening: The seconds of retries before any data was received.
    ///   - recovery: The seconds of retries after that.
    ///   - prepare: Called before the item is added to the player.
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
        // An earlier server may have had the same port, and its throughput may still be remembered.
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

    /// The media time in seconds.
    package var time: Double { player.currentTime().seconds }
    package var error: AVError? { item.error as? AVError }

    package func play(rate: Float = 1) { player.rate = rate }

    /// Waits until the media time is beyond `seconds`.
    /// - Returns: False if the item fails.
    package func reaches(_ seconds: Double, within limit: Double = Deadline.seconds) async -> Bool {
        await rig.wait(limit) { item.status == .failed || time > seconds } && item.status != .failed
    }

    /// Waits until the item is ready and displays a frame.
    /// - Returns: False if the item fails.
    package func ready(within limit: Double = Deadline.seconds) async -> Bool {
        await rig.wait(limit) { item.status == .failed || item.status == .readyToPlay && rig.picture() != nil }
            && item.status != .failed
    }

    /// Checks that the loaded range from the start grows in more than three steps until it ends beyond `seconds`.
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

    /// Closes the player, and then the server. Records an issue if a request is still running or if too many
    /// connections are open.
    package func close(_ location: SourceLocation = #_sourceLocation) async {
        rig.stopDisplay()
        player.close()
        let server = server
        let isQuiet = await rig.wait { server.requests.allSatisfy { $0.outcome != .running } }
        #expect(
            isQuiet, "still asks: \(server.requests.filter { $0.outcome == .running }.map(\.path))",
            sourceLocation: location)
        // The client keeps up to eight connections for the next request to the same host. The server's threads take
        // some time to detect closed connections.
        let areFew = await rig.wait { server.openConnectionCount <= 8 }
        #expect(areFew, "\(server.openConnectionCount) connections", sourceLocation: location)
        server.close()
    }

    /// The variant of the current frame, determined by its gray.
    package var displayedVariant: Int? { rig.picture().map { TestStreams.variant(luma: Rig.luma($0, quadrant: 2)) } }

    /// The requests for media so far, without playlists and keys.
    package var segmentRequests: [ServedRequest] {
        server.requests.filter { !$0.path.hasSuffix("m3u8") && !$0.path.hasSuffix("key") }
    }

    /// Checks that no frame was displayed twice, or after a later one.
    package func neverWentBack(_ location: SourceLocation = #_sourceLocation) {
        let shown = rig.shown
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 < $1 }, "\(shown)", sourceLocation: location)
    }
}
