import MediaCore
import Synchronization

/// The volume ramps of audio tracks: an audio mix as a value.
package struct TrackVolumes: Sendable {
    private var tracks: [CMPersistentTrackID: VolumeRamps] = [:]

    package init() {}

    /// Sets the ramps of a track, unless the identifier is invalid or the track already has ramps.
    mutating func add(_ ramps: VolumeRamps, for track: CMPersistentTrackID) {
        guard track != kCMPersistentTrackID_Invalid, tracks[track] == nil else { return }
        tracks[track] = ramps
    }

    /// Returns the ramps of `track`, which are empty if none were set.
    package func ramps(of track: CMPersistentTrackID) -> VolumeRamps { tracks[track] ?? VolumeRamps() }
}

/// The volume ramps of an item, which can be changed while a reader or the audio thread uses them. Thread-safe.
package final class SharedTrackVolumes: Sendable {
    private let current: Mutex<TrackVolumes>

    package init(_ volumes: TrackVolumes = TrackVolumes()) { current = Mutex(volumes) }

    package var value: TrackVolumes {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}
