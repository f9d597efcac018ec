import GTK
import CGTK
import Foundation
import Presentation

/// The views over the videos of a window, updated each time that the window is drawn.
///
/// A video with its own surface covers everything that GTK draws there. Therefore the views over it are drawn into a
/// bitmap when they change. The video's view blends that bitmap into its frames. GTK then omits these views, because
/// they would not be visible.
@MainActor
final class CoverScene {
    private struct CoveredVideo {
        weak var view: PlayerView?
        var tiles: [CoverTile] = []
    }
    private var coveredVideos: [ObjectIdentifier: CoveredVideo] = [:]

    /// Draws into `snapshot` what `body` draws for `widget`, except the parts that videos blend into their frames.
    func draw(_ widget: GTKWidget?, _ snapshot: GTKSnapshot, _ body: (GTKSnapshot) -> Void) {
        // Only the outermost surface knows all views over a video.
        guard let widget, PlayerView.takeCovers, VideoMark.isAny, !ElementWidget.isWithinAnother(widget) else {
            clear()
            return body(snapshot)
        }
        guard let root = GTKSnapshot.node(body) else { return clear() }
        defer { gsk_render_node_unref(root) }
        let rest = take(root, scale: widget.scaleFactor, window: CoverScene.window(of: widget))
        snapshot.append(rest)
        gsk_render_node_unref(rest)
    }

    /// Returns the visible part of a widget's drawing, in its own space.
    private static func window(of widget: GTKWidget) -> CGRect {
        widget.native?.bounds(in: widget) ?? .infinite
    }

    private func clear() {
        for video in coveredVideos.values { video.view?.cover = VideoCover() }
        coveredVideos = [:]
    }

    /// Gives each video its cover, and returns the part of `root` that GTK must draw. The caller owns the result.
    /// - Parameters:
    ///   - scale: The number of device pixels per point.
    ///   - window: The visible part of the window.
    private func take(_ root: OpaquePointer, scale: Int, window: CGRect) -> OpaquePointer {
        let walk = CoverWalk(root)
        var next: [ObjectIdentifier: CoveredVideo] = [:]
        var hidden: [ObjectIdentifier: CGRect] = [:]
        for (index, video) in walk.videos.enumerated() {
            let id = ObjectIdentifier(video.view)
            // A widget has only one surface. If its video is drawn twice, only the first drawing gets a cover.
            guard next[id] == nil else { continue }
            let over = walk.pieces[video.below...].filter { $0.bounds.intersects(video.frame) }
            // Each of two overlapping surfaces would cover all views over the other one. Therefore GTK draws the lower
            // one.
            let needsGTK =
                video.isCut || over.contains(where: \.needsGTK)
                || walk.videos[(index + 1)...].contains { $0.view !== video.view && $0.frame.intersects(video.frame) }
            let tiles =
                needsGTK || video.view.isDrawnByGTK ? [] : tiles(over, video, scale, coveredVideos[id]?.tiles ?? [])
            next[id] = CoveredVideo(view: video.view, tiles: tiles)
            set(needsGTK, video.view)
            video.view.cover = VideoCover(tiles.map { VideoCover.Tile($0.bitmap, share: $0.share) })
            if !tiles.isEmpty, let part = video.view.opaquePart {
                hidden[id] = part.offsetBy(dx: video.frame.minX, dy: video.frame.minY)
            }
        }
        for (id, covered) in coveredVideos where next[id] == nil {
            guard let view = covered.view else { continue }
            set(false, view)
            view.cover = VideoCover()
        }
        coveredVideos = next
        if !hidden.isEmpty, let rest = CoverRemainder(hidden, window).of(root) { return rest }
        return gsk_render_node_ref(root)
    }

