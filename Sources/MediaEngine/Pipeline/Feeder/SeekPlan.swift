import MediaCore

/// A decision about the execution of a seek. It depends only on the state at the start of the seek and on the reader's
/// position afterward.
enum SeekPlan: Equatable {
    /// Continue decoding from the current packet. Going back to the keyframe before the target would decode the same
    /// packets again. The segment begins at `from`.
    case decodeOn(from: MediaTime)
    /// Show a single frame from the source's index, because a paused player seeks to a position that is not loaded. If
    /// there is no such frame, or it fails to load, the feeder seeks in the open item.
    case showKeyFrame
    /// Read from the target on, after opening the entry if it is not open.
    case read

    /// The state on which the decision is based.
    struct Situation {
        /// Whether the player is paused and the clock is stopped.
        var isPaused: Bool
        /// Whether the timeline has a single segment, which belongs to the seek's entry and has video, and which the
        /// open reader reads with the requested tracks. `false` for a decoded clip and for a repeated part.
        var feedsOnlyIt: Bool
        /// Like `feedsOnlyIt`, but the tracks may differ and the timeline may have other segments.
        var readsIt: Bool
        /// Whether more packets will be fed from the reader's present position.
        var isFeeding: Bool
        var duration: MediaTime?
        /// The media time of the displayed frame, or of another one with which decoding can continue; `nil` if there is
        /// none.
        var videoStart: MediaTime?
        /// The media time from which audio can be decoded again; `nil` if no packet is missing, or without audio.
        var audioStart: MediaTime?
        /// Whether a remote source has loaded nothing at the target.
        var targetIsUnloaded: Bool
    }

    /// The media time before the target from which audio must be decoded, because audio decoders need a run-up.
    static let audioRunUp: MediaTime = 250_000_000

    /// Decides how to carry out `seek`.
    ///
    /// - Parameter isSameGroup: Whether there is no keyframe between two media times, as far as the reader knows.
    static func plan(
        _ seek: SeekRequest, _ now: Situation, isSameGroup: (_ target: MediaTime, _ available: MediaTime) -> Bool
    ) -> SeekPlan {
        if now.feedsOnlyIt, now.isFeeding, let available = now.videoStart, seek.target >= available,
            seek.target < now.duration ?? 0,
            isSameGroup(seek.target, available)
        {
            let start = max(available, seek.target - seek.toleranceBefore)
            if now.audioStart.map({ start - audioRunUp >= $0 }) ?? true { return .decodeOn(from: start) }
        }
        if now.isPaused, now.readsIt, now.targetIsUnloaded, seek.toleranceBefore > 0 || seek.toleranceAfter > 0 {
            return .showKeyFrame
        }
        return .read
    }

    /// Returns the target of `seek`, clamped to the item.
    ///
    /// - Parameters:
    ///   - length: The duration of the item; `nil` if unknown.
    ///   - loopEnd: The end of a pass if the player has to stop there; `nil` if it does not.
    static func target(of seek: SeekRequest, length: MediaTime?, stoppingBefore loopEnd: MediaTime?) -> MediaTime {
        var within = max(0, length.map { min(seek.target, $0) } ?? seek.target)
        if let loopEnd { within = max(0, min(within, loopEnd - 1)) }
        return within
    }

    /// Returns the media time at which the segment begins after the reader has landed. Prefers a keyframe within the
    /// tolerance, because no frames before the target have to be decoded then.
    ///
    /// - Parameters:
    ///   - keyframe: The time of the keyframe at which the reader landed; `nil` if there is none or no video.
    ///   - position: The time to which the reader moved because the target is no longer available; `nil` if it did not
    ///     move.
    static func start(_ seek: SeekRequest, target: MediaTime, keyframe: MediaTime?, movedTo position: MediaTime?)
        -> MediaTime
    {
        var start = target
        if let keyframe, keyframe.hasBegun(by: target), target - keyframe <= seek.toleranceBefore {
            start = keyframe
        } else if seek.toleranceBefore > 0 {
            start = max(keyframe ?? 0, target - min(seek.toleranceBefore, target))
        }
        // Starting earlier would wait for media that is no longer available.
        return position.map { max(start, $0) } ?? start
    }
}
