import CGTK

/// The render nodes of a host's layers in drawing order, which are kept until a layer changes.
///
/// A class, because it owns references to GTK's nodes, and because it is used while one of them is made.
@MainActor
final class KeptNodes {
    private var nodes: [OpaquePointer?] = []
    private var nextIndex = 0
    /// Whether something is drawn that must not use the nodes.
    private(set) var areBypassed = false

    isolated deinit { removeAll() }

    /// Starts to draw all layers again, from the first node.
    func rewind() { nextIndex = 0 }

    /// Returns the index of the next node in drawing order.
    func takeIndex() -> Int {
        defer { nextIndex += 1 }
        return nextIndex
    }

    /// Returns the node at an index, which this object owns. Calls `make` if there is none.
    func node(at index: Int, make: () -> OpaquePointer?) -> OpaquePointer? {
        while nodes.count <= index { nodes.append(nil) }
        if nodes[index] == nil || !DrawingCache.isEnabled {
            if let old = nodes[index] { gsk_render_node_unref(old) }
            nodes[index] = make()
        }
        return nodes[index]
    }

    /// Runs `body`, which draws layers without the nodes. Drawing then continues at the same index as before.
    func bypass<T>(_ body: () -> T) -> T {
        let index = nextIndex
        areBypassed = true
        defer {
            areBypassed = false
            nextIndex = index
        }
        return body()
    }

    func removeAll() {
        for case let node? in nodes { gsk_render_node_unref(node) }
        nodes = []
    }
}
