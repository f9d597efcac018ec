import CGTK
import Foundation
import Presentation

/// A walk through a window's render nodes in the order of drawing. It finds the videos, and what is drawn after each.
@MainActor
struct CoverWalk {
    struct Video {
        let view: PlayerView
        /// The frame in the host, in points.
        let frame: CGRect
        /// The number of pieces drawn before the video.
        let below: Int
        /// Whether a clip cuts the video. Its surface would extend beyond the clip.
        let isCut: Bool
    }
    private(set) var videos: [Video] = []
    /// The pieces drawn after the first video.
    private(set) var pieces: [CoverPiece] = []
    private var groups = 0

    init(_ root: OpaquePointer) { visit(root, .zero, nil, 0, 1) }

    private mutating func visit(
        _ node: OpaquePointer, _ origin: CGPoint, _ clip: CGRect?, _ group: Int, _ opacity: Double
    ) {
        switch gsk_render_node_get_node_type(node) {
        case GSK_CONTAINER_NODE:
            for index in 0..<gsk_container_node_get_n_children(node) {
                if let child = gsk_container_node_get_child(node, index) { visit(child, origin, clip, group, opacity) }
            }
        case GSK_DEBUG_NODE:
            // In a group that fades, GTK draws the video too, so that the whole group fades together.
            if let view = VideoMark.view(node) {
                let frame = CGRect(origin: origin, size: view.size)
                let isCut = clip.map { !$0.insetBy(dx: -0.5, dy: -0.5).contains(frame) } ?? false
                if group == 0 { videos.append(Video(view: view, frame: frame, below: pieces.count, isCut: isCut)) }
            } else if let child = gsk_debug_node_get_child(node) {
                visit(child, origin, clip, group, opacity)
            }
        case GSK_TRANSFORM_NODE:
            let category = gsk_transform_get_category(gsk_transform_node_get_transform(node))
            guard let moved = CoverWalk.translation(node), let child = gsk_transform_node_get_child(node) else {
                return add(
                    node, origin, clip, group, opacity, needsGTK: category.rawValue < GSK_TRANSFORM_CATEGORY_2D.rawValue
                )
            }
            visit(child, CGPoint(x: origin.x + moved.x, y: origin.y + moved.y), clip, group, opacity)
        case GSK_CLIP_NODE:
            guard let box = gsk_clip_node_get_clip(node), let child = gsk_clip_node_get_child(node) else { return }
            let clipRect = CGRect(box.pointee).offsetBy(dx: origin.x, dy: origin.y)
            visit(child, origin, clip.map { $0.intersection(clipRect) } ?? clipRect, group, opacity)
        case GSK_OPACITY_NODE where group == 0:
            guard let child = gsk_opacity_node_get_child(node) else { return }
            groups += 1
            visit(child, origin, clip, groups, Double(gsk_opacity_node_get_opacity(node)))
        case GSK_GL_SHADER_NODE: add(node, origin, clip, group, opacity, needsGTK: true)
        default: add(node, origin, clip, group, opacity, needsGTK: false)
        }
    }

    private mutating func add(
        _ node: OpaquePointer, _ origin: CGPoint, _ clip: CGRect?, _ group: Int, _ opacity: Double, needsGTK: Bool
    ) {
        guard !videos.isEmpty else { return }
        let bounds = CoverWalk.bounds(node, origin)
        let visibleRect = clip.map { bounds.intersection($0) } ?? bounds
        guard !visibleRect.isNull, visibleRect.width > 0, visibleRect.height > 0 else { return }
        pieces.append(
            CoverPiece(
                reference: NodeReference(node), origin: origin, clip: clip, bounds: visibleRect, group: group,
                opacity: opacity, needsGTK: needsGTK))
    }

    /// Returns the offset of a transform node, or nil if it does more than move its content.
    static func translation(_ node: OpaquePointer) -> CGPoint? {
        guard let transform = gsk_transform_node_get_transform(node),
            gsk_transform_get_category(transform).rawValue >= GSK_TRANSFORM_CATEGORY_2D_TRANSLATE.rawValue
        else { return nil }
        var x: Float = 0
        var y: Float = 0
        gsk_transform_to_translate(transform, &x, &y)
        return CGPoint(x: Double(x), y: Double(y))
    }

    static func bounds(_ node: OpaquePointer, _ origin: CGPoint) -> CGRect {
        var rect = graphene_rect_t()
        gsk_render_node_get_bounds(node, &rect)
        return CGRect(rect).offsetBy(dx: origin.x, dy: origin.y)
    }
}

extension CGRect {
    init(_ rect: graphene_rect_t) {
        self.init(
            x: Double(rect.origin.x), y: Double(rect.origin.y), width: Double(rect.size.width),
            height: Double(rect.size.height))
    }
}
