import GTK
import CGTK
import Foundation

/// Marks where a video stands among GTK's render nodes: what comes after it, in the order of drawing, lies over the
/// video.
///
/// A debug node around nothing, which draws nothing; its words name the view. Main actor.
@MainActor
package enum VideoMark {
    private struct Holder {
        weak var view: PlayerView?
    }
    private static var views: [UInt: Holder] = [:]
    private static var last: UInt = 0
    private static let words = "zoetrope video "

    /// Whether any view is there that may be marked.
    package static var isAny: Bool { !views.isEmpty }

    static var all: [PlayerView] { views.sorted { $0.key < $1.key }.compactMap(\.value.view) }

    static func add(_ view: PlayerView) -> UInt {
        last += 1
        views[last] = Holder(view: view)
        return last
    }
    static func remove(_ id: UInt) { views[id] = nil }

    static func append(_ id: UInt, to snapshot: GTKSnapshot) {
        guard let nothing = gsk_container_node_new(nil, 0) else { return }
        defer { gsk_render_node_unref(nothing) }
        // The node frees the words.
        guard let mark = gsk_debug_node_new(nothing, g_strdup(words + String(id))) else { return }
        snapshot.append(mark)
        gsk_render_node_unref(mark)
    }

    /// The view that a debug node marks.
    package static func view(_ node: OpaquePointer) -> PlayerView? {
        guard let text = gsk_debug_node_get_message(node), strncmp(text, words, words.utf8.count) == 0 else {
            return nil
        }
        return UInt(String(cString: text + words.utf8.count)).flatMap { views[$0]?.view }
    }
}
