import CFFmpeg
import MediaCore

/// The facts that a divided export needs about a file.
extension MediaSource {
    /// The facts about a file that decide how each part of a divided export finds its frames.
    package struct DivisionFacts: Sendable {
        /// The duration of the file; `nil` if it is unknown.
        package let duration: MediaTime?
        /// Whether reading after a seek returns the same frames, at the same times, as reading from the start.
        package let hasExactSeeks: Bool

        package init(duration: MediaTime?, hasExactSeeks: Bool) {
            (self.duration, self.hasExactSeeks) = (duration, hasExactSeeks)
        }
    }

    /// Returns the facts about this file. Reads a transport, program or elementary stream once, whatever its size,
    /// because the duration that libavformat estimates is wrong if the timestamps restart.
    ///
    /// - Throws: The errors of `survey()`.
    package func divisionFacts() throws(AVError) -> DivisionFacts {
        guard remote == nil, piped == nil else { return DivisionFacts(duration: duration, hasExactSeeks: true) }
        // Every source of this file that is surveyed when it opens knows the jumps, so its seeks are exact.
        let isAlwaysSurveyed = isSurveyed
        if !isSurveyed, isTransport || isElementary { try survey() }
        let hasUnknownJumps = !isAlwaysSurveyed && packets?.corrector.jumps.isEmpty == false
        return DivisionFacts(duration: duration, hasExactSeeks: !hasUnknownJumps && !guessesPresentationTimes)
    }

    /// Whether the presentation times of frames depend on the frames that were decoded before them: the container
    /// stores only the decoding order, but the codec reorders frames.
    private var guessesPresentationTimes: Bool {
        guard let stream = ItemReader.chooseVideo(self, TrackSelection().video),
            let parameters = stream.pointee.codecpar, parameters.pointee.video_delay > 0
        else { return false }
        // In Matroska, only tracks in the form of AVI files have a tag.
        return formatName == "avi" || formatName.hasPrefix("matroska") && parameters.pointee.codec_tag != 0
    }
}
