import Foundation
import MediaCore
import Streaming
import Synchronization

/// What the stream at an asset's URL offers to choose from: loaded when first asked for, and kept.
final class StreamPresentation: Sendable {
    private let known = Mutex<HLSPresentation?>(nil)
    private let url: URL
    private let options: HTTPOptions

    init(url: URL, options: HTTPOptions) {
        self.url = url
        self.options = options
    }

    /// The cancellation of the task ends the request; a failure is forgotten, so that a later call asks again.
    func load() async throws(AVError) -> HLSPresentation {
        if let presentation = known.withLock({ $0 }) { return presentation }
        let settings = HLSReader.settings(options)
        let loaded = try await PresentationLoader.presentation(at: url, options: options, canDecode: settings.canDecode)
        known.withLock { $0 = loaded.presentation }
        return loaded.presentation
    }
}

extension AssetLoader {
    /// Nil when the asset is no stream.
    func streamPresentation() async throws(AVError) -> HLSPresentation? {
        if let problem { throw problem }
        if HLSReader.claims(url) { return try await stream.load() }
        // Told by its content.
        return try await details().stream?.presentation
    }
}
