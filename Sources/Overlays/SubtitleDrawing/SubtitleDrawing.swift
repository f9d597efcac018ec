import CAss
import Foundation
import MediaEngine
import Streaming

/// The drawing of a `SubtitleOverlay`'s cues, with a cache of the last result.
struct SubtitleDrawing {
    private let prepared: PreparedRenderer
    private var renderer: AssRenderer?
    private var drawn = Drawn()
    private var layout: WebVTTLayout?
    /// The properties that the renderer's track was made for.
    private var loaded: Script?
    /// The cues in the track, with the end that libass has for each.
    private var inTrack: [Int: Int64] = [:]
    private var lastTime: Int64 = .min
    private var version: UInt64 = 0
    private var scaledBitmaps: [SubtitleCue: [OverlayBitmap]] = [:]
    private var cuesMove = false
    /// The last content that was moved above the controls, with its version and geometry.
    private var raised: (version: UInt64, geometry: OverlayGeometry, content: OverlayContent)?

    init(_ prepared: PreparedRenderer) { self.prepared = prepared }

    /// The properties of a track. If one changes, the track is made again.
    private struct Script: Hashable {
        enum Kind: Hashable { case authored, plain, webVTT }
        var kind: Kind
        /// The number of the source, see `content`.
        var source: UInt64
        var header: UInt64
        var style: SubtitleStyle
        var geometry: OverlayGeometry
    }
    /// The last drawing, and the values that it depends on.
    private struct Drawn {
        var cues: [SubtitleCue] = []
        var geometry: OverlayGeometry?
        var settingsVersion: UInt64 = .max
        var header: UInt64 = 0
        var isMoving = false
        var content = OverlayContent.nothing
    }

    /// The number of events that libass received since the renderer was created, for tests.
    var eventsGiven: Int { renderer?.eventsGiven ?? 0 }

    /// Returns `content` moved above the controls that cover the lower end of the view.
    mutating func raised(_ content: OverlayContent, in geometry: OverlayGeometry) -> OverlayContent {
        if let raised, raised.version == content.version, raised.geometry == geometry { return raised.content }
        let limit = max(0, geometry.height - geometry.coveredBottom)
        var result = content
        if let bitmaps = OverlayBitmap.raised(content.bitmaps, above: limit) {
            version += 1
            result = OverlayContent(version: version, bitmaps: bitmaps)
        }
        raised = (content.version, geometry, result)
        return result
    }

    /// Returns the last drawing, or a new one if its appearance has changed.
    ///
    /// - Parameters:
    ///   - source: The number of changes of the source so far.
    ///   - settingsVersion: The number of changes of style, delay and source so far.
    mutating func content(
        _ cues: [SubtitleCue], at moment: Int64, source: UInt64,
        header: (version: UInt64, header: SubtitleHeader), style: SubtitleStyle, in geometry: OverlayGeometry,
        settingsVersion: UInt64
    ) -> OverlayContent {
        guard !cues.isEmpty else {
            drawn = Drawn()
            return .nothing
        }
        if drawn.cues == cues, drawn.geometry == geometry, drawn.settingsVersion == settingsVersion,
            drawn.header == header.version, !drawn.isMoving
        {
            return drawn.content
        }
        return draw(cues, at: moment, source, header, style, geometry, settingsVersion)
    }

    private mutating func draw(
        _ cues: [SubtitleCue], at time: Int64, _ source: UInt64,
        _ header: (version: UInt64, header: SubtitleHeader),
        _ style: SubtitleStyle, _ geometry: OverlayGeometry, _ settingsVersion: UInt64
    ) -> OverlayContent {
        let isSameCues =
            drawn.cues == cues && drawn.geometry == geometry && drawn.settingsVersion == settingsVersion
            && drawn.header == header.version
        var bitmaps: [OverlayBitmap] = []
        var change: CInt = 0
        var isMoving = false
        scaledBitmaps = drawn.geometry == geometry ? scaledBitmaps.filter { cues.contains($0.key) } : [:]
        let texts = cues.filter { if case .bitmap = $0.body { false } else { true } }
        for cue in cues {
            guard case .bitmap(let bitmap) = cue.body else { continue }
            let scaled = scaledBitmaps[cue] ?? BitmapScaler.bitmaps(bitmap, in: geometry)
            scaledBitmaps[cue] = scaled
            bitmaps += scaled
        }
        if !texts.isEmpty {
            let area = Area(geometry, usesMargins: style.usesMargins)
            isMoving = write(texts, at: time, source, header, style, geometry, area)
            let images = renderer?.render(at: time, &change)
            if isSameCues, change == 0 {
                drawn.isMoving = isMoving
                return drawn.content
            }
            bitmaps += AssBlend.bitmaps(
                images, x: loaded?.kind == .authored ? 0 : area.x, y: loaded?.kind == .authored ? 0 : area.y,
                clip: (geometry.width, geometry.height))
        }
        version += 1
        drawn = Drawn(
            cues: cues, geometry: geometry, settingsVersion: settingsVersion, header: header.version,
            isMoving: isMoving,
            content: OverlayContent(version: version, bitmaps: bitmaps))
        return drawn.content
    }

    /// The area for text that has no position of its own: the visible part of the frame, or the whole view.
    private struct Area {
        var x: Int, y: Int, width: Int, height: Int
        /// The height of the visible part of the frame.
        var frameHeight: Int

        init(_ geometry: OverlayGeometry, usesMargins: Bool) {
            let left = max(0, geometry.frameX)
            let top = max(0, geometry.frameY)
            let right = min(geometry.width, geometry.frameX + geometry.frameWidth)
            let bottom = min(geometry.height, geometry.frameY + geometry.frameHeight)
            frameHeight = max(1, bottom - top)
            (x, y, width, height) =
                usesMargins ? (0, 0, geometry.width, geometry.height) : (left, top, max(1, right - left), frameHeight)
        }
    }

