/// A value with its label, at the two ends of the width there is; below `labelsHidden()` the value alone. SwiftUI's
/// view.
public struct LabeledContent<Label: View, Content: View>: View {
    private let label: Label
    private let content: Content
    @Environment(\.labelsAreHidden) private var isBare

    /// A value and its label, both any views.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        (self.content, self.label) = (content(), label())
    }

    public var body: some View {
        if isBare {
            content
        } else {
            LabeledRow {
                HStack { label }
                HStack { content }.foregroundStyle(.secondary).frame(maxWidth: .infinity, alignment: .trailing)
            }
        }
    }
}

extension LabeledContent where Label == Text {
    /// A value of any views, under a title that is looked up in the app's translations.
    public init(_ title: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(title) }
    }
    /// A value of any views, under a title that is shown as it is.
    @_disfavoredOverload
    public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(title) }
    }
}

extension LabeledContent where Label == Text, Content == Text {
    /// A value in words, under a title that is looked up in the app's translations.
    public init(_ title: LocalizedStringKey, value: some StringProtocol) {
        self.init {
            Text(value)
        } label: {
            Text(title)
        }
    }
    /// A value in words, under a title that is shown as it is.
    @_disfavoredOverload
    public init(_ title: some StringProtocol, value: some StringProtocol) {
        self.init {
            Text(value)
        } label: {
            Text(title)
        }
    }
}
