import Foundation

/// Views that belong together, on a ground of their own under a label. SwiftUI's view.
public struct GroupBox<Label: View, Content: View>: View {
    let label: Label
    let content: Content
    /// A box around `content`, with `label` above it.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.content = content()
        self.label = label()
    }
    /// The older form, with the label as a finished view.
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
    /// A box under a title that is looked up in the app's translations.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }
    /// A box under a title that is shown as it is.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(title) }
    }
}
extension GroupBox where Label == EmptyView {
    /// A box without a label.
    public init(@ViewBuilder content: () -> Content) { self.init(content: content) { EmptyView() } }
}
