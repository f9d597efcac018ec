import CFFmpeg
import Foundation
import MediaCore

/// A reader of a composition: returns the packets of the files that the composition shows, and packets of the mixed
/// audio, on one timeline.
///
/// Packets have timestamps in the media time of the composition, in nanoseconds. A packet that is only decoded for
/// those that follow is marked as discarded, as libavformat does for media that an MP4 edit list cuts. At most one file
/// is open for the video, and one for each audio track.
final class CompositionReader: PacketReader {
    static let nanoseconds = AVRational(num: 1, den: 1_000_000_000)

    private(set) var description = ItemDescription()
    private let duration: MediaTime
    private let video: CompositionVideo?
    private let audio: CompositionAudio?
    private let watch: CompositionBuffer?
    let startTime: MediaTime = 0
    var startOffset: MediaTime { 0 }
    var videoEnd: MediaTime? { video?.end }
    var audioEnd: MediaTime? { audio?.end }
    var shortfall: AVError? { video?.shortfall ?? audio?.shortfall }
    var buffer: (any SourceBuffer)? { watch }

    /// Opens the files that are needed at `start`.
    ///
    /// - Parameters:
    ///   - selection: Whether video and audio are read. A composition plays all enabled tracks, so other choices have
    ///     no effect.
    ///   - start: The media time at which to begin.
    ///   - volumes: The audio mix. A change applies to the packets that are read after it.
    /// - Throws: The reason why a file cannot be opened; `.noPlayableTracks` for a composition without media.
    init(
        _ plan: CompositionPlan, _ selection: TrackSelection = TrackSelection(), at start: MediaTime = 0,
        volumes: SharedTrackVolumes = SharedTrackVolumes(), interrupt: InterruptToken
    ) throws(AVError) {
        guard !plan.video.isEmpty || !plan.audio.isEmpty, plan.duration > 0 else { throw CompositionPlan.emptyError }
        duration = plan.duration
        watch = plan.isRemote ? CompositionBuffer(duration: plan.duration) : nil
        description.duration = plan.duration
        let start = min(max(0, start), plan.duration)
        var begin = start
        if selection.video != .none, !plan.video.isEmpty {
            let video = CompositionVideo(plan.video, interrupt: interrupt, watch)
            try video.seek(to: start)
            begin = min(start, video.landing)
            self.video = video
            description.video = video.track
        } else {
            video = nil
        }
        if selection.audio != .none, !plan.audio.isEmpty {
            let audio = try CompositionAudio(plan, volumes, interrupt: interrupt, watch)
            audio.seek(to: begin)
            self.audio = audio
            description.audio = audio.track
        } else {
            audio = nil
        }
    }

    func clamped(_ target: MediaTime) -> MediaTime { target.bounded(to: 0...duration) }
    func isSameGroup(_ target: MediaTime, as reach: MediaTime) -> Bool { false }

    func next() -> ReadStep {
        // Read the track that is behind, so that both queues fill evenly.
        if let video, !video.isEnded, audio.map({ $0.isEnded || video.reach <= $0.reach }) ?? true {
            let step = video.next()
            if case .track(.video(let track)) = step { description.video = track }
            return step
        }
        if let audio, !audio.isEnded {
            do throws(AVError) { return .audio(try audio.next()) } catch { return .failed(error) }
        }
        return .end
    }

    func rewind(keepingPackets: Bool) -> AVError? { seek(to: 0) }
    var canDecodeFromStart: Bool { false }

    func seek(to target: MediaTime) -> AVError? {
        do throws(AVError) {
            try video?.seek(to: clamped(target))
        } catch {
            // If another seek interrupts this one, the next packet tries to open the file again.
            guard error.code == .cancelled else { return error }
        }
        // A seek with a tolerance begins to play at the keyframe, so the audio is needed from there on.
        audio?.seek(to: min(clamped(target), video?.landing ?? .max))
        if let video { description.video = video.track }
        return nil
    }
}
