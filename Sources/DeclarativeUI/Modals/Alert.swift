import Foundation
import Presentation

/// Whether something is shown. SwiftUI's type.
public enum TitleVisibility: Hashable, Sendable {
    /// Shown.
    case automatic
    /// Shown.
    case visible
    /// Not shown.
    case hidden
}

extension View {
    /// A question and buttons over this window, in one without a frame, while `isPresented`. Any button closes it. Return
    /// presses the first button that is neither destructive nor cancels, Escape the one that cancels, or none. Without
    /// actions there is an "OK".
    public func alert<A: View, M: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A,
        @ViewBuilder message: @escaping () -> M
    ) -> some View {
        dialog(
            Text(titleKey), isPresented, isStacked: false, hasTitle: true, AnyView(EmptyView()), { AnyView(actions()) },
            { AnyView(message()) }, isEmpty: A.self == EmptyView.self)
    }
    /// An alert without a message, with a title that is looked up in the app's translations.
    public func alert<A: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A
    ) -> some View {
        alert(titleKey, isPresented: isPresented, actions: actions, message: { EmptyView() })
    }
    /// An alert with a message, and a title that is shown as it is.
    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View, M: View>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A,
        @ViewBuilder message: @escaping () -> M
    ) -> some View {
        dialog(
            Text(title), isPresented, isStacked: false, hasTitle: true, AnyView(EmptyView()), { AnyView(actions()) },
            { AnyView(message()) }, isEmpty: A.self == EmptyView.self)
    }
    /// An alert without a message, with a title that is shown as it is.
    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A
    ) -> some View {
        alert(title, isPresented: isPresented, actions: actions, message: { EmptyView() })
    }
    /// A choice among actions, one below the other. There is always one that cancels: the app's, else ours.
    public func confirmationDialog<A: View, M: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: TitleVisibility = .automatic,
        @ViewBuilder actions: @escaping () -> A, @ViewBuilder message: @escaping () -> M
    ) -> some View {
        dialog(
            Text(titleKey), isPresented, isStacked: true, hasTitle: titleVisibility != .hidden, AnyView(EmptyView()),
            { AnyView(actions()) }, { AnyView(message()) }, isEmpty: A.self == EmptyView.self)
    }
    /// A choice without a message, with a title that is looked up in the app's translations.
    public func confirmationDialog<A: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: TitleVisibility = .automatic,
        @ViewBuilder actions: @escaping () -> A
    ) -> some View {
        confirmationDialog(
            titleKey, isPresented: isPresented, titleVisibility: titleVisibility, actions: actions,
            message: { EmptyView() })
    }
    /// A choice without a message, with a title that is shown as it is.
    @_disfavoredOverload
    public func confirmationDialog<S: StringProtocol, A: View>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: TitleVisibility = .automatic,
        @ViewBuilder actions: @escaping () -> A
    ) -> some View {
        dialog(
            Text(title), isPresented, isStacked: true, hasTitle: titleVisibility != .hidden, AnyView(EmptyView()),
            { AnyView(actions()) }, { AnyView(EmptyView()) }, isEmpty: A.self == EmptyView.self)
    }

    private func dialog(
        _ title: Text, _ isPresented: Binding<Bool>, isStacked: Bool, hasTitle: Bool, _ none: AnyView,
        _ actions: @escaping @MainActor () -> AnyView, _ message: @escaping @MainActor () -> AnyView, isEmpty: Bool
    ) -> some View {
        DialogPresenter(
            content: self, isPresented: isPresented, title: title, isStacked: isStacked, hasTitle: hasTitle,
            actions: actions, message: message, isEmpty: isEmpty)
    }
}

/// What the buttons of a dialog are, as they were made.
@MainActor
final class DialogButtons {
    var cancel: (@MainActor () -> Void)?
    var first: (@MainActor () -> Void)?
    var dismiss: @MainActor () -> Void = {}
    nonisolated init() {}

    /// They are made anew.
    func begin() {
        cancel = nil
        first = nil
    }

    /// One was made; what it does closes the dialog first, so that its action may present the next.
    func button(_ role: ButtonRole?, _ action: @escaping @MainActor () -> Void) -> (
        action: @MainActor () -> Void, isDefault: Bool
    ) {
        let whole: @MainActor () -> Void = { [weak self] in
            self?.dismiss()
            action()
        }
        let isDefault = role == nil && first == nil
        if role == .cancel { cancel = whole } else if isDefault { first = whole }
        return (whole, isDefault)
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
            isPresented,
            in: { fiber in
                let window = ModalWindow(graph: fiber.graph, isDialog: true)
                window.onReturn = { (buttons.first ?? buttons.cancel)?() }
                window.onCancel = { (buttons.cancel ?? buttons.dismiss)() }
                buttons.dismiss = { isPresented.wrappedValue = false }
                return window
            }
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
    @State private var lacksCancel = false
    /// Points.
    private static let least: CGFloat = 300, most: CGFloat = 460

    var body: some View {
        VStack(spacing: Space.page) {
            VStack(spacing: Space.regular) {
                if hasTitle { title.font(.title3.bold()) }
                message
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
        .onAppear { lacksCancel = isStacked && buttons.cancel == nil }
        .onDisappear { buttons.begin() }
    }

    private var all: some View {
        buttons.begin()
        return Group {
            if isEmpty { Button(PlayerWords.localized("OK")) {} } else { actions }
            if lacksCancel { Button(PlayerWords.localized("Cancel"), role: .cancel) {} }
        }
        .fiberModifier(
            EnvironmentWriter(identity: AnyHashable(ObjectIdentifier(buttons))) {
                $0.buttonStyle = AnyButtonStyle(dialog: buttons)
            })
    }
}

extension AnyButtonStyle {
    /// GTK's look, and what is pressed closes the dialog.
    @MainActor init(dialog: DialogButtons) {
        make = { role, label, action in
            let button = dialog.button(role, action)
            return AnyView(
                NativeButton(
                    role: role, look: button.isDefault ? .prominent : .bordered, action: button.action,
                    // All of a dialog's buttons are of one width.
                    label: AnyView(label.frame(maxWidth: .infinity))))
        }
    }
}
