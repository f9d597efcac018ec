import Foundation

/// Rows that belong together, under a header and over a footer. SwiftUI's view; outside of a list its views stand one
/// after the other.
public struct Section<Parent: View, Content: View, Footer: View>: View, SeveralRows {
    let header: Parent
    let footer: Footer
    let content: Content
    @Environment(\.listLook) private var look
    @Environment(\.isInList) private var isInList

    public var body: some View {
        if Parent.self == EmptyView.self {
            if isInList, look.kind == .grouped { SectionEdge.start.view }
        } else {
            header.font(.headline).foregroundStyle(.secondary).accessibilityAddTraits(.isHeader).elementModifier(
                TraitModifier(value: RowKind.header))
        }
        content
        if Footer.self == EmptyView.self {
            if isInList, look.kind == .grouped { SectionEdge.end.view }
        } else {
            footer.font(.footnote).foregroundStyle(.secondary).elementModifier(TraitModifier(value: RowKind.footer))
        }
    }
    /// Rows under a header and over a footer, each made of views.
    public init(
        @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer
    ) {
        self.header = header()
        self.footer = footer()
        self.content = content()
    }
    /// The older form, with the header and the footer as finished views.
    public init(header: Parent, footer: Footer, @ViewBuilder content: () -> Content) {
        self.header = header
        self.footer = footer
        self.content = content()
    }
}

/// Where a section without a header begins, or one without a footer ends: its card does.
enum SectionEdge {
    case start, end
    @MainActor var view: some View {
        Color.clear.frame(height: 0).accessibilityHidden(true).elementModifier(TraitModifier(value: RowKind.footer))
            .elementModifier(TraitModifier(value: self))
    }
}

extension Section where Footer == EmptyView {
    /// Rows under a header, without a footer.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.init(header: header(), footer: EmptyView(), content: content)
    }
    /// The older form of a section with a header only.
    public init(header: Parent, @ViewBuilder content: () -> Content) {
        self.init(header: header, footer: EmptyView(), content: content)
    }
}
extension Section where Parent == EmptyView {
    /// Rows over a footer, without a header.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
        self.init(header: EmptyView(), footer: footer(), content: content)
    }
    /// The older form of a section with a footer only.
    public init(footer: Footer, @ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), footer: footer, content: content)
    }
}
extension Section where Parent == EmptyView, Footer == EmptyView {
    /// Rows without header and footer.
    public init(@ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), footer: EmptyView(), content: content)
    }
}
extension Section where Parent == Text, Footer == EmptyView {
    /// Rows under a title, which is looked up in the app's translations.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(header: Text(titleKey), footer: EmptyView(), content: content)
    }
    /// Rows under a title that is shown as it is.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(header: Text(title), footer: EmptyView(), content: content)
    }
}
