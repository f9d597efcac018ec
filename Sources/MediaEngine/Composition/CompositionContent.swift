import Foundation
import MediaCore
import Synchronization

/// A track of a composition, as a value.
struct CompositionTrackState: Sendable {
    /// The number of the track in its composition. Unlike the identifier, it is never used again.
    let number: Int
    let id: CMPersistentTrackID
    let mediaType: AVMediaType
    var segments = SegmentList()
    var preferredTransform = CGAffineTransform.identity
    var preferredVolume: Float = 1
    var isEnabled = true
    /// The time scale; nil for that of the first source.
    var naturalTimeScale: CMTimeScale?
    /// The language as the app has set it; nil for none.
    var language: LanguageTag?

    /// The source of the first segment that is not empty.
    private var firstSource: CompositionSource? { segments.all.lazy.compactMap(\.source).first }

    /// The properties of the track: those of its first source, with the time range and the settings of the track.
    var facts: TrackFacts {
        var facts = TrackFacts(trackID: id, mediaType: mediaType)
        if let first = firstSource?.facts {
            facts.codec = first.codec
            facts.video = first.video
            facts.audio = first.audio
            facts.estimatedDataRate = first.estimatedDataRate
            facts.naturalTimeScale = first.naturalTimeScale
            facts.characteristics.formUnion(first.characteristics.intersection([.containsAlphaChannel]))
        }
        facts.video?.show(PictureOrientation(preferredTransform) ?? .upright)
        facts.language = language
        facts.isEnabled = isEnabled
        if let naturalTimeScale { facts.naturalTimeScale = naturalTimeScale }
        facts.timeRange = CMTimeRange(start: .zero, duration: segments.end)
        return facts
    }
}

/// A composition as a value.
struct CompositionState: Sendable {
    var tracks: [CompositionTrackState] = []
    /// The size that the app has set; nil for the size of the first video track.
    var naturalSize: CGSize?
    /// The largest identifier that a track has had.
    var lastID: CMPersistentTrackID = 0
    /// The number of tracks that were ever added.
    private var addedCount = 0

    /// The end of the longest track.
    var duration: CMTime { tracks.map(\.segments.end).max() ?? .zero }

    var size: CGSize {
        naturalSize ?? tracks.lazy.filter { $0.mediaType == .video }.compactMap { $0.facts.video?.naturalSize }.first
            ?? .zero
    }

    /// Adds a track.
    ///
    /// - Parameter preferredID: The identifier, if it is positive and no other track has it. Otherwise, the track gets
    ///   a new one.
    mutating func addTrack(_ type: AVMediaType, preferredID: CMPersistentTrackID) -> CompositionTrackState {
        var id = preferredID
        if id <= 0 || tracks.contains(where: { $0.id == id }) {
            id = lastID
            repeat { id = id == .max ? 1 : id + 1 } while tracks.contains { $0.id == id }
        }
        lastID = max(lastID, id)
        addedCount += 1
        let track = CompositionTrackState(number: addedCount, id: id, mediaType: type)
        tracks.append(track)
        return track
    }
}

/// The content of a composition, which the composition and its tracks share. Thread-safe.
final class CompositionContent: Sendable {
    private let shared: Mutex<CompositionState>

    init(_ state: CompositionState) { shared = Mutex(state) }

    var state: CompositionState { shared.withLock { $0 } }
    func change<Result: Sendable>(_ body: (inout CompositionState) -> Result) -> Result {
        shared.withLock { body(&$0) }
    }

    /// Returns the track with the number `number`; nil after it was removed.
    func track(_ number: Int) -> CompositionTrackState? {
        shared.withLock { $0.tracks.first { $0.number == number } }
    }
    /// Changes the track with the number `number`. Does nothing after it was removed.
    func changeTrack(_ number: Int, _ body: (inout CompositionTrackState) -> Void) {
        shared.withLock { state in
            guard let index = state.tracks.firstIndex(where: { $0.number == number }) else { return }
            body(&state.tracks[index])
        }
    }
}
