import Foundation
import Presentation
@_spi(Graph) import ViewGraph

/// A button of an alert or an action sheet. Modeled on UIKit's type.
@MainActor @preconcurrency
open class UIAlertAction {
    /// The purpose of a button, which determines its look.
    public enum Style: Int, Sendable {
        /// A button with the usual look, a button that Escape presses, and a button that deletes something.
        case `default` = 0, cancel, destructive
    }
    /// The title of the button.
    public final let title: String?
    /// The purpose of the button.
    public final let style: Style
    private final let handler: ((UIAlertAction) -> Void)?
    fileprivate final let enabled = ControlValues(true)
    /// Whether users can press the button.
    open var isEnabled: Bool {
        get { enabled.current }
        set { if newValue != enabled.current { enabled.current = newValue } }
    }
    /// Creates a button.
    /// - Parameters:
    ///   - title: The title.
    ///   - style: The purpose.
    ///   - handler: Called on the main actor when the user presses the button. The alert closes, and the handler may
    ///     present another controller.
    public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        (self.title, self.style, self.handler) = (title, style, handler)
    }
    fileprivate final func run() { handler?(self) }
    fileprivate final var role: ButtonRole? {
        switch style {
        case .default: nil
        case .cancel: .cancel
        case .destructive: .destructive
        }
    }
}

/// A controller that presents an alert or an action sheet, with the dialog of declarative views. Modeled on UIKit's
/// type.
///
/// ```swift
/// let alert = UIAlertController(title: "Remove the film?", message: nil, preferredStyle: .alert)
/// alert.addAction(UIAlertAction(title: "Remove", style: .destructive) { _ in self.remove() })
/// alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
/// present(alert, animated: true)
/// ```
/// Every button closes the dialog. Return presses `preferredAction`, or else the first button with the style
/// `.default`, or else the cancel button. Escape presses the cancel button; without one, Escape presses the only button
/// of an alert. An alert with several buttons and no cancel button stays open. An action sheet without a cancel button
/// gets one. The controller's `view` is not shown.
@MainActor @preconcurrency
open class UIAlertController: UIViewController, DialogController {
    /// The kind of a dialog.
    public enum Style: Int, Sendable {
        /// A dialog with its buttons one below the other.
        case actionSheet = 0
        /// A dialog with two buttons side by side, or more than two one below the other.
        case alert
    }
    /// The kind of the dialog.
    public private(set) final var preferredStyle = Style.alert
    /// The text below the title. A change while the alert is shown appears when it is presented again.
    open var message: String?
    /// The buttons in the order in which they were added.
    public private(set) final var actions: [UIAlertAction] = []
    /// The button that Return presses, one of `actions`. Set it before the presentation.
    open var preferredAction: UIAlertAction?
    /// The text fields of the alert, or nil if there is none.
    public final var textFields: [UITextField]? { fields.isEmpty ? nil : fields }
    private final var fields: [UITextField] = []
    final let buttons = DialogButtons()

    /// Creates a dialog without buttons.
    /// - Parameters:
    ///   - title: The title, or nil for none.
    ///   - message: The text below the title, or nil for none.
    ///   - preferredStyle: The kind of the dialog.
    public convenience init(title: String?, message: String?, preferredStyle: Style) {
        self.init(nibName: nil, bundle: nil)
        self.title = title
        self.message = message
        self.preferredStyle = preferredStyle
    }
    /// Creates an alert without a title. The parameters have no effect, because nib files are not supported.
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }
    /// Returns nil, because archives of controllers are not supported.
    public required init?(coder: NSCoder) { return nil }

    /// Adds a button. Has no effect for an action that was added before, or while the alert is shown.
    open func addAction(_ action: UIAlertAction) {
        guard !actions.contains(where: { $0 === action }) else { return }
        actions.append(action)
    }
    /// Adds a text field to an alert. Logs a warning for an action sheet, which has no text fields.
    /// - Parameter configurationHandler: Called at once with the new field.
    open func addTextField(configurationHandler: ((UITextField) -> Void)? = nil) {
        guard preferredStyle == .alert else {
            return ViewGraph.logger.warning("An action sheet can't have text fields. Use the style .alert.")
        }
        let field = UITextField()
        fields.append(field)
        configurationHandler?(field)
    }

    // MARK: dialog

    final var dialog: AnyView {
        let isStacked = preferredStyle == .actionSheet || actions.count > 2
        // The cancel button is at the start of a row, or below the other buttons.
        let cancel = actions.filter { $0.style == .cancel }, others = actions.filter { $0.style != .cancel }
        let main = preferredAction ?? others.first { $0.style == .default }
        return AnyView(
            DialogView(
                title: Text(verbatim: title ?? ""), isStacked: isStacked, hasTitle: title?.isEmpty == false,
                actions: AnyView(
                    AlertActions(actions: isStacked ? others + cancel : cancel + others, main: main, buttons: buttons)),
                message: AnyView(AlertMessage(text: message ?? "", fields: fields)), isEmpty: false, buttons: buttons,
                addsCancel: preferredStyle == .actionSheet
            )
            // The dialog has no frame, but the desktop and assistive technology use the title of the window.
            .preference(key: WindowTitleKey.self, value: title))
    }
    final func escape() {
        if let cancel = buttons.cancel { return cancel() }
        guard actions.count == 1, let only = actions.first, only.isEnabled, buttons.isOpen() else { return }
        modal.presentedIn?.end()
        only.run()
    }
    final func dialogDidOpen() { fields.first?.becomeFirstResponder() }
}

private struct AlertActions: View {
    let actions: [UIAlertAction]
    /// The button that Return presses, or nil.
    let main: UIAlertAction?
    let buttons: DialogButtons
    var body: some View {
        ForEach(actions.indices, id: \.self) { index in
            AlertActionButton(action: actions[index], isMain: actions[index] === main, buttons: buttons)
        }
    }
}

private struct AlertActionButton: View {
    let action: UIAlertAction
    let isMain: Bool
    let buttons: DialogButtons
    var body: some View {
        let (action, isMain, buttons) = (action, isMain, buttons)
        Button(action.title ?? "", role: action.role) { action.run() }
            .disabled(!action.enabled.shown)
            .fiberModifier(
                EnvironmentWriter(identity: AnyHashable(ObjectIdentifier(action))) {
                    $0.buttonStyle = AnyButtonStyle(dialog: buttons, isDefault: isMain)
                })
    }
}

/// The text of an alert, and its text fields one below the other.
private struct AlertMessage: View {
    let text: String
    let fields: [UITextField]
    var body: some View {
        if !text.isEmpty { Text(verbatim: text) }
        ForEach(fields.indices, id: \.self) { index in
            PlacedField(field: fields[index])
        }
    }

    struct PlacedField: UIViewRepresentable {
        let field: UITextField
        func makeUIView(context: Context) -> UITextField { field }
        func updateUIView(_ uiView: UITextField, context: Context) {}
    }
}
