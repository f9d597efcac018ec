import Foundation
import MediaCore
import Synchronization

/// A loader for a stream's presentation: its multivariant playlist, or its only media playlist.
@NetworkActor
package final class PresentationLoader {
    package struct Loaded: Sendable {
        package let presentation: HLSPresentation
        /// The media playlist of a stream without a multivariant playlist, or nil.
        package let media: MediaPlaylist?
    }

    private var load: SmallLoad?

    /// Starts loading.
    /// - Parameters:
    ///   - canDecode: Returns whether a codec with this RFC 6381 name can be decoded.
    ///   - onFailure: Called with every failure, including those that are retried.
    ///   - completion: Called once, unless the load is canceled.
    init(
        url: URL, options: HTTPOptions, retry: RetryPolicy, canDecode: @escaping @Sendable (String) -> Bool,
        loop: any NetworkLoop,
        onFailure: @escaping @NetworkActor (HTTPError) -> Void = { _ in },
        completion: @escaping @NetworkActor (Result<Loaded, AVError>) -> Void
    ) {
        load = SmallLoad(
            loop: loop, request: HTTPRequest(url: url, options: options, limit: 32 << 20, acceptsCompression: true),
            retry: retry,
            onFailure: onFailure,
            completion: {
                completion(
                    $0.mapError(\.avError).flatMap { Self.read($0.bytes, $0.response.url, requested: url, canDecode) })
            })
    }

    func cancel() { load?.cancel() }

    /// Parses a playlist, and returns the presentation that it describes. Any thread.
    /// - Parameters:
    ///   - url: The URL of the text after redirects.
    ///   - requested: The URL before redirects, from which the only media playlist of a stream is loaded.
    package nonisolated static func read(_ bytes: [UInt8], _ url: URL, requested: URL, _ canDecode: (String) -> Bool)
        -> Result<
            Loaded, AVError
        >
    {
        do throws(AVError) {
            switch try parse(bytes, url) {
            case .multivariant(let playlist):
                return .success(Loaded(presentation: try HLSPresentation(playlist, canDecode: canDecode), media: nil))
            case .media(let playlist):
                return .success(Loaded(presentation: HLSPresentation(single: requested), media: playlist))
            }
        } catch {
            return .failure(error)
        }
    }

    private nonisolated static func parse(_ bytes: [UInt8], _ url: URL) throws(AVError) -> Playlist {
        do throws(PlaylistError) { return try Playlist.parse(bytes, url: url) } catch { throw error.avError }
    }

    // MARK: calls from other threads

    /// Loads the presentation of the stream at `url`. Any task; canceling the task cancels the request.
    /// - Throws: A network error, or an error with the code `.playlistInvalid`, `.decoderNotFound` or `.cancelled`.
    package nonisolated static func presentation(
        at url: URL, options: HTTPOptions, canDecode: @escaping @Sendable (String) -> Bool,
        loop: any NetworkLoop = HTTPClient.shared
    ) async throws(AVError) -> Loaded {
        let call = Call()
        let cancelled = AVError(.cancelled, at: url.location, reason: "the operation was cancelled")
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Loaded, AVError>, Never>) in
                call.wait(continuation)
                if Task.isCancelled { return call.end(.failure(cancelled)) }
                loop.perform {
                    call.keep(
                        PresentationLoader(
                            url: url, options: options, retry: .opening, canDecode: canDecode, loop: loop
                        ) {
                            call.end($0)
                            // The loader holds this closure and therefore the call.
                            call.cancel()
                        })
                }
            }
        } onCancel: {
            call.end(.failure(cancelled))
            loop.perform { call.cancel() }
        }
        return try result.get()
    }

    /// A call that waits for a presentation.
    private final class Call: Sendable {
        private struct State {
            var continuation: CheckedContinuation<Result<Loaded, AVError>, Never>?
            var loader: PresentationLoader?
            var isOver = false
        }
        private let state = Mutex(State())

        func wait(_ continuation: CheckedContinuation<Result<Loaded, AVError>, Never>) {
            state.withLock { $0.continuation = continuation }
        }

        @NetworkActor func keep(_ loader: PresentationLoader) {
            let isOver = state.withLock { state in
                if !state.isOver { state.loader = loader }
                return state.isOver
            }
            if isOver { loader.cancel() }
        }

        func end(_ result: Result<Loaded, AVError>) {
            state.withLock { state in
                defer { state.continuation = nil }
                // A cancellation may happen before the continuation is set.
                if state.continuation != nil { state.isOver = true }
                return state.continuation
            }?.resume(returning: result)
        }

        @NetworkActor func cancel() {
            state.withLock { state in
                state.isOver = true
                defer { state.loader = nil }
                return state.loader
            }?.cancel()
        }
    }
}
