import Foundation
import Presentation

/// The visibility of a title. Matches SwiftUI's `Visibility` for the titles of dialogs.
public enum TitleVisibility: Hashable, Sendable {
    /// The title is visible.
    case automatic
    /// The title is visible.
    case visible
    /// The title is hidden.
    case hidden
}

extension View {
    /// Shows an alert with a localized title and a message over this window while `isPresented` is true.
    ///
    /// ```swift
    /// .alert("Can't play the video", isPresented: $showsError) {
    ///     Button("Retry") { retry() }
    ///     Button("Cancel", role: .cancel) {}
    /// } message: {
    ///     Text(message)
    /// }
    /// ```
    /// Every button closes the alert, which sets `isPresented` to false. Return presses the first button without a
    /// role, or else the cancel button. Escape presses the cancel button, or closes the alert if there is none. Without
    /// actions, the alert has an “OK” button.
    public func alert<A: View, M: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A,
        @ViewBuilder message: @escaping () -> M
    ) -> some View {
        dialog(Text(titleKey), isPresented, isStacked: false, hasTitle: true, actions, message)
    }
    /// Shows an alert with a localized title and without a message.
    public func alert<A: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A
    ) -> some View {
        alert(titleKey, isPresented: isPresented, actions: actions, message: { EmptyView() })
    }
    /// Shows an alert with a title that is not localized and a message.
    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View, M: View>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A,
        @ViewBuilder message: @escaping () -> M
    ) -> some View {
        dialog(Text(title), isPresented, isStacked: false, hasTitle: true, actions, message)
    }
    /// Shows an alert with a title that is not localized and without a message.
    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A
    ) -> some View {
        alert(title, isPresented: isPresented, actions: actions, message: { EmptyView() })
    }
    /// Shows an alert with a text as its title and a message.
    public func alert<A: View, M: View>(
        _ title: Text, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A,
        @ViewBuilder message: @escaping () -> M
    ) -> some View {
        dialog(title, isPresented, isStacked: false, hasTitle: true, actions, message)
    }
    /// Shows an alert with a text as its title and without a message.
    public func alert<A: View>(
        _ title: Text, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A
    ) -> some View {
        alert(title, isPresented: isPresented, actions: actions, message: { EmptyView() })
    }
    /// Shows a dialog with a localized title, a message, and actions one below the other. If no action has the cancel
    /// role, the dialog adds a cancel button.
    public func confirmationDialog<A: View, M: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: TitleVisibility = .automatic,
        @ViewBuilder actions: @escaping () -> A, @ViewBuilder message: @escaping () -> M
    ) -> some View {
        dialog(
            Text(titleKey), isPresented, isStacked: true, hasTitle: titleVisibility != .hidden, actions, message)
    }
    /// Shows a dialog with a localized title and actions, without a message.
    ///
    /// ```swift
    /// Button("Clear history") { asksToClear = true }
    ///     .confirmationDialog("Clear the whole history?", isPresented: $asksToClear) {
    ///         Button("Clear", role: .destructive) { clear() }
    ///     }
    /// ```
    public func confirmationDialog<A: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: TitleVisibility = .automatic,
        @ViewBuilder actions: @escaping () -> A
    ) -> some View {
        confirmationDialog(
            titleKey, isPresented: isPresented, titleVisibility: titleVisibility, actions: actions,
            message: { EmptyView() })
    }
    /// Shows a dialog with a title that is not localized and actions, without a message.
    @_disfavoredOverload
    public func confirmationDialog<S: StringProtocol, A: View>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: TitleVisibility = .automatic,
        @ViewBuilder actions: @escaping () -> A
    ) -> some View {
        dialog(Text(title), isPresented, isStacked: true, hasTitle: titleVisibility != .hidden, actions) { EmptyView() }
    }
    /// Shows a dialog with a title that is not localized, a message, and actions.
    @_disfavoredOverload
    public func confirmationDialog<S: StringProtocol, A: View, M: View>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: TitleVisibility = .automatic,
        @ViewBuilder actions: @escaping () -> A, @ViewBuilder message: @escaping () -> M
    ) -> some View {
        dialog(Text(title), isPresented, isStacked: true, hasTitle: titleVisibility != .hidden, actions, message)
    }
    /// Shows a dialog with a text as its title, a message, and actions.
    public func confirmationDialog<A: View, M: View>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: TitleVisibility = .automatic,
        @ViewBuilder actions: @escaping () -> A, @ViewBuilder message: @escaping () -> M
    ) -> some View {
        dialog(title, isPresented, isStacked: true, hasTitle: titleVisibility != .hidden, actions, message)
    }
    /// Shows a dialog with a text as its title and actions, without a message.
    public func confirmationDialog<A: View>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: TitleVisibility = .automatic,
        @ViewBuilder actions: @escaping () -> A
    ) -> some View {
        dialog(title, isPresented, isStacked: true, hasTitle: titleVisibility != .hidden, actions) { EmptyView() }
    }

    private func dialog<A: View, M: View>(
        _ title: Text, _ isPresented: Binding<Bool>, isStacked: Bool, hasTitle: Bool, _ actions: @escaping () -> A,
        _ message: @escaping () -> M
    ) -> some View {
        dialog(
            title, isPresented, of: (), isStacked: isStacked, hasTitle: hasTitle, { _ in actions() }, { _ in message() }
        )
    }
}

