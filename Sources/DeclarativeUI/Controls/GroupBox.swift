import Foundation

/// Views that belong together, on a ground of their own under a label. SwiftUI's view.
public struct GroupBox<Label: View, Content: View>: View {
    let label: Label
    let content: Content
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.content = content()
        self.label = label()
    }
    public init(label: Label, @ViewBuilder content: () -> Content) { self.init(content: content, label: { label }) }

    public var body: some View {
        VStack(alignment: .leading, spacing: 6) {
            if Label.self != EmptyView.self { label.font(.headline) }
            VStack(alignment: .leading) { content }
                .padding(10)
                .background { RoundedRectangle(cornerRadius: 8).fill(Color.primary.opacity(0.06)) }
        }
    }
}

extension GroupBox where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(title) }
    }
}
extension GroupBox where Label == EmptyView {
    public init(@ViewBuilder content: () -> Content) { self.init(content: content) { EmptyView() } }
}
