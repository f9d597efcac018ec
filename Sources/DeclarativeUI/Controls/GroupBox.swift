import Foundation

/// A group of views on a background, with a label above. Matches SwiftUI's `GroupBox`.
///
/// ```swift
/// GroupBox("Playback") {
///     Toggle("Loop", isOn: $isLooping)
///     Toggle("Start muted", isOn: $isMuted)
/// }
/// ```
public struct GroupBox<Label: View, Content: View>: View {
    let label: Label
    let content: Content
    /// Creates a box around `content` with `label` above it.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.content = content()
        self.label = label()
    }
    /// Creates a box with the view `label` above it. This is an older form of `init(content:label:)`.
    public init(label: Label, @ViewBuilder content: () -> Content) { self.init(content: content, label: { label }) }

    public var body: some View {
        VStack(alignment: .leading, spacing: Space.snug) {
            if Label.self != EmptyView.self { label.font(.headline) }
            VStack(alignment: .leading) { content }
                .padding(Space.wide)
                .background { RoundedRectangle(cornerRadius: Radius.card).fill(Shade.ground) }
        }
    }
}

extension GroupBox where Label == Text {
    /// Creates a box with a localized title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }
    /// Creates a box with a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(title) }
    }
}
extension GroupBox where Label == EmptyView {
    /// Creates a box without a label.
    public init(@ViewBuilder content: () -> Content) { self.init(content: content) { EmptyView() } }
}
