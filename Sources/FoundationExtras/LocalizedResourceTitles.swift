import DeclarativeUI
import Foundation

// Titles of views that are a `LocalizedStringResource`. Each resource is looked up in its own table and bundle. These
// initializers and modifiers are in this module, because it declares the type. String literals keep their meaning: they
// are `LocalizedStringKey` values.

extension Text {
    /// Creates a text view from a resource. Markdown applies only to a resource without values.
    @_disfavoredOverload nonisolated public init(_ resource: LocalizedStringResource) {
        if resource.value.values.isEmpty {
            self.init(LocalizedStringKey(resource.key), tableName: resource.table, bundle: resource.bundle)
        } else {
            self.init(verbatim: String(localized: resource))
        }
    }
}
extension Label where Title == Text, Icon == Image {
    /// Creates a label with a symbol and a title from a resource.
    @_disfavoredOverload public init(_ titleResource: LocalizedStringResource, systemImage name: String) {
        self.init(String(localized: titleResource), systemImage: name)
    }
    /// Creates a label with an image from the app's resources and a title from a resource.
    @_disfavoredOverload public init(_ titleResource: LocalizedStringResource, image name: String) {
        self.init(String(localized: titleResource), image: name)
    }
    /// Creates a label with an image of an asset catalog and a title from a resource.
    @_disfavoredOverload public init(_ titleResource: LocalizedStringResource, image resource: ImageResource) {
        self.init(String(localized: titleResource), image: resource)
    }
}

// MARK: controls

extension Button where Label == Text {
    /// Creates a button with a title from a resource.
    @_disfavoredOverload public init(
        _ titleResource: LocalizedStringResource, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
    ) {
        self.init(String(localized: titleResource), role: role, action: action)
    }
}
extension Button where Label == DeclarativeUI.Label<Text, Image> {
    /// Creates a button with a symbol and a title from a resource.
    @_disfavoredOverload public init(
        _ titleResource: LocalizedStringResource, systemImage: String, role: ButtonRole? = nil,
        action: @escaping @MainActor () -> Void
    ) {
        self.init(String(localized: titleResource), systemImage: systemImage, role: role, action: action)
    }
}
extension Menu where Label == Text {
    /// Creates a menu with a title from a resource.
    @_disfavoredOverload public init(
        _ titleResource: LocalizedStringResource, @ViewBuilder content: () -> Content
    ) {
        self.init(String(localized: titleResource), content: content)
    }
}
extension Menu where Label == DeclarativeUI.Label<Text, Image> {
    /// Creates a menu with a symbol and a title from a resource.
    @_disfavoredOverload public init(
        _ titleResource: LocalizedStringResource, systemImage: String, @ViewBuilder content: () -> Content
    ) {
        self.init(String(localized: titleResource), systemImage: systemImage, content: content)
    }
}
extension Toggle where Label == Text {
    /// Creates a toggle with a title from a resource.
    @_disfavoredOverload public init(_ titleResource: LocalizedStringResource, isOn: Binding<Bool>) {
        self.init(String(localized: titleResource), isOn: isOn)
    }
}
extension Toggle where Label == DeclarativeUI.Label<Text, Image> {
    /// Creates a toggle with a symbol and a title from a resource.
    @_disfavoredOverload public init(
        _ titleResource: LocalizedStringResource, systemImage: String, isOn: Binding<Bool>
    ) {
        self.init(String(localized: titleResource), systemImage: systemImage, isOn: isOn)
    }
}
extension Picker where Label == Text {
    /// Creates a picker with a title from a resource.
    @_disfavoredOverload public init(
        _ titleResource: LocalizedStringResource, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(String(localized: titleResource), selection: selection, content: content)
    }
}
extension TextField where Label == Text {
    /// Creates a field with a title from a resource. Nil as `prompt` shows the title.
    @_disfavoredOverload public init(
        _ titleResource: LocalizedStringResource, text: Binding<String>, prompt: Text? = nil
    ) {
        self.init(String(localized: titleResource), text: text, prompt: prompt)
    }
}
extension SecureField where Label == Text {
    /// Creates a field that hides its text, with a title from a resource. Nil as `prompt` shows the title.
    @_disfavoredOverload public init(
        _ titleResource: LocalizedStringResource, text: Binding<String>, prompt: Text? = nil
    ) {
        self.init(String(localized: titleResource), text: text, prompt: prompt)
    }
}
extension ColorPicker where Label == Text {
    /// Creates a picker with a title from a resource.
    @_disfavoredOverload public init(
        _ titleResource: LocalizedStringResource, selection: Binding<Color>, supportsOpacity: Bool = true
    ) {
        self.init(String(localized: titleResource), selection: selection, supportsOpacity: supportsOpacity)
    }
}
extension ProgressView where Label == Text, CurrentValueLabel == EmptyView {
    /// Creates a spinner with a title from a resource above it.
    @_disfavoredOverload public init(_ titleResource: LocalizedStringResource) {
        self.init(String(localized: titleResource))
    }
}

