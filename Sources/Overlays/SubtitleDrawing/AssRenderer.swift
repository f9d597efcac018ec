import CAss
import Foundation
import MediaCore
import MediaEngine

/// A libass renderer with its library and one track.
final class AssRenderer {
    private let library: OpaquePointer
    private let renderer: OpaquePointer
    private var track: UnsafeMutablePointer<ASS_Track>?
    private var order = 0
    private var fonts: [SubtitleHeader.Font] = []
    private var limits = AssLimits("")
    /// The maximum number of pixels to draw at one time, in screens.
    private var budget = AssLimits.maximumScreens
    /// The cost and end of the events in the track, by the part that determines their bitmaps.
    private var costs: [String: (screens: Double, end: Int64)] = [:]
    private var spent = 0.0
    /// The number of events that were left out because the budget of the track was used up. For tests.
    private(set) var eventsLeftOut = 0

    /// The size of libass's bitmap cache, in megabytes. libass's own default is 128 MB for each renderer.
    private static let cachedMegabytes: CInt = 48
    /// The limits of the number of pixels to draw at one time, independent of the size of the screen.
    private static let pixels = 16_000_000.0...256_000_000.0

    /// Creates a renderer, or returns nil if there is not enough memory.
    init?() {
        guard let library = ass_library_init() else { return nil }
        ass_set_message_cb(library, { _, _, _, _ in }, nil)
        ass_set_extract_fonts(library, 1)
        guard let renderer = ass_renderer_init(library) else {
            ass_library_done(library)
            return nil
        }
        self.library = library
        self.renderer = renderer
        ass_set_pixel_aspect(renderer, 1)
        ass_set_cache_limits(renderer, 0, AssRenderer.cachedMegabytes)
        ass_set_fonts(renderer, nil, "sans-serif", CInt(ASS_FONTPROVIDER_AUTODETECT.rawValue), nil, 1)
    }

    deinit {
        if let track { ass_free_track(track) }
        ass_renderer_done(renderer)
        ass_library_done(library)
    }

    /// Sets the size of the view and the position of the frame in it.
    ///
    /// - Parameters:
    ///   - margins: The distances from the view's edges to the frame, in pixels. Negative where the frame is larger.
    ///   - usesMargins: Whether text may be in the margins.
    func place(width: Int, height: Int, margins: (top: Int, bottom: Int, left: Int, right: Int), usesMargins: Bool) {
        ass_set_frame_size(renderer, CInt(width), CInt(height))
        let area = max(1, Double(width) * Double(height))
        budget = (AssLimits.maximumScreens * area).bounded(to: AssRenderer.pixels) / area
        ass_set_margins(renderer, CInt(margins.top), CInt(margins.bottom), CInt(margins.left), CInt(margins.right))
        ass_set_use_margins(renderer, usesMargins ? 1 : 0)
        let frameWidth = width - margins.left - margins.right
        let frameHeight = height - margins.top - margins.bottom
        ass_set_storage_size(renderer, CInt(max(1, frameWidth)), CInt(max(1, frameHeight)))
    }

    /// Replaces the track by an empty one with the header and styles of `script`.
    func load(_ script: String, fonts new: [SubtitleHeader.Font]) {
        if let track { ass_free_track(track) }
        track = nil
        if new != fonts {
            fonts = new
            ass_clear_fonts(library)
            for font in new {
                font.bytes.withUnsafeBytes { bytes in
                    guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
                    font.name.withCString { ass_add_font(library, $0, start, CInt(bytes.count)) }
                }
            }
            ass_set_fonts(renderer, nil, "sans-serif", CInt(ASS_FONTPROVIDER_AUTODETECT.rawValue), nil, 1)
        }
        guard let fresh = ass_new_track(library) else { return }
        track = fresh
        limits = AssLimits(script)
        (costs, spent) = ([:], 0)
        var bytes = Array(limits.script.utf8CString)
        ass_process_codec_private(fresh, &bytes, CInt(bytes.count - 1))
        order = 0
    }

    /// The number of events that libass received since this renderer was created.
    private(set) var eventsGiven = 0

    func flush() {
        if let track { ass_flush_events(track) }
        (costs, spent) = ([:], 0)
    }
    var eventCount: Int { track.map { Int($0.pointee.n_events) } ?? 0 }

