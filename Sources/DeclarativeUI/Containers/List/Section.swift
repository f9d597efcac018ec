import Foundation

/// A group of rows with an optional header and footer. Matches SwiftUI's `Section`.
///
/// ```swift
/// List {
///     Section("Downloads") { ForEach(downloads, id: \.self) { Text($0) } }
///     Section("History") { ForEach(history, id: \.self) { Text($0) } }
/// }
/// ```
/// Outside a list, the header, the rows and the footer are laid out one after the other.
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
    /// Creates a section with a header and a footer.
    public init(
        @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer
    ) {
        self.header = header()
        self.footer = footer()
        self.content = content()
    }
    /// Creates a section with the views `header` and `footer`. This is an older form of
    /// `init(content:header:footer:)`.
    public init(header: Parent, footer: Footer, @ViewBuilder content: () -> Content) {
        self.header = header
        self.footer = footer
        self.content = content()
    }
}

/// An edge of a card: the start of a section without a header, or the end of a section without a footer.
enum SectionEdge {
    case start, end
    @MainActor var view: some View {
        Color.clear.frame(height: 0).accessibilityHidden(true).elementModifier(TraitModifier(value: RowKind.footer))
            .elementModifier(TraitModifier(value: self))
    }
}

extension Section where Footer == EmptyView {
    /// Creates a section with a header and without a footer.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.init(header: header(), footer: EmptyView(), content: content)
    }
    /// Creates a section with the view `header` and without a footer. This is an older form of `init(content:header:)`.
    public init(header: Parent, @ViewBuilder content: () -> Content) {
        self.init(header: header, footer: EmptyView(), content: content)
    }
}
extension Section where Parent == EmptyView {
    /// Creates a section with a footer and without a header.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
        self.init(header: EmptyView(), footer: footer(), content: content)
    }
    /// Creates a section with the view `footer` and without a header. This is an older form of `init(content:footer:)`.
    public init(footer: Footer, @ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), footer: footer, content: content)
    }
}
extension Section where Parent == EmptyView, Footer == EmptyView {
    /// Creates a section without a header and a footer.
    public init(@ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), footer: EmptyView(), content: content)
    }
}
extension Section where Parent == Text, Footer == EmptyView {
    /// Creates a section with a localized title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(header: Text(titleKey), footer: EmptyView(), content: content)
    }
    /// Creates a section with a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(header: Text(title), footer: EmptyView(), content: content)
    }
}
