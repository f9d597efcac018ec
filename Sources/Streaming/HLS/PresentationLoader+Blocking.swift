import Foundation
import MediaCore

// Synchronous calls, for any thread but the loop's.
extension PresentationLoader {
    /// Loads the playlist at `url`, and waits for it. A media playlist results in a presentation with only that
    /// playlist.
    /// - Parameter isInterrupted: Returns whether to stop waiting. Called while waiting, at least ten times per second.
    /// - Throws: A network error, or an error with one of these codes: `.playlistInvalid` (with the line),
    ///   `.badServerResponse` (with the status), `.decoderNotFound` if no variant can be decoded, `.cancelled` if
    ///   interrupted.
    package nonisolated static func load(
        _ url: URL, settings: HLSSession.Settings, loop: any NetworkLoop = HTTPClient.shared,
        isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> HLSPresentation {
        let request = HTTPRequest(url: url, options: settings.options, limit: 32 << 20, acceptsCompression: true)
        let (bytes, response) = try wait(
            for: request, retry: settings.opening, loop: loop, isInterrupted: isInterrupted)
        return try read(bytes, response.url, requested: url, settings.canDecode).get().presentation
    }

    /// Loads the resource of an `EXT-X-SESSION-DATA` tag (RFC 8216 §4.3.4.4), and waits for it. There is one try of at
    /// most 5 s and 1 MiB. The errors are those of `wait`.
    package nonisolated static func sessionData(
        at url: URL, options: HTTPOptions, loop: any NetworkLoop = HTTPClient.shared,
        isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> [UInt8] {
        var options = options
        options.timeouts.total = 5_000_000_000
        let request = HTTPRequest(url: url, options: options, limit: 1 << 20, acceptsCompression: true)
        return try wait(for: request, loop: loop, isInterrupted: isInterrupted).bytes
    }

    /// Loads a small resource, and waits for it. Without `retry`, there is one try. Must not be called on the loop.
    /// - Parameter isInterrupted: Returns whether to stop waiting. Called while waiting, at least ten times per second.
    /// - Throws: A network error, or an error with the code `.cancelled` if interrupted.
    package nonisolated static func wait(
        for request: HTTPRequest, retry: RetryPolicy = RetryPolicy(tries: 1, within: 0),
        loop: any NetworkLoop = HTTPClient.shared, isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> (bytes: [UInt8], response: HTTPResponse) {
        let gate = StreamGate(isInterrupted: isInterrupted)
        let location = request.url.location
        let answer = GateAnswer<Result<(bytes: [UInt8], response: HTTPResponse), HTTPError>>(gate)
        let holder = Holder()
        loop.perform { holder.load = SmallLoad(loop: loop, request: request, retry: retry) { answer.give($0) } }
        // The load is released on the loop, to which it is isolated.
        defer { loop.perform { holder.load = nil } }
        guard let result = answer.wait() else {
            throw AVError(.cancelled, at: location, reason: "the operation was cancelled")
        }
        return try result.mapError(\.avError).get()
    }

    @NetworkActor
    private final class Holder {
        var load: SmallLoad?

        nonisolated init() {}
    }
}
