import Foundation
import MediaCore
import Streaming
import Synchronization

/// The selectable options of the stream at an asset's URL. They are loaded on the first request and kept.
final class StreamPresentation: Sendable {
    private typealias Request = Task<Result<HLSPresentation, AVError>, Never>
    private struct State {
        var known: HLSPresentation?
        /// The requests in progress that `load()` has started.
        var requests: Set<Request> = []
    }
    private let state = Mutex(State())
    private let url: URL
    private let options: AssetOptions

    init(url: URL, options: AssetOptions) {
        self.url = url
        self.options = options
    }

    /// Whether the URL names a playlist.
    var isNamedPlaylist: Bool { HLSReader.claims(url, options.http) }

    /// Loads the options. Cancelling the task, or `cancel()`, ends the request. A failure is forgotten, so that a later
    /// call tries again.
    func load() async throws(AVError) -> HLSPresentation {
        if let presentation = state.withLock({ $0.known }) { return presentation }
        let (url, http) = (url, options.http)
        // `cancel()` finds the request as soon as it starts.
        let request = state.withLock { state in
            let request = Request {
                do throws(AVError) {
                    let loaded = try await PresentationLoader.presentation(
                        at: url, options: http, canDecode: HLSReader.settings(http).canDecode)
                    return .success(loaded.presentation)
                } catch {
                    return .failure(error)
                }
            }
            state.requests.insert(request)
            return request
        }
        let result = await withTaskCancellationHandler {
            await request.value
        } onCancel: {
            request.cancel()
        }
        state.withLock { state in
            state.requests.remove(request)
            if case .success(let presentation) = result { state.known = presentation }
        }
        return try result.get()
    }

    /// Loads the options, and blocks the calling thread until they are loaded, or until `token` ends the request.
    func loadNow(until token: InterruptToken) throws(AVError) -> HLSPresentation {
        if let presentation = state.withLock({ $0.known }) { return presentation }
        let loaded = try PresentationLoader.load(url, settings: HLSReader.settings(options.http)) {
            token.isInterrupted || token.isOverTime
        }
        state.withLock { $0.known = loaded }
        return loaded
    }

    /// Ends the requests of `load()`, which fail with `.cancelled`.
    func cancel() { for request in state.withLock({ $0.requests }) { request.cancel() } }
}

extension AssetLoader {
    /// Returns the options of a stream; nil if the asset is not a stream.
    func streamPresentation() async throws(AVError) -> HLSPresentation? {
        if let problem { throw problem }
        if stream.isNamedPlaylist {
            do throws(AVError) { return try await stream.load() } catch {
                // The details have the options even if no decoder is installed.
                guard error.code == .decoderNotFound else { throw error }
            }
        }
        // Otherwise, the URL does not identify a stream, so the asset is read to find out.
        return try await details().stream?.presentation
    }

    /// Returns the options of a stream, and blocks the calling thread. Nil if the asset is not a stream.
    func streamPresentationNow() throws(AVError) -> HLSPresentation? {
        if let problem { throw problem }
        if ready == nil, stream.isNamedPlaylist {
            do throws(AVError) { return try stream.loadNow(until: newToken()) } catch {
                guard error.code == .decoderNotFound else { throw error }
            }
        }
        // If the asset was read before, its details are used. Otherwise the URL does not identify a stream, so the
        // asset is read to find out.
        return try detailsNow().stream?.presentation
    }
}
