import Presentation

/// A description of an alert with one or two buttons. This is an older form of `alert(_:isPresented:actions:message:)`.
///
/// Every button closes the alert. Return presses the first default button, or else the cancel button. Escape presses
/// the cancel button, or closes the alert if there is none.
@MainActor @preconcurrency
public struct Alert {
    /// A button of an alert.
    @MainActor @preconcurrency
    public struct Button {
        let role: ButtonRole?
        let label: Text
        let action: (@MainActor () -> Void)?

        /// Returns a button that Return presses if it is the first default button.
        ///
        /// - Parameters:
        ///   - label: The text of the button.
        ///   - action: Called on the main actor after the alert has closed.
        public static func `default`(_ label: Text, action: (@MainActor () -> Void)? = {}) -> Alert.Button {
            Alert.Button(role: nil, label: label, action: action)
        }
        /// Returns a button that Escape presses.
        ///
        /// - Parameters:
        ///   - label: The text of the button.
        ///   - action: Called on the main actor after the alert has closed.
        public static func cancel(_ label: Text, action: (@MainActor () -> Void)? = {}) -> Alert.Button {
            Alert.Button(role: .cancel, label: label, action: action)
        }
        /// Returns a button with the text “Cancel” in the user's language.
        public static func cancel(_ action: (@MainActor () -> Void)? = {}) -> Alert.Button {
            cancel(Text(verbatim: PlayerWords.localized("Cancel")), action: action)
        }
        /// Returns a red button, which neither Return nor Escape presses.
        ///
        /// - Parameters:
        ///   - label: The text of the button.
        ///   - action: Called on the main actor after the alert has closed.
        public static func destructive(_ label: Text, action: (@MainActor () -> Void)? = {}) -> Alert.Button {
            Alert.Button(role: .destructive, label: label, action: action)
        }
    }

    let title: Text
    let message: Text?
    let buttons: [Alert.Button]

    /// Creates an alert with one button.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - message: The message, or nil for none.
    ///   - dismissButton: The button. Nil means a button with the text “OK”.
    public init(title: Text, message: Text? = nil, dismissButton: Alert.Button? = nil) {
        self.title = title
        self.message = message
        buttons = [dismissButton ?? .default(Text(verbatim: PlayerWords.localized("OK")))]
    }
    /// Creates an alert with two buttons, in this order.
    public init(title: Text, message: Text? = nil, primaryButton: Alert.Button, secondaryButton: Alert.Button) {
        self.title = title
        self.message = message
        buttons = [primaryButton, secondaryButton]
    }
}

extension View {
    /// Shows an alert over this window while `isPresented` is true, and sets `isPresented` to false when the alert
    /// closes.
    public func alert(isPresented: Binding<Bool>, content: @escaping @MainActor () -> Alert) -> some View {
        AlertPresenter(content: self, item: isPresented.flag) { _ in content() }
    }
    /// Shows an alert for `item` while `item` has a value, and sets `item` to nil when the alert closes.
    public func alert<Item: Identifiable>(item: Binding<Item?>, content: @escaping @MainActor (Item) -> Alert)
        -> some View
    {
        AlertPresenter(content: self, item: item, alert: content)
    }
}

extension Binding where Value == Bool {
    /// An item that has a value while this binding is true.
    @MainActor var flag: Binding<PresentedFlag?> {
        Binding<PresentedFlag?>(
            get: { wrappedValue ? PresentedFlag() : nil }, set: { if $0 == nil { wrappedValue = false } })
    }
}

/// The item of a presentation that depends only on a Boolean.
struct PresentedFlag: Identifiable {
    let id = true
}

struct AlertPresenter<Content: View, Item: Identifiable>: View {
    let content: Content
    let item: Binding<Item?>
    let alert: @MainActor (Item) -> Alert
    @State private var buttons = DialogButtons()

    var body: some View {
        content.presenting(
            item, in: { fiber in buttons.window(fiber.graph) { item.wrappedValue = nil } }
        ) { item in
            let alert = alert(item)
            return AnyView(
                DialogView(
                    title: alert.title, isStacked: false, hasTitle: true,
                    actions: AnyView(AlertButtons(buttons: alert.buttons)),
                    message: alert.message.map { AnyView($0) } ?? AnyView(EmptyView()), isEmpty: false, buttons: buttons
                ))
        }
    }
}

struct AlertButtons: View {
    let buttons: [Alert.Button]
    var body: some View {
        ForEach(buttons.indices, id: \.self) { index in
            let button = buttons[index]
            Button(role: button.role, action: { button.action?() }) { button.label }
        }
    }
}
