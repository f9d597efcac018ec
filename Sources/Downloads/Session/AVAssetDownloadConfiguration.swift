import Foundation
import MediaEngine
import Synchronization

/// The media that an `AVAssetDownloadTask` loads. Corresponds to Apple's class of the same name.
///
/// A task copies the values when it is made; later changes do not affect it. Any thread.
///
/// ```swift
/// let configuration = AVAssetDownloadConfiguration(asset: asset, title: "The Kid")
/// configuration.primaryContentConfiguration.variantQualifiers = [.maximumHeight(720)]
/// let task = session.makeAssetDownloadTask(downloadConfiguration: configuration)
/// task.resume()
/// ```
public final class AVAssetDownloadConfiguration: Sendable {
    struct State {
        var artworkData: Data?
        var auxiliary: [AVAssetDownloadContentConfiguration] = []
        var optimizes = true
    }
    private let state = Mutex(State())
    let asset: AVURLAsset
    let title: String
    /// The content that every task loads.
    public let primaryContentConfiguration = AVAssetDownloadContentConfiguration()

    /// Creates a configuration for an asset.
    ///
    /// - Parameters:
    ///   - title: The title to show to the user. If the string is empty, the title is made from the last parts of the
    ///     URL's path.
    public init(asset: AVURLAsset, title: String) {
        self.asset = asset
        self.title = title
    }

    /// An encoded image of at most 8 MiB, which is stored beside the media. A larger image is not stored.
    public var artworkData: Data? {
        get { state.withLock { $0.artworkData } }
        set { state.withLock { $0.artworkData = newValue } }
    }
    /// Additional content, which is loaded into the same package.
    public var auxiliaryContentConfigurations: [AVAssetDownloadContentConfiguration] {
        get { state.withLock { $0.auxiliary } }
        set { state.withLock { $0.auxiliary = newValue } }
    }
    /// Whether only the audio and subtitles of the auxiliary content are loaded, for use with the primary video. If
    /// false, the variants of the auxiliary content are loaded too. Default: true.
    public var optimizesAuxiliaryContentConfigurations: Bool {
        get { state.withLock { $0.optimizes } }
        set { state.withLock { $0.optimizes = newValue } }
    }
}

/// A variant of a stream, with its audio and subtitles. Any thread.
public final class AVAssetDownloadContentConfiguration: Sendable {
    private let state = Mutex<(qualifiers: [AVAssetVariantQualifier], selections: [AVMediaSelection])>(([], []))
    /// Creates a configuration for the most demanding variant, in the languages that play by default.
    public init() {}

    /// The conditions for the variant, in the order of preference.
    ///
    /// The first qualifier that any variant satisfies applies. Of the variants that satisfy this qualifier, the most
    /// demanding one is loaded. If no variant satisfies any qualifier, the first qualifier that is not a predicate or a
    /// test decides: a maximum loads the least demanding variant, and `init(variant:)` the one with the nearest bit
    /// rate. If there is no such qualifier, the most demanding variant of the stream is loaded.
    public var variantQualifiers: [AVAssetVariantQualifier] {
        get { state.withLock { $0.qualifiers } }
        set { state.withLock { $0.qualifiers = newValue } }
    }
    /// The media selections to load. If the array of the primary content is empty, the task loads the asset's preferred
    /// selection. An empty array of auxiliary content adds no selection.
    public var mediaSelections: [AVMediaSelection] {
        get { state.withLock { $0.selections } }
        set { state.withLock { $0.selections = newValue } }
    }
}
