import Foundation
import MediaCore

/// For those who read on a thread of their own, which may wait.
extension PresentationLoader {
    /// Waits for the playlist at `url`; of a media playlist the presentation is that one alone.
    ///
    /// - Parameter isInterrupted: asked while waiting, at least ten times a second.
    /// - Throws: `.playlistInvalid` with the line, `.badServerResponse` with the status, `.decoderNotFound` when no
    ///   variant can be decoded, `.cancelled` when interrupted, or another way the network fails.
    package nonisolated static func load(
        _ url: URL, settings: HLSSession.Settings, loop: any NetworkLoop = HTTPClient.shared,
        isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> HLSPresentation {
        let request = HTTPRequest(url: url, options: settings.options, limit: 32 << 20, acceptsCompression: true)
        let (bytes, response) = try wait(
            for: request, retry: settings.opening, loop: loop, isInterrupted: isInterrupted)
        return try read(bytes, response.url, asked: url, settings.canDecode).get().presentation
    }

    /// What an `EXT-X-SESSION-DATA` refers to (RFC 8216 §4.3.4.4): tried once, a few seconds, 1 MiB. Waits.
    package nonisolated static func sessionData(
        at url: URL, options: HTTPOptions, loop: any NetworkLoop = HTTPClient.shared,
        isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> [UInt8] {
        var options = options
        options.timeouts.total = 5_000_000_000
        let request = HTTPRequest(url: url, options: options, limit: 1 << 20, acceptsCompression: true)
        return try wait(for: request, retry: RetryPolicy(tries: 1, within: 0), loop: loop, isInterrupted: isInterrupted)
            .bytes
    }

    private nonisolated static func wait(
        for request: HTTPRequest, retry: RetryPolicy, loop: any NetworkLoop,
        isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> (bytes: [UInt8], response: HTTPResponse) {
        let gate = StreamGate(isInterrupted: isInterrupted)
        let place = request.url.location
        let answer = GateAnswer<Result<(bytes: [UInt8], response: HTTPResponse), HTTPError>>(gate)
        let holder = Holder()
        loop.perform { holder.load = SmallLoad(loop: loop, request: request, retry: retry) { answer.give($0) } }
        // Let go on the loop, where it lives.
        defer { loop.perform { holder.load = nil } }
        guard let result = answer.wait() else {
            throw AVError(.cancelled, at: place, reason: "the operation was cancelled")
        }
        return try result.mapError(\.avError).get()
    }

    @NetworkActor
    private final class Holder {
        var load: SmallLoad?

        nonisolated init() {}
    }
}
