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
    /// Attaches a tap on the subtitles. An output belongs to one item at a time.
    public func add(_ output: AVPlayerItemLegibleOutput) {
        guard !legibleOutputs.contains(where: { $0 === output }) else { return }
        legibleOutputs.append(output)
        output.connect(self)
        followCues()
        player?.cuesChanged(of: self)
    }

    /// Detaches the output: it tells no more cues. One that is not attached stays as it is.
    public func remove(_ output: AVPlayerItemLegibleOutput) {
        guard legibleOutputs.contains(where: { $0 === output }) else { return }
        legibleOutputs.removeAll { $0 === output }
        output.connect(nil)
        followCues()
    }

    /// Of the subtitles that play, as far as they are at hand; in media time, sorted by when they begin.
    var cues: [WebVTTCue] { entry.subtitles.cues }

    /// What of this item is to be read, for whoever draws it: the selected subtitles, whatever they are made of.
    /// Reading of a file's tracks begins when somebody listens.
    nonisolated package var subtitleSource: any SubtitleSource { entry.subtitles }

    // MARK: from the player

    /// The next media time after `media` at which a cue begins or ends; nil where nobody wants to know.
    func nextCueChange(after time: MediaTime) -> MediaTime? {
        guard !legibleOutputs.isEmpty else { return nil }
        let media = time.nanoseconds
        var next: Int64?
        for cue in cues {
            if cue.start > media {
                next = min(next ?? .max, cue.start)
                // Those that follow begin, and so end, later.
                break
            }
            if cue.end > media { next = min(next ?? .max, cue.end) }
        }
        return next.map { MediaTime(nanoseconds: $0) }
    }

    func showCues(at time: CMTime) {
        guard !legibleOutputs.isEmpty, let media = time.nanoseconds else { return }
        let standing = cues.filter { $0.isInForce(at: media) }
        for output in legibleOutputs { output.show(standing, at: time) }
    }

    func timeJumped() {
        for output in legibleOutputs { output.flush() }
        showCues(at: currentTime())
    }

    /// Nobody plays the item any more.
    func hideCues() { for output in legibleOutputs { output.show([], at: .zero) } }

    /// Carries the choice of subtitles to the stream. They are loaded beside what plays, which goes on.
    func applyLegibleSelection() {
        let choice: StreamSelection.Choice =
            switch currentMediaSelection.subtitleRendition {
            case .some(.some(let index)): .option(index)
            case .some(.none): .none
            case .none: preferredSubtitleLanguages.isEmpty ? .automatic : .languages(preferredSubtitleLanguages)
            }
        entry.subtitles.choose(
            isClosedCaptionDisplayEnabled || currentMediaSelection.wantsCaptions
                ? .captions
                : currentMediaSelection.isLegibleChosen
                    ? currentMediaSelection.legibleStreamIndex.map { .stream($0) } ?? .none
                    : preferredSubtitleLanguages.isEmpty
                        ? .automatic(ranked: rankedSubtitleLanguages) : .languages(preferredSubtitleLanguages))
        followCues()
        entry.setSubtitles(choice) { [weak self] in
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    guard let self else { return }
                    self.player?.cuesChanged(of: self)
                }
            }
        }
    }

    /// Listens to a file's cues while an output wants them. Many come at a time; once a turn of the main loop is looked
    /// what stands.
    private func followCues() {
        guard !legibleOutputs.isEmpty else { return entry.subtitles.setOnChange(nil, for: self) }
        let isPending = Flag()
        entry.subtitles.setOnChange(
            { [weak self] in
                guard isPending.raise() else { return }
                DispatchQueue.main.async {
                    MainActor.assumeIsolated {
                        isPending.lower()
                        guard let self else { return }
                        self.player?.cuesChanged(of: self)
                    }
                }
            }, for: self)
    }
}

/// Up or down, on any thread.
private final class Flag: Sendable {
    private let isUp = Atomic<Bool>(false)
    /// False when it was up already.
    func raise() -> Bool { !isUp.exchange(true, ordering: .acquiringAndReleasing) }
    func lower() { isUp.store(false, ordering: .releasing) }
}
