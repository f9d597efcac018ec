import Foundation
import MediaCore
import Streaming
import Synchronization

/// An asset that plays ranges of files one after the other and at the same time. Only an ``AVMutableComposition`` can
/// be changed.
///
/// ```swift
/// if let fixed = composition.copy() as? AVComposition {
///     player.replaceCurrentItem(with: AVPlayerItem(asset: fixed))
/// }
/// ```
/// A player item, an image generator and an export session accept a composition like any asset. The files are opened
/// when they are played, so they must not be moved or changed before. Safe to use from any thread.
///
/// **Buffering.** If a file is remote, `AVPlayerItem.loadedTimeRanges` extends from the current time at most to the end
/// of the parts that are read. Later parts are loaded when they are read.
public class AVComposition: AVAsset, @unchecked Sendable {
    // Unchecked because its superclass is unchecked. All stored properties are constants of `Sendable` types.
    let content: CompositionContent
    let trackList: CompositionTrackList

    /// Creates a composition with the content `state`.
    ///
    /// - Parameter make: Creates a track of the class that the composition returns.
    init(_ state: CompositionState, make: (CompositionTrackState, CompositionContent) -> AVCompositionTrack) {
        let content = CompositionContent(state)
        let list = CompositionTrackList(state.tracks.map { make($0, content) })
        self.content = content
        trackList = list
        super.init(
            loader: AssetLoader(url: CompositionPlan.url) {
                AssetDetails(composition: list.all, duration: content.state.duration)
            })
        for track in list.all { track.belong(to: self, nil) }
    }

    /// The size of the frames, in pixels: that of the first file in the first video track that has one, unless the app
    /// has set another size. Zero without video.
    public var naturalSize: CGSize { content.state.size }

    /// Returns an immutable copy of the composition, as an `AVComposition`.
    public func copy() -> Any { AVComposition(content.state) { AVCompositionTrack($0, in: $1) } }
    /// Returns a copy of the composition, as an `AVMutableComposition`.
    public func mutableCopy() -> Any { AVMutableComposition(content.state) }

    /// An asset with the present content, which players, generators and exports open.
    var playable: AVURLAsset {
        var options = HTTPOptions()
        options.substitute = SubstituteMedia(CompositionPlan(content.state))
        return AVURLAsset(url: CompositionPlan.url, http: options)
    }
}

/// A protocol that allows `tracks` of a composition to have the type of the composition's tracks, as in AVFoundation.
public protocol CompositionMaking: AssetMaking {}
extension AVComposition: CompositionMaking {}

extension CompositionMaking where Self: AVComposition {
    /// The tracks in the order in which they were added.
    public var tracks: [AVCompositionTrack] { trackList.all }
    /// Returns the tracks of `type`, in the order in which they were added.
    public func tracks(withMediaType type: AVMediaType) -> [AVCompositionTrack] {
        trackList.all.filter { $0.mediaType == type }
    }
    /// Returns the tracks with the characteristic `trait`, in the order in which they were added.
    public func tracks(withMediaCharacteristic trait: AVMediaCharacteristic) -> [AVCompositionTrack] {
        trackList.all.filter { $0.hasMediaCharacteristic(trait) }
    }
    /// Returns the track with the identifier `id`; nil if there is none.
    public func track(withTrackID id: CMPersistentTrackID) -> AVCompositionTrack? {
        trackList.all.first { $0.trackID == id }
    }
}

/// The tracks of a composition. Thread-safe.
///
/// The tracks refer to the content and not to this list, so that there is no cycle of references.
final class CompositionTrackList: Sendable {
    private let tracks: Mutex<[AVCompositionTrack]>

    init(_ tracks: [AVCompositionTrack]) { self.tracks = Mutex(tracks) }

    var all: [AVCompositionTrack] { tracks.withLock { $0 } }
    func append(_ track: AVCompositionTrack) { tracks.withLock { $0.append(track) } }
    /// Removes `track`.
    ///
    /// - Returns: `false` if it is not in the list.
    func remove(_ track: AVCompositionTrack) -> Bool {
        tracks.withLock { tracks in
            guard let index = tracks.firstIndex(where: { $0 === track }) else { return false }
            tracks.remove(at: index)
            return true
        }
    }
}