// Dialogs whose content depends on a value.
extension View {
    /// Shows an alert about `data` while `isPresented` is true and there is data.
    ///
    /// ```swift
    /// .alert("Remove the film?", isPresented: $asks, presenting: film) { film in
    ///     Button("Remove", role: .destructive) { remove(film) }
    /// } message: { film in
    ///     Text(film.title)
    /// }
    /// ```
    public func alert<A: View, M: View, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: T?,
        @ViewBuilder actions: @escaping (T) -> A, @ViewBuilder message: @escaping (T) -> M
    ) -> some View {
        dialog(Text(titleKey), isPresented, of: data, isStacked: false, hasTitle: true, actions, message)
    }
    /// Shows an alert about `data` without a message.
    public func alert<A: View, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: T?,
        @ViewBuilder actions: @escaping (T) -> A
    ) -> some View {
        alert(titleKey, isPresented: isPresented, presenting: data, actions: actions) { _ in EmptyView() }
    }
    /// Shows an alert about `data` with a title that is not localized.
    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View, M: View, T>(
        _ title: S, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: @escaping (T) -> A,
        @ViewBuilder message: @escaping (T) -> M
    ) -> some View {
        dialog(Text(title), isPresented, of: data, isStacked: false, hasTitle: true, actions, message)
    }
    /// Shows an alert about `data` with a title that is not localized and without a message.
    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View, T>(
        _ title: S, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: @escaping (T) -> A
    ) -> some View {
        alert(title, isPresented: isPresented, presenting: data, actions: actions) { _ in EmptyView() }
    }
    /// Shows an alert about `data` with a text as its title.
    public func alert<A: View, M: View, T>(
        _ title: Text, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: @escaping (T) -> A,
        @ViewBuilder message: @escaping (T) -> M
    ) -> some View {
        dialog(title, isPresented, of: data, isStacked: false, hasTitle: true, actions, message)
    }
    /// Shows an alert about `data` with a text as its title and without a message.
    public func alert<A: View, T>(
        _ title: Text, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: @escaping (T) -> A
    ) -> some View {
        alert(title, isPresented: isPresented, presenting: data, actions: actions) { _ in EmptyView() }
    }
    /// Shows an alert about an error while `isPresented` is true and there is an error. The title is the error's
    /// description.
    public func alert<E: LocalizedError, A: View, M: View>(
        isPresented: Binding<Bool>, error: E?, @ViewBuilder actions: @escaping (E) -> A,
        @ViewBuilder message: @escaping (E) -> M
    ) -> some View {
        dialog(
            Text(verbatim: error?.localizedDescription ?? ""), isPresented, of: error, isStacked: false,
            hasTitle: true, actions, message)
    }
    /// Shows an alert about an error without a message.
    public func alert<E: LocalizedError, A: View>(
        isPresented: Binding<Bool>, error: E?, @ViewBuilder actions: @escaping () -> A
    ) -> some View {
        alert(isPresented: isPresented, error: error, actions: { _ in actions() }, message: { _ in EmptyView() })
    }
    /// Shows a dialog about `data`, with the actions one below the other, while `isPresented` is true and there is
    /// data.
    public func confirmationDialog<A: View, M: View, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: TitleVisibility = .automatic,
        presenting data: T?, @ViewBuilder actions: @escaping (T) -> A, @ViewBuilder message: @escaping (T) -> M
    ) -> some View {
        dialog(
            Text(titleKey), isPresented, of: data, isStacked: true, hasTitle: titleVisibility != .hidden, actions,
            message)
    }
    /// Shows a dialog about `data` without a message.
    public func confirmationDialog<A: View, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: TitleVisibility = .automatic,
        presenting data: T?, @ViewBuilder actions: @escaping (T) -> A
    ) -> some View {
        confirmationDialog(
            titleKey, isPresented: isPresented, titleVisibility: titleVisibility, presenting: data, actions: actions
        ) { _ in EmptyView() }
    }
    /// Shows a dialog about `data` with a title that is not localized.
    @_disfavoredOverload
    public func confirmationDialog<S: StringProtocol, A: View, M: View, T>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: TitleVisibility = .automatic,
        presenting data: T?, @ViewBuilder actions: @escaping (T) -> A, @ViewBuilder message: @escaping (T) -> M
    ) -> some View {
        confirmationDialog(
            Text(title), isPresented: isPresented, titleVisibility: titleVisibility, presenting: data, actions: actions,
            message: message)
    }
    /// Shows a dialog about `data` with a title that is not localized and without a message.
    @_disfavoredOverload
    public func confirmationDialog<S: StringProtocol, A: View, T>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: TitleVisibility = .automatic,
        presenting data: T?, @ViewBuilder actions: @escaping (T) -> A
    ) -> some View {
        confirmationDialog(
            Text(title), isPresented: isPresented, titleVisibility: titleVisibility, presenting: data, actions: actions
        ) { _ in EmptyView() }
    }
    /// Shows a dialog about `data` with a text as its title.
    public func confirmationDialog<A: View, M: View, T>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: TitleVisibility = .automatic,
        presenting data: T?, @ViewBuilder actions: @escaping (T) -> A, @ViewBuilder message: @escaping (T) -> M
    ) -> some View {
        dialog(
            title, isPresented, of: data, isStacked: true, hasTitle: titleVisibility != .hidden, actions, message)
    }
    /// Shows a dialog about `data` with a text as its title and without a message.
    public func confirmationDialog<A: View, T>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: TitleVisibility = .automatic,
        presenting data: T?, @ViewBuilder actions: @escaping (T) -> A
    ) -> some View {
        confirmationDialog(
            title, isPresented: isPresented, titleVisibility: titleVisibility, presenting: data, actions: actions
        ) { _ in EmptyView() }
    }

    fileprivate func dialog<T, A: View, M: View>(
        _ title: Text, _ isPresented: Binding<Bool>, of data: T?, isStacked: Bool, hasTitle: Bool,
        _ actions: @escaping (T) -> A, _ message: @escaping (T) -> M
    ) -> some View {
        DialogPresenter(
            content: self,
            isPresented: Binding(
                get: { isPresented.wrappedValue && data != nil }, set: { isPresented.wrappedValue = $0 }),
            title: title, isStacked: isStacked, hasTitle: hasTitle,
            actions: { data.map { AnyView(actions($0)) } ?? AnyView(EmptyView()) },
            message: { data.map { AnyView(message($0)) } ?? AnyView(EmptyView()) }, isEmpty: A.self == EmptyView.self)
    }
}

