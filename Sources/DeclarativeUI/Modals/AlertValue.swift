import Presentation

/// A question with one button or two, as a value. SwiftUI's older way to say an alert.
///
/// Any of its buttons closes it. Return presses the first button that is neither destructive nor cancels, Escape the
/// one that cancels, or none.
@MainActor @preconcurrency
public struct Alert {
    /// One of an alert's buttons.
    @MainActor @preconcurrency
    public struct Button {
        let role: ButtonRole?
        let label: Text
        let action: (@MainActor () -> Void)?

        /// A button that Return presses, if it is the first such one.
        /// - Parameter action: run after the alert has closed; main actor.
        public static func `default`(_ label: Text, action: (@MainActor () -> Void)? = {}) -> Alert.Button {
            Alert.Button(role: nil, label: label, action: action)
        }
        /// A button that Escape presses.
        /// - Parameter action: run after the alert has closed; main actor.
        public static func cancel(_ label: Text, action: (@MainActor () -> Void)? = {}) -> Alert.Button {
            Alert.Button(role: .cancel, label: label, action: action)
        }
        /// Called "Cancel".
        public static func cancel(_ action: (@MainActor () -> Void)? = {}) -> Alert.Button {
            cancel(Text(verbatim: PlayerWords.localized("Cancel")), action: action)
        }
        /// A button in red, which neither Return nor Escape presses.
        /// - Parameter action: run after the alert has closed; main actor.
        public static func destructive(_ label: Text, action: (@MainActor () -> Void)? = {}) -> Alert.Button {
            Alert.Button(role: .destructive, label: label, action: action)
        }
    }

    let title: Text
    let message: Text?
    let buttons: [Alert.Button]

    /// - Parameter dismissButton: nil is one called "OK".
    public init(title: Text, message: Text? = nil, dismissButton: Alert.Button? = nil) {
        self.title = title
        self.message = message
        buttons = [dismissButton ?? .default(Text(verbatim: PlayerWords.localized("OK")))]
    }
    /// A question with two buttons, in this order.
    public init(title: Text, message: Text? = nil, primaryButton: Alert.Button, secondaryButton: Alert.Button) {
        self.title = title
        self.message = message
        buttons = [primaryButton, secondaryButton]
    }
}

extension View {
    /// Shows the alert in a window over this one while `isPresented`, which is set false when it is closed.
    public func alert(isPresented: Binding<Bool>, content: @escaping @MainActor () -> Alert) -> some View {
        AlertPresenter(
            content: self,
            item: Binding(
                get: { isPresented.wrappedValue ? PresentedFlag() : nil },
                set: { if $0 == nil { isPresented.wrappedValue = false } })
        ) { _ in content() }
    }
    /// Shows the alert for an item while there is one.
    public func alert<Item: Identifiable>(item: Binding<Item?>, content: @escaping @MainActor (Item) -> Alert)
        -> some View
    {
        AlertPresenter(content: self, item: item, alert: content)
    }
}

/// What is presented when it is nothing but presented.
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
            item,
            in: { fiber in
                let window = ModalWindow(graph: fiber.graph, isDialog: true)
                window.onReturn = { (buttons.first ?? buttons.cancel)?() }
                window.onCancel = { (buttons.cancel ?? buttons.dismiss)() }
                buttons.dismiss = { item.wrappedValue = nil }
                return window
            }
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
