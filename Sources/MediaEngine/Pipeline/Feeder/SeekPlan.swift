import MediaCore

/// How a seek is carried out: pure decisions, from what is known when it begins and when the reader has landed.
enum SeekPlan: Equatable {
    /// The decoder goes on from where it is: the keyframe that is needed lies behind us, and going back to it would
    /// decode again what has been decoded. The segment begins at `from`.
    case decodeOn(from: MediaTime)
    /// A single picture of the source's index is shown: a paused player is dragged to a place that has not come yet.
    /// Where there is none, or it does not come, it is sought in what is open.
    case showKeyPicture
    /// In what is open already, or after opening what is asked for.
    case read

    /// What the decision rests on.
    struct Situation {
        /// The player stands, and is meant to.
        var stands: Bool
        /// What is fed is one segment of the entry, with pictures, read (no decoded clip) to its end and without a part
        /// that is repeated, by the reader of the tracks that are asked for.
        var feedsOnlyIt: Bool
        /// As before, but the tracks, and what has been fed besides, do not matter.
        var readsIt: Bool
        /// The feed of it goes on.
        var goesOn: Bool
        var duration: MediaTime?
        /// Media time of the newest picture decoded, the end of the newest packet of sound taken up; nil: none.
        var videoReach: MediaTime?
        var audioReach: MediaTime?
        /// Nothing of the target has come from a remote source.
        var targetIsAway: Bool
    }

    /// Decoders of sound need a little run-up.
    static let soundRunUp: MediaTime = 250_000_000

    /// - Parameter isSameGroup: whether no keyframe lies between two media times, as far as the reader can tell.
    static func plan(
        _ seek: SeekRequest, _ now: Situation, isSameGroup: (_ target: MediaTime, _ reach: MediaTime) -> Bool
    ) -> SeekPlan {
        if now.feedsOnlyIt, now.goesOn, let reach = now.videoReach, seek.target >= reach,
            seek.target < now.duration ?? 0,
            // What the ring has swallowed is gone.
            now.audioReach.map({ seek.target - soundRunUp >= $0 }) ?? true,
            isSameGroup(seek.target, reach)
        {
            return .decodeOn(from: max(reach, seek.target - seek.toleranceBefore))
        }
        if now.stands, now.readsIt, now.targetIsAway, seek.toleranceBefore > 0 || seek.toleranceAfter > 0 {
            return .showKeyPicture
        }
        return .read
    }

    /// The place asked for, within what there is.
    /// - Parameters:
    ///   - length: of the item; nil: not known.
    ///   - loopEnd: where a pass of it ends, when it is to stand at its end; nil: it is not.
    static func target(of seek: SeekRequest, length: MediaTime?, standingBefore loopEnd: MediaTime?) -> MediaTime {
        var within = max(0, length.map { min(seek.target, $0) } ?? seek.target)
        if let loopEnd { within = max(0, min(within, loopEnd - 1)) }
        return within
    }

    /// Where the segment begins once the reader has landed: whatever lies within the tolerance and needs no decoding
    /// beyond a keyframe is taken.
    /// - Parameters:
    ///   - keyframe: that the reader landed on; nil: none, or no pictures.
    ///   - place: where the reader went instead, since what was asked for is gone; nil: it did not.
    static func start(_ seek: SeekRequest, target: MediaTime, keyframe: MediaTime?, movedTo place: MediaTime?)
        -> MediaTime
    {
        var start = target
        if let keyframe, keyframe.hasBegun(by: target), target - keyframe <= seek.toleranceBefore {
            start = keyframe
        } else if seek.toleranceBefore > 0 {
            start = max(keyframe ?? 0, target - min(seek.toleranceBefore, target))
        }
        // From a place that is gone time would go on, or wait, through what never comes.
        return place.map { max(start, $0) } ?? start
    }
}