    // MARK: libass's track

    /// Puts `cues` into libass's track. Returns whether their appearance changes while they are displayed.
    private mutating func write(
        _ cues: [SubtitleCue], at time: Int64, _ source: UInt64,
        _ header: (version: UInt64, header: SubtitleHeader),
        _ style: SubtitleStyle, _ geometry: OverlayGeometry, _ area: Area
    ) -> Bool {
        let isWebVTT = cues.contains { if case .webVTT = $0.body { true } else { false } }
        let kind: Script.Kind = isWebVTT ? .webVTT : header.header.script == nil ? .plain : .authored
        let script = Script(kind: kind, source: source, header: header.version, style: style, geometry: geometry)
        if renderer == nil { renderer = prepared.take() ?? AssRenderer() }
        guard let renderer else { return false }
        let look = SubtitleLook(
            style, width: Double(area.width), height: Double(area.height), picture: Double(area.frameHeight),
            scale: geometry.scale)
        if loaded != script { load(script, look, area, header.header, renderer) }
        // The track is emptied in three cases. After a seek back, later cues must not keep their positions. A track
        // must not grow without limit. A cue whose end has changed, such as a caption that was replaced, must not stay.
        let ends = Dictionary(cues.map { ($0.id, $0.end) }, uniquingKeysWith: { $1 })
        let isOverdue = inTrack.contains { id, end in end > time && ends[id] != end }
        if time < lastTime || renderer.eventCount > max(512, 4 * cues.count) || isOverdue {
            renderer.flush()
            inTrack = [:]
        }
        lastTime = time

        if kind == .webVTT {
            if ends == inTrack { return cuesMove }
            let all = cues.map { cue -> (id: Int, cue: WebVTTCue) in
                if case .webVTT(let inner) = cue.body { return (cue.id, inner) }
                return (cue.id, WebVTTCue(start: cue.start, end: cue.end, text: WebVTTText(plain: cue.plain)))
            }
            let placed = layout?.update(all) ?? []
            // Measuring has put events into the track.
            renderer.flush()
            inTrack = ends
            for cue in placed {
                for event in cue.events { renderer.add(event, start: cue.cue.start, end: cue.cue.end) }
            }
            cuesMove = placed.contains { $0.isMoving }
            return cuesMove
        }
        var isMoving = false
        for cue in cues {
            guard case .events(let events) = cue.body else { continue }
            isMoving = isMoving || events.contains(where: AssTags.isMoving)
            guard inTrack.updateValue(cue.end, forKey: cue.id) == nil else { continue }
            for event in events {
                let lines: [String] =
                    if kind == .plain {
                        AssScript.events(style.overridesAuthor ? plainRestyled(event, style) : event, look)
                    } else {
                        [
                            style.overridesAuthor
                                ? AssScript.restyled(event, style, hasSigns: !header.header.isCaption) ?? event : event
                        ]
                    }
                for line in lines { renderer.add(line, start: cue.start, end: cue.end) }
            }
        }
        return isMoving
    }

    private func plainRestyled(_ event: String, _ style: SubtitleStyle) -> String {
        guard let changed = AssScript.restyled(event, style) else { return event }
        var fields = AssScript.fields(changed)
        if fields.count == 8 { fields[1] = "Default" }
        return fields.joined(separator: ",")
    }

    private mutating func load(
        _ script: Script, _ look: SubtitleLook, _ area: Area, _ header: SubtitleHeader, _ renderer: AssRenderer
    ) {
        let geometry = script.geometry
        loaded = script
        inTrack = [:]
        layout = nil
        let size = (width: Double(area.width), height: Double(area.height))
        switch script.kind {
        case .authored:
            let margins = (
                top: geometry.frameY, bottom: geometry.height - geometry.frameY - geometry.frameHeight,
                left: geometry.frameX, right: geometry.width - geometry.frameX - geometry.frameWidth
            )
            // The text must be in the visible part of a frame that is cropped.
            let isCut = margins.top < 0 || margins.bottom < 0 || margins.left < 0 || margins.right < 0
            renderer.place(
                width: geometry.width, height: geometry.height, margins: margins,
                usesMargins: isCut || script.style.usesMargins)
            let text = header.script ?? ""
            renderer.load(
                script.style.overridesAuthor
                    ? AssScript.restyled(
                        text, script.style, frameHeight: Double(geometry.frameHeight), scale: geometry.scale)
                    : text, fonts: header.fonts)
        case .plain:
            renderer.place(width: area.width, height: area.height, margins: (0, 0, 0, 0), usesMargins: false)
            // libavcodec's text decoders write events for a script of this size.
            renderer.load(AssScript.head(look, width: 384, height: 288, area: size), fonts: header.fonts)
        case .webVTT:
            renderer.place(width: area.width, height: area.height, margins: (0, 0, 0, 0), usesMargins: false)
            renderer.load(AssScript.head(look, width: area.width, height: area.height, area: size), fonts: header.fonts)
            func drawn(_ events: [String], _ renderer: AssRenderer) -> UnsafeMutablePointer<ASS_Image>? {
                renderer.flush()
                for event in events { renderer.add(event, start: 0, end: 1_000_000_000) }
                var change: CInt = 0
                return renderer.render(at: 0, &change)
            }
            layout = WebVTTLayout(width: size.width, height: size.height, look: look, user: script.style) {
                [unowned renderer] events in
                AssRenderer.reach(drawn(events, renderer)).map { (Double($0.right), Double($0.bottom)) }
            } locate: { [unowned renderer] event in
                AssRenderer.boxes(drawn([event], renderer))
            }
        }
    }
}