/// The actions of a dialog's buttons, collected when the buttons are created.
@MainActor
final class DialogButtons {
    var cancel: (@MainActor () -> Void)?
    var first: (@MainActor () -> Void)?
    /// The view of the button that is registered as `first`.
    private weak var firstOwner: AnyObject?
    var dismiss: @MainActor () -> Void = {}
    /// Returns false after a button has closed the dialog, until its window disappears. Keys may be waiting meanwhile.
    var isOpen: @MainActor () -> Bool = { true }
    nonisolated init() {}

    /// Makes a window in which Return and Escape press the buttons.
    ///
    /// - Parameter dismiss: The closure that closes the dialog.
    func window(_ graph: ViewGraph, dismiss: @escaping @MainActor () -> Void) -> ModalWindow {
        let window = ModalWindow(graph: graph, isDialog: true)
        window.onReturn = { [self] in (first ?? cancel)?() }
        window.onCancel = { [self] in (cancel ?? self.dismiss)() }
        self.dismiss = dismiss
        return window
    }

    /// Discards the actions, before the buttons are created again.
    func begin() {
        cancel = nil
        first = nil
        firstOwner = nil
    }

    /// Registers a button. Returns the button's complete action, and whether Return presses the button. The complete
    /// action first closes the dialog, so that `action` may present another dialog.
    ///
    /// - Parameters:
    ///   - owner: The identity of the button's view, which replaces its own earlier registration.
    ///   - isDefault: Whether Return presses the button. Nil means the first button without a role.
    ///   - isEnabled: Whether the keys can press the button.
    func button(
        _ role: ButtonRole?, owner: AnyObject? = nil, isDefault: Bool? = nil, isEnabled: Bool = true,
        _ action: @escaping @MainActor () -> Void
    ) -> (action: @MainActor () -> Void, isDefault: Bool) {
        let completeAction: @MainActor () -> Void = { [weak self] in
            guard isEnabled, self?.isOpen() != false else { return }
            self?.dismiss()
            action()
        }
        let isDefault = isDefault ?? (role == nil && (first == nil || (owner != nil && owner === firstOwner)))
        if role == .cancel { cancel = completeAction }
        if isDefault { (first, firstOwner) = (completeAction, owner) }
        return (completeAction, isDefault)
    }
}

