import Foundation
import MediaCore
import MediaEngine
import Synchronization

/// An overlay that draws subtitles: the cues at the frame's time, drawn by libass, or scaled if they are images.
///
/// It can be used on any thread. The drawing is cached until the cues or the geometry change, or a cue animates.
package final class SubtitleOverlay: FrameOverlay {
    private let drawing: Mutex<SubtitleDrawing>
    private let prepared: PreparedRenderer

    private struct Settings {
        var source: (any SubtitleSource)?
        /// The number of changes of `source`. Unlike an object's identifier, no number belongs to two sources.
        var sourceVersion: UInt64 = 0
        var style = SubtitleStyle()
        var delay: Int64 = 0
        /// The number of changes of the values above. Changes of the source's cues do not count.
        var settingsVersion: UInt64 = 0
        var onChange: (@Sendable () -> Void)?
    }
    private let settings = Mutex(Settings())

    package init() {
        let prepared = PreparedRenderer()
        self.prepared = prepared
        drawing = Mutex(SubtitleDrawing(prepared))
    }

    deinit { settings.withLock { $0.source }?.setOnChange(nil, for: self) }

    // MARK: source and style

    /// Shows the cues of `source`, or none if it is nil.
    ///
    /// - Parameters:
    ///   - source: A `SubtitleDocument`, or an item's `subtitleSource`.
    ///   - isExpected: Whether cues are expected soon. If false, the renderer is prepared only when the first cue
    ///     arrives, because fonts take time and memory.
    package func show(_ source: (any SubtitleSource)?, isExpected: Bool = true) {
        let old = settings.withLock { settings -> (any SubtitleSource)? in
            guard settings.source !== source else { return nil }
            defer { settings.source = source }
            settings.sourceVersion += 1
            return settings.source
        }
        old?.setOnChange(nil, for: self)
        source?.setOnChange(
            { [weak self] in
                self?.prepared.begin()
                self?.notify()
            }, for: self)
        if source != nil, isExpected { prepared.begin() }
        changed()
    }

    package var style: SubtitleStyle {
        get { settings.withLock { $0.style } }
        set {
            settings.withLock { $0.style = newValue }
            changed()
        }
    }

    /// The time by which subtitles are displayed later than their cues specify. Negative values display them earlier.
    package var delay: CMTime {
        get { CMTime(nanoseconds: settings.withLock { $0.delay }) }
        set {
            let time = newValue.nanoseconds ?? 0
            settings.withLock { $0.delay = time }
            changed()
        }
    }

    private func changed() {
        settings.withLock { $0.settingsVersion += 1 }
        notify()
    }

    private func notify() { settings.withLock { $0.onChange }?() }

    // MARK: FrameOverlay

    package func isAnimating(at hostTime: HostTime) -> Bool { false }
    package func onChange(_ action: (@Sendable () -> Void)?) { settings.withLock { $0.onChange = action } }

    package func content(at itemTime: CMTime, hostTime: HostTime, in geometry: OverlayGeometry) -> OverlayContent {
        // The layout ignores controls that cover the view, so that libass does not start again when they appear.
        var free = geometry
        free.coveredBottom = 0
        let content = content(at: itemTime, in: free)
        guard geometry.coveredBottom > 0, !content.bitmaps.isEmpty else { return content }
        return drawing.withLock { $0.raised(content, in: geometry) }
    }

    private func content(at itemTime: CMTime, in geometry: OverlayGeometry) -> OverlayContent {
        let now = settings.withLock {
            (
                source: $0.source, sourceVersion: $0.sourceVersion, style: $0.style, delay: $0.delay,
                settingsVersion: $0.settingsVersion
            )
        }
        guard let source = now.source, let time = itemTime.nanoseconds, geometry.frameWidth > 0,
            geometry.frameHeight > 0,
            geometry.width > 0, geometry.height > 0
        else { return .nothing }
        let moment = time &- now.delay
        let header = source.header
        let cues = SubtitleOverlay.shown(source.cues(at: moment), header.header)
        return drawing.withLock {
            $0.content(
                cues, at: moment, source: now.sourceVersion, header: header, style: now.style,
                in: geometry, settingsVersion: now.settingsVersion)
        }
    }

    /// The maximum number of cues to draw at once, of those that have no positions of their own. No screen can show
    /// more. The cues that began last are drawn.
    ///
    /// The events of a script have positions, and are limited when they are loaded.
    package static let maximumCueCount = 64

    private static func shown(_ cues: [SubtitleCue], _ header: SubtitleHeader) -> [SubtitleCue] {
        cues.count > maximumCueCount && header.script == nil ? Array(cues.suffix(maximumCueCount)) : cues
    }

    /// The number of events that libass received since the renderer was created, for tests.
    package var eventsGiven: Int { drawing.withLock { $0.eventsGiven } }
}
