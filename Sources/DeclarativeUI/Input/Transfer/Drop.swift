import Foundation
@_spi(Graph) import ViewGraph

extension View {
    /// Takes what is dragged over this view from other programs or from this one: files and text.
    /// - Parameters:
    ///   - supportedContentTypes: of which at least one must fit: `.fileURL` takes all files, `.movie` those whose name
    ///     is a film's, `.text` text.
    ///   - isTargeted: true while something that may fit is over this view.
    ///   - action: what fits of what was dropped; its answer tells the other side whether it was taken. Main actor.
    public func onDrop(
        of supportedContentTypes: [UTType], isTargeted: Binding<Bool>?,
        perform action: @escaping @MainActor ([NSItemProvider]) -> Bool
    ) -> some View {
        elementModifier(
            DropModifier(types: supportedContentTypes, isTargeted: isTargeted) { items, _ in action(items) })
    }
    /// - Parameter action: also told where, in this view's space.
    public func onDrop(
        of supportedContentTypes: [UTType], isTargeted: Binding<Bool>?,
        perform action: @escaping @MainActor ([NSItemProvider], CGPoint) -> Bool
    ) -> some View {
        elementModifier(DropModifier(types: supportedContentTypes, isTargeted: isTargeted, action: action))
    }
    /// The same, by the types' names: "public.file-url".
    public func onDrop(
        of supportedTypes: [String], isTargeted: Binding<Bool>?,
        perform action: @escaping @MainActor ([NSItemProvider]) -> Bool
    ) -> some View {
        elementModifier(
            DropModifier(types: supportedTypes.map { UTType(importedAs: $0) }, isTargeted: isTargeted) { items, _ in
                action(items)
            })
    }
    /// The same, by the types' names; `action` is also told where, in this view's space, points.
    public func onDrop(
        of supportedTypes: [String], isTargeted: Binding<Bool>?,
        perform action: @escaping @MainActor ([NSItemProvider], CGPoint) -> Bool
    ) -> some View {
        elementModifier(
            DropModifier(types: supportedTypes.map { UTType(importedAs: $0) }, isTargeted: isTargeted, action: action))
    }
    /// Lets this view be dragged, to other programs too. - Parameter data: what is dragged; asked when it begins.
    public func onDrag(_ data: @escaping @MainActor () -> NSItemProvider) -> some View {
        elementModifier(DragModifier(data: data))
    }
    /// - Parameter preview: not shown: a drag is drawn as GTK draws it.
    public func onDrag<V: View>(_ data: @escaping @MainActor () -> NSItemProvider, @ViewBuilder preview: () -> V)
        -> some View
    { elementModifier(DragModifier(data: data)) }
}

struct DropModifier: ElementModifier {
    let types: [UTType]
    let isTargeted: Binding<Bool>?
    let action: @MainActor ([NSItemProvider], CGPoint) -> Bool
    func makeElement() -> DropElement { DropElement() }
    func update(_ element: DropElement, _ fiber: _Fiber) {
        element.types = types
        element.targeted = isTargeted
        element.action = action
        element.isEnabled = fiber.environment.isEnabled
    }
}

/// Takes what is dropped on its content.
final class DropElement: WrapperElement {
    var types: [UTType] = []
    var targeted: Binding<Bool>?
    var action: @MainActor ([NSItemProvider], CGPoint) -> Bool = { _, _ in false }
    var isEnabled = true
    var isTargeted = false {
        didSet { if isTargeted != oldValue { targeted?.wrappedValue = isTargeted } }
    }

    override func attached(to host: any ElementHost) { DropHub.join(self, host) }
    override func detached(from host: any ElementHost) {
        DropHub.leave(self, host)
        isTargeted = false
    }

    /// - Parameter point: in the host.
    func isUnder(_ point: CGPoint) -> Bool { isEnabled && hit(point) != nil }
    /// Files may be what it takes; which ones, their names tell.
    var takesFiles: Bool {
        types.contains { !$0.conforms(to: .text) } || types.contains { UTType.subtitleKinds.contains($0) }
    }
    var takesText: Bool { types.contains { UTType.utf8PlainText.conforms(to: $0) || $0 == .url } }

    func drop(_ items: [NSItemProvider], _ point: CGPoint) -> Bool {
        let fitting = items.filter { item in types.contains { item.hasItemConformingToTypeIdentifier($0.identifier) } }
        guard isEnabled, !fitting.isEmpty, let own = fromHost(point) else { return false }
        return action(fitting, own)
    }
}

extension UTType {
    /// Kinds of text that are files.
    fileprivate static let subtitleKinds: Set<UTType> = [
        .text, .json, .xml, .html, .m3uPlaylist, UTType(importedAs: "public.subtitle"),
    ]
}