struct DialogPresenter<Content: View>: View {
    let content: Content
    let isPresented: Binding<Bool>
    let title: Text
    let isStacked: Bool
    let hasTitle: Bool
    let actions: @MainActor () -> AnyView
    let message: @MainActor () -> AnyView
    let isEmpty: Bool
    @State private var buttons = DialogButtons()

    var body: some View {
        content.presenting(
            isPresented, in: { fiber in buttons.window(fiber.graph) { isPresented.wrappedValue = false } }
        ) {
            AnyView(
                DialogView(
                    title: title, isStacked: isStacked, hasTitle: hasTitle, actions: actions(), message: message(),
                    isEmpty: isEmpty, buttons: buttons))
        }
    }
}

struct DialogView: View {
    let title: Text
    let isStacked: Bool
    let hasTitle: Bool
    let actions: AnyView
    let message: AnyView
    let isEmpty: Bool
    let buttons: DialogButtons
    /// Whether the dialog adds a cancel button if the actions have none. Nil means only if the buttons are stacked.
    var addsCancel: Bool?
    @State private var lacksCancel = false
    @Environment(\.platformStyle) private var platform
    /// The font of the title: on a phone, that of an alert or of an action sheet.
    private var titleFont: Font {
        guard platform == .phone else { return .title3.bold() }
        return isStacked ? .footnote.weight(.semibold) : .headline
    }
    /// The minimum and the maximum width, in points.
    private static let least: CGFloat = 300, most: CGFloat = 460

    var body: some View {
        VStack(spacing: Space.page) {
            VStack(spacing: Space.regular) {
                if hasTitle { title.font(titleFont) }
                message.fiberModifier(
                    EnvironmentWriter(identity: AnyHashable(platform)) { [platform] in
                        if platform == .phone { $0.font = .footnote }
                    })
            }
            .multilineTextAlignment(.center)
            if isStacked {
                VStack(spacing: Space.regular) { all }
            } else {
                HStack(spacing: Space.regular) { all }
            }
        }
        .padding(Space.page)
        .frame(minWidth: DialogView.least, maxWidth: DialogView.most)
        .onAppear { lacksCancel = (addsCancel ?? isStacked) && buttons.cancel == nil }
        .onDisappear { buttons.begin() }
    }

    private var all: some View {
        buttons.begin()
        return Group {
            if isEmpty { Button(PlayerWords.localized("OK")) {} } else { actions }
            // The body must not read the value: it would discard the actions of buttons that are not evaluated again.
            AddedCancel(isShown: $lacksCancel)
        }
        .fiberModifier(
            EnvironmentWriter(identity: AnyHashable(ObjectIdentifier(buttons))) {
                $0.buttonStyle = AnyButtonStyle(dialog: buttons)
            })
    }
}

/// The cancel button of a dialog whose author has none.
private struct AddedCancel: View {
    @Binding var isShown: Bool
    var body: some View { if isShown { Button(PlayerWords.localized("Cancel"), role: .cancel) {} } }
}

extension AnyButtonStyle {
    /// Creates the style of a dialog's buttons. Buttons have GTK's look and close the dialog. The parameters are those
    /// of `DialogButtons.button`.
    @MainActor init(dialog: DialogButtons, isDefault: Bool? = nil) {
        make = { role, label, action in
            AnyView(DialogButton(dialog: dialog, isDefault: isDefault, role: role, label: label, action: action))
        }
    }
}

/// A button of a dialog. Return and Escape run its action without its widget, so the action needs the environment.
private struct DialogButton: View {
    final class Owner { nonisolated init() {} }
    let dialog: DialogButtons
    let isDefault: Bool?
    let role: ButtonRole?
    let label: AnyView
    let action: @MainActor () -> Void
    @State private var owner = Owner()
    @Environment(\.isEnabled) private var isEnabled
    var body: some View {
        let button = dialog.button(role, owner: owner, isDefault: isDefault, isEnabled: isEnabled, action)
        NativeButton(
            role: role, look: button.isDefault ? .prominent : .bordered, action: button.action,
            // All buttons of a dialog have the same width.
            label: AnyView(label.frame(maxWidth: .infinity)))
    }
}
