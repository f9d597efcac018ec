import Foundation
@_spi(Graph) import ViewGraph

extension View {
    /// Accepts files and text that are dropped on this view from this app or from others.
    ///
    /// ```swift
    /// .onDrop(of: [.movie], isTargeted: $isTargeted) { items in
    ///     guard let item = items.first else { return false }
    ///     item.loadObject(ofClass: URL.self) { url, _ in
    ///         if let url { Task { @MainActor in open(url) } }
    ///     }
    ///     return true
    /// }
    /// ```
    /// - Parameters:
    ///   - supportedContentTypes: The accepted types. `.fileURL` accepts all files, and `.movie` accepts files with the
    ///     extension of a video. `.text` accepts text, and files with the extension of a text or subtitle file.
    ///     `.plainText` accepts text, and files with the extension txt or text. `.url` accepts all files, and text that
    ///     is a URL.
    ///   - isTargeted: A binding that is true while an item that may be accepted is dragged over this view.
    ///   - action: Receives the dropped items that have an accepted type. Returns whether the app has accepted the
    ///     drop, which is reported to the source of the drag.
    public func onDrop(
        of supportedContentTypes: [UTType], isTargeted: Binding<Bool>?,
        perform action: @escaping @MainActor ([NSItemProvider]) -> Bool
    ) -> some View {
        elementModifier(
            DropModifier(types: supportedContentTypes, isTargeted: isTargeted) { items, _ in action(items) })
    }
    /// Accepts items that are dropped on this view, and reports the position of the drop.
    /// - Parameters:
    ///   - supportedContentTypes: The accepted types.
    ///   - isTargeted: A binding that is true while an item that may be accepted is dragged over this view.
    ///   - action: Receives the accepted items and the position in this view, in points. Returns whether the app has
    ///     accepted the drop.
    public func onDrop(
        of supportedContentTypes: [UTType], isTargeted: Binding<Bool>?,
        perform action: @escaping @MainActor ([NSItemProvider], CGPoint) -> Bool
    ) -> some View {
        elementModifier(DropModifier(types: supportedContentTypes, isTargeted: isTargeted, action: action))
    }
    /// Accepts items that are dropped on this view, by type identifiers.
    /// - Parameters:
    ///   - supportedTypes: The accepted type identifiers, such as `public.file-url`.
    ///   - isTargeted: A binding that is true while an item that may be accepted is dragged over this view.
    ///   - action: Receives the accepted items. Returns whether the app has accepted the drop.
    public func onDrop(
        of supportedTypes: [String], isTargeted: Binding<Bool>?,
        perform action: @escaping @MainActor ([NSItemProvider]) -> Bool
    ) -> some View {
        elementModifier(
            DropModifier(types: supportedTypes.map { UTType(importedAs: $0) }, isTargeted: isTargeted) { items, _ in
                action(items)
            })
    }
    /// Accepts items that are dropped on this view, by type identifiers, and reports the position of the drop.
    /// - Parameters:
    ///   - supportedTypes: The accepted type identifiers, such as `public.file-url`.
    ///   - isTargeted: A binding that is true while an item that may be accepted is dragged over this view.
    ///   - action: Receives the accepted items and the position in this view, in points. Returns whether the app has
    ///     accepted the drop.
    public func onDrop(
        of supportedTypes: [String], isTargeted: Binding<Bool>?,
        perform action: @escaping @MainActor ([NSItemProvider], CGPoint) -> Bool
    ) -> some View {
        elementModifier(
            DropModifier(types: supportedTypes.map { UTType(importedAs: $0) }, isTargeted: isTargeted, action: action))
    }
    /// Makes this view draggable, within the app and to other apps.
    ///
    /// ```swift
    /// Text(url.lastPathComponent)
    ///     .onDrag { NSItemProvider(object: url) }
    /// ```
    /// - Parameter data: Returns the dragged item. Called when a drag begins.
    public func onDrag(_ data: @escaping @MainActor () -> NSItemProvider) -> some View {
        elementModifier(DragModifier(data: data))
    }
    /// Makes this view draggable, within the app and to other apps.
    /// - Parameters:
    ///   - data: Returns the dragged item. Called when a drag begins.
    ///   - preview: Has no effect; GTK draws the dragged item.
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

/// An element that accepts items dropped on its content.
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

    /// Returns whether the element is enabled and its content contains a point.
    /// - Parameter point: The point in the host's space.
    func accepts(at point: CGPoint) -> Bool { isEnabled && hit(point) != nil }
    /// Whether the element accepts some types of files. `drop(_:_:)` checks the dropped files by their extensions.
    var takesFiles: Bool { types.contains { !$0.conforms(to: .text) || !$0.allExtensions.isEmpty } }
    var takesText: Bool { types.contains { UTType.utf8PlainText.conforms(to: $0) || $0 == .url } }

    func drop(_ items: [NSItemProvider], _ point: CGPoint) -> Bool {
        let fitting = items.filter { item in types.contains { item.hasItemConformingToTypeIdentifier($0.identifier) } }
        guard isEnabled, !fitting.isEmpty, let own = fromHost(point) else { return false }
        return action(fitting, own)
    }
}
