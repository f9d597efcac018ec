import Foundation
import MediaCore
import Streaming
import Synchronization

/// Who is told which cues stand: Apple's `AVPlayerItemLegibleOutputPushDelegate`. Main actor.
@MainActor @preconcurrency
public protocol AVPlayerItemLegibleOutputPushDelegate: AnyObject {
    /// The cues that stand have changed: one began or ended, time jumped, other subtitles were chosen.
    ///
    /// - Parameters:
    ///   - strings: what stands now, a string for each cue in the order they began; empty when nothing does.
    ///   - cues: the same with their times, settings and tags. In the place of Apple's sample buffers.
    ///   - itemTime: the item's time now.
    func legibleOutput(
        _ output: AVPlayerItemLegibleOutput, didOutputAttributedStrings strings: [AttributedString], cues: [WebVTTCue],
        forItemTime itemTime: CMTime)

    /// Time jumped: what was told before holds no longer; what holds now follows, if anything does.
    func outputSequenceWasFlushed(_ output: AVPlayerItemLegibleOutput)
}

extension AVPlayerItemLegibleOutputPushDelegate {
    public func outputSequenceWasFlushed(_ output: AVPlayerItemLegibleOutput) {}
}

/// A tap on an item's subtitles: what is to be read, when it is to be read. Apple's `AVPlayerItemLegibleOutput`.
///
/// Tells its delegate and its closure whenever the cues that stand change, by the player's clock; or is asked by
/// `cues(at:)`. Works for the subtitle renditions of HLS streams, for tracks of text in files and for closed captions
/// in the picture; tracks of pictures (Blu-ray, DVD, DVB) have nothing to tell here. Main actor.
@MainActor @preconcurrency
public final class AVPlayerItemLegibleOutput {
    /// Told on the main actor; see `setDelegate(_:)`.
    public private(set) weak var delegate: (any AVPlayerItemLegibleOutputPushDelegate)?
    /// The delegate's first call as a closure.
    public var onChange: (@MainActor (_ cues: [WebVTTCue], _ itemTime: CMTime) -> Void)?
    private weak var item: AVPlayerItem?
    private var shown: [WebVTTCue] = []

    /// To be attached by `AVPlayerItem.add(_:)`.
    public init() {}

    /// Held weakly. It is told at once what stands, if anything does.
    public func setDelegate(_ delegate: (any AVPlayerItemLegibleOutputPushDelegate)?) {
        self.delegate = delegate
        if let item, !shown.isEmpty {
            delegate?.legibleOutput(
                self, didOutputAttributedStrings: shown.map(\.attributedString), cues: shown,
                forItemTime: item.currentTime())
        }
    }

    /// The cues that stand at `itemTime`, in the order they begin. Empty where nothing does, and where nothing has
    /// come yet: around the playhead cues are at hand, elsewhere perhaps.
    public func cues(at itemTime: CMTime) -> [WebVTTCue] {
        guard let item, let time = itemTime.nanoseconds else { return [] }
        return item.cues.filter { $0.isInForce(at: time) }
    }

    func connect(_ item: AVPlayerItem?) {
        self.item = item
        shown = []
    }

    func show(_ cues: [WebVTTCue], at time: CMTime) {
        guard cues != shown else { return }
        shown = cues
        delegate?.legibleOutput(
            self, didOutputAttributedStrings: cues.map(\.attributedString), cues: cues, forItemTime: time)
        onChange?(cues, time)
    }

    func flush() { delegate?.outputSequenceWasFlushed(self) }
}

extension AVPlayerItem {
    /// Of the subtitles that play, as far as they are at hand; in media time, sorted by when they begin.
    var cues: [WebVTTCue] { entry.subtitles.cues }

    /// What of this item is to be read, for whoever draws it: the selected subtitles, whatever they are made of.
    /// Reading of a file's tracks begins when somebody listens.
    nonisolated package var subtitleSource: any SubtitleSource { entry.subtitles }
}
