import Foundation
import MediaCore

/// For those who read on a thread of their own, which may wait.
extension PresentationLoader {
    /// Waits for the playlist at `url`; of a media playlist the presentation is that one alone.
    ///
    /// - Parameter isInterrupted: asked while waiting, at least ten times a second.
    /// - Throws: `.playlistInvalid` with the line, `.badServerResponse` with the status, `.decoderNotFound` when no
    ///   variant can be decoded, `.cancelled` when interrupted, or another way the network fails.
    package static func load(
        _ url: URL, settings: HLSSession.Settings, loop: any NetworkLoop = HTTPClient.shared, isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> HLSPresentation {
        let request = HTTPRequest(url: url, options: settings.options, limit: 32 << 20, acceptsCompression: true)
        let (bytes, response) = try wait(for: request, retry: settings.opening, loop: loop, isInterrupted: isInterrupted)
        let playlist: Playlist
        do throws(PlaylistError) { playlist = try Playlist.parse(bytes, url: response.url) } catch { throw error.avError }
        switch playlist {
        case .multivariant(let playlist): return try HLSPresentation(playlist, canDecode: settings.canDecode)
        case .media: return HLSPresentation(single: url)
        }
    }

    /// What an `EXT-X-SESSION-DATA` refers to (RFC 8216 §4.3.4.4): tried once, a few seconds, 1 MiB. Waits.
    package static func sessionData(
        at url: URL, options: HTTPOptions, loop: any NetworkLoop = HTTPClient.shared, isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> [UInt8] {
        var options = options
        options.timeouts.total = 5_000_000_000
        let request = HTTPRequest(url: url, options: options, limit: 1 << 20, acceptsCompression: true)
        return try wait(for: request, retry: RetryPolicy(tries: 1, within: 0), loop: loop, isInterrupted: isInterrupted).bytes
    }

    private static func wait(
        for request: HTTPRequest, retry: RetryPolicy, loop: any NetworkLoop, isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> (bytes: [UInt8], response: HTTPResponse) {
        let gate = StreamGate(), answer = Answer(), place = request.url.isFileURL ? request.url.path : request.url.absoluteString
        loop.perform {
            answer.load = SmallLoad(loop: loop, request: request, retry: retry) { result in
                gate.monitor.withLock {
                    answer.result = result
                    gate.changed.broadcast()
                }
            }
        }
        // Let go on the loop, where it lives.
        defer { loop.perform { answer.load = nil } }
        let result: Result<(bytes: [UInt8], response: HTTPResponse), AVError> = gate.monitor.withLock {
            while true {
                if let result = answer.result { return result.mapError(\.avError) }
                if isInterrupted() { return .failure(AVError(.cancelled, at: place, reason: "was given up")) }
                gate.wait()
            }
        }
        return try result.get()
    }

    private final class Answer: @unchecked Sendable {
        /// Guarded by the gate.
        var result: Result<(bytes: [UInt8], response: HTTPResponse), HTTPError>?
        /// Confined to the loop.
        var load: SmallLoad?
    }
}