    private func tiles(_ over: [CoverPiece], _ video: CoverWalk.Video, _ scale: Int, _ previous: [CoverTile])
        -> [CoverTile]
    {
        // The tiles begin at the exact pixel where the view's surface begins.
        let pixelsPerPoint = Double(scale)
        let origin = CGPoint(
            x: (video.frame.minX * pixelsPerPoint).rounded() / pixelsPerPoint,
            y: (video.frame.minY * pixelsPerPoint).rounded() / pixelsPerPoint)
        let plans = CoverTile.plans(
            over.map { $0.within(origin) }, width: Int(video.frame.width) * scale,
            height: Int(video.frame.height) * scale, scale: scale)
        return plans.compactMap { CoverTile($0, scale: scale, known: previous) }
    }

    private func set(_ needsGTK: Bool, _ view: PlayerView) {
        guard view.isCoverUnfit != needsGTK else { return }
        // A view must not change while GTK is drawing.
        OnMain.later { [weak view] in view?.isCoverUnfit = needsGTK }
    }
}

extension CoverPiece {
    /// Returns the piece in the space of a view at `point`.
    fileprivate func within(_ point: CGPoint) -> CoverPiece {
        let moved = relative(to: point)
        return CoverPiece(
            reference: reference, origin: moved.origin, clip: moved.clip,
            bounds: bounds.offsetBy(dx: -point.x, dy: -point.y),
            group: group, opacity: opacity, needsGTK: needsGTK)
    }
}

/// The render nodes of a window without the parts that the surfaces of videos hide.
@MainActor
private struct CoverRemainder {
    /// The opaque parts of videos, in the host's space.
    private let hidden: [ObjectIdentifier: CGRect]
    private let window: CGRect
    private var parts: [CGRect] = []
    init(_ hidden: [ObjectIdentifier: CGRect], _ window: CGRect) { (self.hidden, self.window) = (hidden, window) }

    /// Returns the visible part of `root`, or an empty node. The caller owns it.
    func of(_ root: OpaquePointer) -> OpaquePointer? {
        var copy = self
        return copy.rest(root, .zero) ?? gsk_container_node_new(nil, 0)
    }

    /// Returns the visible part of a node, or nil if nothing is left. The caller owns it.
    private mutating func rest(_ node: OpaquePointer, _ origin: CGPoint) -> OpaquePointer? {
        switch gsk_render_node_get_node_type(node) {
        case GSK_CONTAINER_NODE:
            var children: [OpaquePointer?] = []
            var isSame = true
            defer { for case let child? in children { gsk_render_node_unref(child) } }
            for index in 0..<gsk_container_node_get_n_children(node) {
                guard let child = gsk_container_node_get_child(node, index) else { continue }
                let remainder = rest(child, origin)
                if remainder != child { isSame = false }
                if let remainder { children.append(remainder) }
            }
            if isSame { return gsk_render_node_ref(node) }
            return children.isEmpty ? nil : gsk_container_node_new(&children, guint(children.count))
        case GSK_DEBUG_NODE:
            if let view = VideoMark.view(node) {
                if let part = hidden[ObjectIdentifier(view)] { parts.append(part) }
                return gsk_render_node_ref(node)
            }
        case GSK_TRANSFORM_NODE:
            guard let moved = CoverWalk.translation(node), let child = gsk_transform_node_get_child(node) else { break }
            guard let remainder = rest(child, CGPoint(x: origin.x + moved.x, y: origin.y + moved.y)) else { return nil }
            defer { gsk_render_node_unref(remainder) }
            return remainder == child
                ? gsk_render_node_ref(node) : gsk_transform_node_new(remainder, gsk_transform_node_get_transform(node))
        case GSK_CLIP_NODE:
            guard let box = gsk_clip_node_get_clip(node), let child = gsk_clip_node_get_child(node) else { break }
            guard let remainder = rest(child, origin) else { return nil }
            defer { gsk_render_node_unref(remainder) }
            return remainder == child ? gsk_render_node_ref(node) : gsk_clip_node_new(remainder, box)
        default: break
        }
        // Parts outside the window are not visible either.
        let bounds = CoverWalk.bounds(node, origin).intersection(window)
        return !parts.isEmpty && (bounds.isNull || parts.contains { $0.contains(bounds) })
            ? nil : gsk_render_node_ref(node)
    }
}
