import Foundation
import MediaCore
import Streaming
import Synchronization

/// The selectable options of the stream at an asset's URL. They are loaded on the first request and kept.
final class StreamPresentation: Sendable {
    private let known = Mutex<HLSPresentation?>(nil)
    private let url: URL
    private let options: AssetOptions

    init(url: URL, options: AssetOptions) {
        self.url = url
        self.options = options
    }

    /// Whether the URL names a playlist.
    var isNamedPlaylist: Bool { HLSReader.claims(url, options.http) }

    /// Loads the options. Cancelling the task ends the request. A failure is forgotten, so that a later call tries
    /// again.
    func load() async throws(AVError) -> HLSPresentation {
        if let presentation = known.withLock({ $0 }) { return presentation }
        let settings = HLSReader.settings(options.http)
        let loaded = try await PresentationLoader.presentation(
            at: url, options: options.http, canDecode: settings.canDecode)
        known.withLock { $0 = loaded.presentation }
        return loaded.presentation
    }

    /// Loads the options, and blocks the calling thread for at most `timeout` seconds.
    func loadNow(timeout: Double) throws(AVError) -> HLSPresentation {
        if let presentation = known.withLock({ $0 }) { return presentation }
        let end = HostClock.now() + Int64(timeout * 1e9)
        let loaded = try PresentationLoader.load(url, settings: HLSReader.settings(options.http)) {
            HostClock.now() > end
        }
        known.withLock { $0 = loaded }
        return loaded
    }
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
            do throws(AVError) { return try stream.loadNow(timeout: timeout) } catch {
                guard error.code == .decoderNotFound else { throw error }
            }
        }
        // If the asset was read before, its details are used. Otherwise the URL does not identify a stream, so the
        // asset is read to find out.
        return try detailsNow().stream?.presentation
    }
}
