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

    /// The same, blocking the calling thread.
    func loadNow(patience: Double) throws(AVError) -> HLSPresentation {
        if let presentation = known.withLock({ $0 }) { return presentation }
        let end = HostClock.now() + Int64(patience * 1e9)
        let loaded = try PresentationLoader.load(url, settings: HLSReader.settings(options)) { HostClock.now() > end }
        known.withLock { $0 = loaded }
        return loaded
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

    /// The same of what is a stream by its name, blocking the calling thread; nil: it is none, or cannot be read.
    func streamPresentationNow() -> HLSPresentation? {
        guard problem == nil else { return nil }
        if let ready { return ready.stream?.presentation }
        return HLSReader.claims(url) ? try? stream.loadNow(patience: patience) : nil
    }
}