// MARK: containers

extension Section where Parent == Text, Footer == EmptyView {
    /// Creates a section with a title from a resource.
    @_disfavoredOverload public init(
        _ titleResource: LocalizedStringResource, @ViewBuilder content: () -> Content
    ) {
        self.init(String(localized: titleResource), content: content)
    }
}
extension GroupBox where Label == Text {
    /// Creates a box with a title from a resource.
    @_disfavoredOverload public init(
        _ titleResource: LocalizedStringResource, @ViewBuilder content: () -> Content
    ) {
        self.init(String(localized: titleResource), content: content)
    }
}
extension LabeledContent where Label == Text {
    /// Creates a labeled value with a title from a resource.
    @_disfavoredOverload public init(
        _ titleResource: LocalizedStringResource, @ViewBuilder content: () -> Content
    ) {
        self.init(String(localized: titleResource), content: content)
    }
}
extension LabeledContent where Label == Text, Content == Text {
    /// Creates a labeled value with a title from a resource and a value as text.
    @_disfavoredOverload public init(_ titleResource: LocalizedStringResource, value: some StringProtocol) {
        self.init(String(localized: titleResource), value: value)
    }
}
extension NavigationLink where Label == Text {
    /// Creates a link with a title from a resource. The closure for the page runs when the user follows the link.
    @_disfavoredOverload public init(
        _ titleResource: LocalizedStringResource, @ViewBuilder destination: @escaping @MainActor () -> Destination
    ) {
        self.init(String(localized: titleResource), destination: destination)
    }
}
extension NavigationLink where Label == Text, Destination == Never {
    /// Creates a link with a title from a resource to the page that is declared for `value`. Nil disables the link.
    @_disfavoredOverload public init<V: Hashable>(_ titleResource: LocalizedStringResource, value: V?) {
        self.init(String(localized: titleResource), value: value)
    }
}
extension Link where Label == Text {
    /// Creates a link with a title from a resource.
    @_disfavoredOverload public init(_ titleResource: LocalizedStringResource, destination: URL) {
        self.init(String(localized: titleResource), destination: destination)
    }
}
extension ContentUnavailableView
where Label == DeclarativeUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
    /// Creates a view with a symbol, a title from a resource, and an explanation. Nil shows no explanation.
    @_disfavoredOverload public init(
        _ titleResource: LocalizedStringResource, systemImage name: String, description: Text? = nil
    ) {
        self.init(String(localized: titleResource), systemImage: name, description: description)
    }
}

// MARK: modifiers

extension View {
    /// Sets the title of the window, or of the page in a navigation stack, from a resource.
    @_disfavoredOverload public func navigationTitle(_ titleResource: LocalizedStringResource) -> some View {
        navigationTitle(String(localized: titleResource))
    }
    /// Shows an alert with a title from a resource and a message.
    @_disfavoredOverload public func alert<A: View, M: View>(
        _ titleResource: LocalizedStringResource, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A,
        @ViewBuilder message: @escaping () -> M
    ) -> some View {
        alert(String(localized: titleResource), isPresented: isPresented, actions: actions, message: message)
    }
    /// Shows an alert with a title from a resource and without a message.
    @_disfavoredOverload public func alert<A: View>(
        _ titleResource: LocalizedStringResource, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A
    ) -> some View {
        alert(String(localized: titleResource), isPresented: isPresented, actions: actions)
    }
    /// Shows a dialog with a title from a resource and actions, without a message.
    @_disfavoredOverload public func confirmationDialog<A: View>(
        _ titleResource: LocalizedStringResource, isPresented: Binding<Bool>,
        titleVisibility: TitleVisibility = .automatic, @ViewBuilder actions: @escaping () -> A
    ) -> some View {
        confirmationDialog(
            String(localized: titleResource), isPresented: isPresented, titleVisibility: titleVisibility,
            actions: actions)
    }
    /// Adds a tooltip with a text from a resource.
    @_disfavoredOverload public func help(_ textResource: LocalizedStringResource) -> some View {
        help(String(localized: textResource))
    }
    /// Sets the name of this view for assistive technology to a text from a resource.
    @_disfavoredOverload public func accessibilityLabel(_ label: LocalizedStringResource) -> some View {
        accessibilityLabel(String(localized: label))
    }
    /// Sets the value of this view for assistive technology to a text from a resource.
    @_disfavoredOverload public func accessibilityValue(_ value: LocalizedStringResource) -> some View {
        accessibilityValue(String(localized: value))
    }
    /// Describes for assistive technology what this view does, with a text from a resource.
    @_disfavoredOverload public func accessibilityHint(_ hint: LocalizedStringResource) -> some View {
        accessibilityHint(String(localized: hint))
    }
}
