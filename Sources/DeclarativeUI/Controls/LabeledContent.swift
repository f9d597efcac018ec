import Foundation

/// A label and a value at the two ends of the available width. Matches SwiftUI's `LabeledContent`.
///
/// ```swift
/// Form {
///     LabeledContent("Codec", value: codec)
///     LabeledContent("Duration") { Text(TimeText.clock(duration)) }
/// }
/// ```
/// With `labelsHidden()` around it, only the value is shown.
public struct LabeledContent<Label: View, Content: View>: View {
    private let label: Label
    private let content: Content
    @Environment(\.labelsAreHidden) private var isBare

    /// Creates a labeled value from any two views.
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
    /// Creates a labeled value with a localized title.
    public init(_ title: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(title) }
    }
    /// Creates a labeled value with a title that is not localized.
    @_disfavoredOverload
    public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(title) }
    }
}

extension LabeledContent where Label == Text, Content == Text {
    /// Creates a labeled value with a localized title and a value as text.
    public init(_ title: LocalizedStringKey, value: some StringProtocol) {
        self.init {
            Text(value)
        } label: {
            Text(title)
        }
    }
    /// Creates a labeled value with a title that is not localized and a value as text.
    @_disfavoredOverload
    public init(_ title: some StringProtocol, value: some StringProtocol) {
        self.init {
            Text(value)
        } label: {
            Text(title)
        }
    }
    /// Creates a labeled value with a localized title and a value in the given format.
    public init<F: FormatStyle>(_ title: LocalizedStringKey, value: F.FormatInput, format: F)
    where F.FormatInput: Equatable, F.FormatOutput == String {
        self.init(title, value: format.format(value))
    }
    /// Creates a labeled value with a title that is not localized and a value in the given format.
    @_disfavoredOverload
    public init<F: FormatStyle>(_ title: some StringProtocol, value: F.FormatInput, format: F)
    where F.FormatInput: Equatable, F.FormatOutput == String {
        self.init(title, value: format.format(value))
    }
}
