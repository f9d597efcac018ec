@_spi(Graph) import ViewGraph

/// A description of a dialog with its buttons one below the other. This is an older form of
/// `confirmationDialog(_:isPresented:titleVisibility:actions:message:)`.
///
/// ```swift
/// .actionSheet(isPresented: $asks) {
///     ActionSheet(
///         title: Text("Remove the film?"),
///         buttons: [.destructive(Text("Remove")) { remove() }, .cancel()])
/// }
/// ```
/// Every button closes the dialog. Return presses the first default button, or else the cancel button. Escape presses
/// the cancel button. The dialog adds a cancel button if `buttons` has none; on an iPhone, a dialog without one is
/// possible. The dialog is a window over the app's window; on an iPhone, it slides in from the bottom.
@MainActor @preconcurrency
public struct ActionSheet {
    /// A button of an action sheet: `.default`, `.destructive` or `.cancel`.
    public typealias Button = Alert.Button

    let title: Text
    let message: Text?
    let buttons: [ActionSheet.Button]

    /// Creates an action sheet.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - message: The message, or nil for none.
    ///   - buttons: The buttons, from top to bottom.
    public init(title: Text, message: Text? = nil, buttons: [ActionSheet.Button] = [.cancel()]) {
        self.title = title
        self.message = message
        self.buttons = buttons
    }
}

extension View {
    /// Shows an action sheet over this window while `isPresented` is true, and sets `isPresented` to false when the
    /// action sheet closes.
    public func actionSheet(isPresented: Binding<Bool>, content: @escaping @MainActor () -> ActionSheet) -> some View {
        ActionSheetPresenter(content: self, item: isPresented.flag) { _ in content() }
    }
    /// Shows an action sheet for `item` while `item` has a value, and sets `item` to nil when the action sheet closes.
    public func actionSheet<Item: Identifiable>(
        item: Binding<Item?>, content: @escaping @MainActor (Item) -> ActionSheet
    ) -> some View { ActionSheetPresenter(content: self, item: item, sheet: content) }
}

struct ActionSheetPresenter<Content: View, Item: Identifiable>: View {
    let content: Content
    let item: Binding<Item?>
    let sheet: @MainActor (Item) -> ActionSheet
    @State private var buttons = DialogButtons()

    var body: some View {
        content.presenting(
            item, in: { fiber in buttons.window(fiber.graph) { item.wrappedValue = nil } }
        ) { item in
            let sheet = sheet(item)
            return AnyView(
                DialogView(
                    title: sheet.title, isStacked: true, hasTitle: true,
                    actions: AnyView(AlertButtons(buttons: sheet.buttons)),
                    message: sheet.message.map { AnyView($0) } ?? AnyView(EmptyView()), isEmpty: false, buttons: buttons
                ))
        }
    }
}
