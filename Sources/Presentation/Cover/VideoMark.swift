import GTK
import CGTK
import Foundation

/// A marker for the position of a video among GTK's render nodes. Nodes after the marker, in drawing order, are above
/// the video.
///
/// The marker is a debug node around an empty node, which draws nothing. Its message names the view.
@MainActor
package enum VideoMark {
    private struct Holder {
        weak var view: PlayerView?
    }
    private static var views: [UInt: Holder] = [:]
    private static var last: UInt = 0
    private static let prefix = "zoetrope video "

    /// Whether there is any view that can be marked.
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
        // The node frees the message.
        guard let mark = gsk_debug_node_new(nothing, g_strdup(prefix + String(id))) else { return }
        snapshot.append(mark)
        gsk_render_node_unref(mark)
    }

    /// Returns the view that a debug node marks.
    package static func view(_ node: OpaquePointer) -> PlayerView? {
        guard let text = gsk_debug_node_get_message(node), strncmp(text, prefix, prefix.utf8.count) == 0 else {
            return nil
        }
        return UInt(String(cString: text + prefix.utf8.count)).flatMap { views[$0]?.view }
    }
}