    /// Adds an event to the track, unless it is too expensive.
    ///
    /// - Parameters:
    ///   - event: The event: `Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`.
    ///   - start: The start, in nanoseconds.
    ///   - end: The end, in nanoseconds.
    func add(_ event: String, start: Int64, end: Int64) {
        guard let track else { return }
        let limited = limits.limit(event)
        let event = limited.bounded ?? event
        guard reserveBudget(event, limited.screens, from: start, until: end) else {
            eventsLeftOut += 1
            return
        }
        // libass counts in whole milliseconds, as authors do. Rounding up makes an event start and end exactly as the
        // author has specified.
        func up(_ time: Int64) -> Int64 { time >= 0 ? (time + 999_999) / 1_000_000 : time / 1_000_000 }
        var bytes = Array("\(order),\(event)".utf8CString)
        order += 1
        eventsGiven += 1
        ass_process_chunk(track, &bytes, CInt(bytes.count - 1), up(start), up(end) - up(start))
    }

    /// Returns whether the budget allows `event` in addition to the other events. If so, adds the cost of `event`.
    private func reserveBudget(_ event: String, _ cost: Double, from start: Int64, until end: Int64) -> Bool {
        // Cheap events are not compared with others.
        let shape = cost < 0.02 ? String(order) : AssLimits.shape(of: event)
        let known = costs[shape]
        let more = cost - (known?.screens ?? 0)
        if more > 0, spent + more > budget {
            // Events that have ended are not drawn any more.
            costs = costs.filter { $0.value.end > start }
            spent = costs.values.reduce(0) { $0 + $1.screens }
            if spent + more > budget { return false }
        }
        spent += max(0, more)
        costs[shape] = (max(cost, known?.screens ?? 0), max(end, known?.end ?? end))
        return true
    }

    /// Returns the masks at `time`, in nanoseconds, with their colors, from back to front. Nil if there are none.
    ///
    /// The masks are valid until the next call.
    func render(at time: Int64, _ change: inout CInt) -> UnsafeMutablePointer<ASS_Image>? {
        guard let track else { return nil }
        return ass_render_frame(renderer, track, time >= 0 ? time / 1_000_000 : (time &- 999_999) / 1_000_000, &change)
    }

    /// Returns the right and bottom ends of the visible part of the masks, or nil if nothing is visible.
    ///
    /// The size of the masks is not used, because libass's masks may have empty rows and columns.
    static func reach(_ first: UnsafeMutablePointer<ASS_Image>?) -> (right: Int, bottom: Int)? {
        var result: (right: Int, bottom: Int)?
        var next = first
        while let image = next?.pointee {
            next = image.next
            guard image.w > 0, image.h > 0, let mask = image.bitmap else { continue }
            for row in 0..<Int(image.h) {
                let line = UnsafeBufferPointer(start: mask + row * Int(image.stride), count: Int(image.w))
                guard let column = line.lastIndex(where: { $0 >= 64 }) else { continue }
                let right = Int(image.dst_x) + column + 1
                let bottom = Int(image.dst_y) + row + 1
                result = result.map { (max($0.right, right), max($0.bottom, bottom)) } ?? (right, bottom)
            }
        }
        return result
    }

    /// Returns the visible rectangles of the masks by their color (0xRRGGBB). For a color on several lines, returns the
    /// rectangle on the first line.
    static func boxes(_ first: UnsafeMutablePointer<ASS_Image>?) -> [UInt32: WebVTTLayout.Box] {
        var result: [UInt32: WebVTTLayout.Box] = [:]
        var next = first
        while let image = next?.pointee {
            next = image.next
            guard image.w > 0, image.h > 0, image.color & 0xff < 0xff, let mask = image.bitmap else { continue }
            var box: WebVTTLayout.Box?
            for row in 0..<Int(image.h) {
                let line = UnsafeBufferPointer(start: mask + row * Int(image.stride), count: Int(image.w))
                guard let left = line.firstIndex(where: { $0 >= 64 }), let right = line.lastIndex(where: { $0 >= 64 })
                else {
                    if box == nil { continue } else { break }
                }
                let x = Double(image.dst_x)
                let y = Double(Int(image.dst_y) + row)
                box = WebVTTLayout.Box(
                    left: min(box?.left ?? .infinity, x + Double(left)), top: box?.top ?? y,
                    right: max(box?.right ?? 0, x + Double(right + 1)), bottom: y + 1)
            }
            guard let box else { continue }
            guard let known = result[image.color >> 8] else {
                result[image.color >> 8] = box
                continue
            }
            let upper = known.top <= box.top ? known : box
            let lower = known.top <= box.top ? box : known
            result[image.color >> 8] =
                lower.top >= (upper.top + upper.bottom) / 2
                ? upper
                : .init(
                    left: min(known.left, box.left), top: upper.top, right: max(known.right, box.right),
                    bottom: max(known.bottom, box.bottom))
        }
        return result
    }
}
