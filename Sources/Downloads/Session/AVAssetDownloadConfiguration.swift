import Foundation
import MediaEngine
import Synchronization

/// What an `AVAssetDownloadTask` loads; after Apple's class of that name. Any thread; the task takes what it says when
/// it is made.
public final class AVAssetDownloadConfiguration: Sendable {
    struct State {
        var artworkData: Data?
        var auxiliary: [AVAssetDownloadContentConfiguration] = []
        var optimizes = true
    }
    private let state = Mutex(State())
    let asset: AVURLAsset
    let title: String
    /// What is loaded in any case.
    public let primaryContentConfiguration = AVAssetDownloadContentConfiguration()

    /// - Parameters:
    ///   - title: for people; empty: the URL's last part.
    public init(asset: AVURLAsset, title: String) {
        self.asset = asset
        self.title = title
    }

    /// An encoded picture, at most 8 MiB; kept beside the media.
    public var artworkData: Data? {
        get { state.withLock { $0.artworkData } }
        set { state.withLock { $0.artworkData = newValue } }
    }
    /// What is loaded beside it, in the same package.
    public var auxiliaryContentConfigurations: [AVAssetDownloadContentConfiguration] {
        get { state.withLock { $0.auxiliary } }
        set { state.withLock { $0.auxiliary = newValue } }
    }
    /// Of auxiliary ones the sound and subtitles alone are loaded, and play with the primary one's picture. False:
    /// their rungs, too.
    public var optimizesAuxiliaryContentConfigurations: Bool {
        get { state.withLock { $0.optimizes } }
        set { state.withLock { $0.optimizes = newValue } }
    }
}

/// One rung with its sounds and subtitles. Any thread.
public final class AVAssetDownloadContentConfiguration: Sendable {
    private let state = Mutex<(qualifiers: [AVAssetVariantQualifier], selections: [AVMediaSelection])>(([], []))
    /// Without a qualifier and a selection: the stream's most demanding variant, in the languages that play by default.
    public init() {}

    /// The first that any of the stream's variants satisfies decides, and of those that do the most demanding one is
    /// loaded. Empty, or none is satisfied: the most demanding one of all.
    public var variantQualifiers: [AVAssetVariantQualifier] {
        get { state.withLock { $0.qualifiers } }
        set { state.withLock { $0.qualifiers = newValue } }
    }
    /// Empty: the asset's preferred one.
    public var mediaSelections: [AVMediaSelection] {
        get { state.withLock { $0.selections } }
        set { state.withLock { $0.selections = newValue } }
    }
}
