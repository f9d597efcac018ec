import CGTK
import Foundation

/// What an element has drawn by cairo, kept while it would draw the same again: GTK, and what lies over a video, know
/// by the node that nothing has changed.
@MainActor
final class KeptNode<Key: Equatable> {
    private var key: Key?
    private var kept: NodeReference?

    /// - Parameter key: all that decides how it looks.
    func draw(_ key: Key, _ context: DrawContext, _ body: (DrawContext) -> Void) {
        if key != self.key {
            self.key = key
            kept = context.node(body).map(NodeReference.init(owning:))
        }
        if let kept { gtk_snapshot_append_node(context.snapshot, kept.node) }
    }
}

/// The same of what is drawn around other content, which tells by its nodes whether it has changed.
@MainActor
final class KeptEffect {
    private var numbers: [Double] = []
    private var content: NodeReference?
    private var kept: NodeReference?

    func node(_ numbers: [Double], _ content: OpaquePointer, _ make: () -> OpaquePointer?) -> OpaquePointer? {
        if let old = self.content, let kept, self.numbers == numbers, NodeEquality.are(old.node, content) {
            return kept.node
        }
        (self.numbers, self.content) = (numbers, NodeReference(content))
        kept = make().map(NodeReference.init(owning:))
        return kept?.node
    }
}
