import Foundation
import MediaCore
import Streaming

/// A delegate that is notified when the visible cues change. The equivalent of AVFoundation's
/// `AVPlayerItemLegibleOutputPushDelegate`.
///
/// ```swift
/// final class Captions: AVPlayerItemLegibleOutputPushDelegate {
///     let output = AVPlayerItemLegibleOutput()
///
///     init(of item: AVPlayerItem) {
///         output.setDelegate(self)
///         item.add(output)
///     }
///
///     func legibleOutput(
///         _ output: AVPlayerItemLegibleOutput, didOutputAttributedStrings strings: [AttributedString],
///         cues: [WebVTTCue], forItemTime itemTime: CMTime
///     ) {
///         print(cues.map(\.text.plain).joined(separator: "\n"))
///     }
/// }
/// ```
@MainActor @preconcurrency
public protocol AVPlayerItemLegibleOutputPushDelegate: AnyObject {
    /// Notifies the delegate that the visible cues have changed: a cue began or ended, time jumped, or other subtitles
    /// were selected.
    ///
    /// - Parameters:
    ///   - strings: A string for each visible cue, in the order in which the cues began. Empty if no cue is visible.
    ///   - cues: The visible cues with their times, settings and tags. AVFoundation passes sample buffers here.
    ///   - itemTime: The current time of the item.
    func legibleOutput(
        _ output: AVPlayerItemLegibleOutput, didOutputAttributedStrings strings: [AttributedString], cues: [WebVTTCue],
        forItemTime itemTime: CMTime)

    /// Notifies the delegate that time jumped, which makes earlier cues invalid. If cues are visible at the new time,
    /// another call follows.
    func outputSequenceWasFlushed(_ output: AVPlayerItemLegibleOutput)
}

extension AVPlayerItemLegibleOutputPushDelegate {
    public func outputSequenceWasFlushed(_ output: AVPlayerItemLegibleOutput) {}
}

/// An output that reports an item's subtitles when they are due. The equivalent of AVFoundation's
/// `AVPlayerItemLegibleOutput`.
///
/// ```swift
/// let output = AVPlayerItemLegibleOutput()
/// output.onChange = { cues, _ in
///     subtitle = cues.map(\.text.plain).joined(separator: "\n")
/// }
/// item.add(output)
/// ```
/// The output calls its delegate and `onChange` each time the visible cues change. An app can also get cues by
/// `cues(at:)`. Supports subtitle renditions of HLS streams, text tracks in files, and closed captions in video. Bitmap
/// subtitles (Blu-ray, DVD, DVB) produce no cues.
@MainActor @preconcurrency
public final class AVPlayerItemLegibleOutput {
    /// The delegate, called on the main actor. Set it by `setDelegate(_:)`.
    public private(set) weak var delegate: (any AVPlayerItemLegibleOutputPushDelegate)?
    /// A closure that is called with the visible cues each time they change, and after a jump in time if any cue is
    /// visible.
    public var onChange: (@MainActor (_ cues: [WebVTTCue], _ itemTime: CMTime) -> Void)?
    private weak var item: AVPlayerItem?
    private var shown: [WebVTTCue] = []
    /// Whether time has jumped since the last report. The delegate may have removed the cues.
    private var isFlushed = false

    /// Creates an output. Attach it by `AVPlayerItem.add(_:)`.
    public init() {}

    /// Sets the delegate, which is held weakly. If cues are visible, the delegate is notified immediately.
    public func setDelegate(_ delegate: (any AVPlayerItemLegibleOutputPushDelegate)?) {
        self.delegate = delegate
        if let item, !shown.isEmpty {
            delegate?.legibleOutput(
                self, didOutputAttributedStrings: shown.map(\.attributedString), cues: shown,
                forItemTime: item.currentTime())
        }
    }

    /// Returns the cues at `itemTime`, in the order in which they begin.
    ///
    /// Empty if there are no cues at that time, or if they are not loaded. Cues near the playhead are loaded; others
    /// may not be.
    public func cues(at itemTime: CMTime) -> [WebVTTCue] {
        guard let item, let time = itemTime.nanoseconds else { return [] }
        return item.cues.filter { $0.isInForce(at: time) }
    }

    func connect(_ item: AVPlayerItem?) {
        self.item = item
        shown = []
        isFlushed = false
    }

    func show(_ cues: [WebVTTCue], at time: CMTime) {
        let isDue = cues != shown || isFlushed && !cues.isEmpty
        isFlushed = false
        guard isDue else { return }
        shown = cues
        delegate?.legibleOutput(
            self, didOutputAttributedStrings: cues.map(\.attributedString), cues: cues, forItemTime: time)
        onChange?(cues, time)
    }

    func flush() {
        isFlushed = true
        delegate?.outputSequenceWasFlushed(self)
    }
}

extension AVPlayerItem {
    /// The loaded cues of the current subtitles as text, in media time, sorted by start time.
    var cues: [WebVTTCue] { entry.subtitles.cues }

    /// The source of the selected subtitles in any format, for drawing them. A file's tracks are read only while the
    /// source has a listener.
    nonisolated package var subtitleSource: any SubtitleSource { entry.subtitles }

    /// Returns the option of `group` whose subtitles `subtitleSource` contains: the selected one or, if none was
    /// selected, the default or a forced one. Nil if there is none, and before the item is ready.
    package func shownSubtitles(in group: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
        if let session = entry.subtitles.stream {
            return session.subtitleProgress.option.flatMap { index in
                group.options.first { $0.subtitleIndex == index }
            }
        }
        return entry.subtitles.chosenStream.flatMap { index in group.options.first { $0.streamIndex == index } }
    }
}
