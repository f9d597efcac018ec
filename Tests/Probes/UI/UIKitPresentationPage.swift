import DeclarativeUI
import Foundation

extension UIProbe {
    /// A controller in one color that prints when it appears and disappears.
    final class ModalController: UIViewController {
        private let name: String, color: UIColor
        init(_ name: String, _ color: UIColor) {
            (self.name, self.color) = (name, color)
            super.init(nibName: nil, bundle: nil)
            title = name
        }
        required init?(coder: NSCoder) { return nil }
        override func viewDidLoad() {
            super.viewDidLoad()
            view.backgroundColor = color
        }
        override func viewWillAppear(_ animated: Bool) { UIProbe.say("appears", "\(name) \(isBeingPresented)") }
        override func viewDidDisappear(_ animated: Bool) { UIProbe.say("disappeared", "\(name) \(isBeingDismissed)") }
    }

    /// A blue view that closes its presentation when the key D is pressed.
    struct DismissingView: View {
        @Environment(\.dismiss) private var dismiss
        @Environment(\.isPresented) private var isPresented
        var body: some View {
            ZStack {
                Color(red: 0, green: 0, blue: 1)
                Button("Done") { dismiss() }.keyboardShortcut("d", modifiers: []).opacity(0)
            }
            .onAppear { UIProbe.say("is-presented", isPresented) }
        }
    }

    final class DismissTeller: UIAdaptivePresentationControllerDelegate {
        func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController) {
            UIProbe.say("delegate", "attempt")
            presentationController.presentedViewController.isModalInPresentation = false
        }
        func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
            UIProbe.say("delegate", "dismissed")
        }
    }

    /// A red controller. Keys present others over it.
    struct UIKitPresentationPage: View {
        @State private var owner = ModalController("Owner", .red)
        @State private var teller = DismissTeller()
        var body: some View {
            Placed(controller: owner).frame(width: 300, height: 160).located("owner")
                .background {
                    ForEach(keys, id: \.0) { key, action in
                        Button("", action: action).keyboardShortcut(KeyEquivalent(key), modifiers: []).opacity(0)
                    }
                }
        }
        private struct Placed: UIViewControllerRepresentable {
            let controller: UIViewController
            func makeUIViewController(context: Context) -> UIViewController { controller }
            func updateUIViewController(_ uiViewController: UIViewController, context: Context) {}
        }
        private var root: UIViewController? { UIApplication.shared.windows.first?.rootViewController }
        private var keys: [(Character, @MainActor () -> Void)] {
            [
                ("c", cover), ("s", sheet), ("a", alert), ("n", chain), ("o", over),
            ]
        }
        private func cover() {
            let cover = UIHostingController(rootView: DismissingView())
            cover.modalPresentationStyle = .fullScreen
            owner.present(cover, animated: true) { UIProbe.say("completed", "cover") }
            // Refused, because the cover is being presented.
            root?.present(ModalController("Refused", .green), animated: false)
            UIProbe.say("presents", root?.presentedViewController === cover && cover.presentingViewController === root)
        }
        private func sheet() {
            let sheet = ModalController("Sheet", .green)
            sheet.isModalInPresentation = true
            sheet.sheetPresentationController?.detents = [.medium(), .large()]
            sheet.presentationController?.delegate = teller
            root?.present(sheet, animated: true) { UIProbe.say("completed", "sheet") }
        }
        private func over() {
            let clear = ModalController("Clear", .clear)
            clear.modalPresentationStyle = .overFullScreen
            owner.present(clear, animated: true) { UIProbe.say("completed", "over") }
        }
        private func chain() {
            let first = ModalController("First", .green), second = ModalController("Second", .yellow)
            first.modalPresentationStyle = .fullScreen
            second.modalPresentationStyle = .fullScreen
            owner.present(first, animated: true) {
                first.present(second, animated: true) { UIProbe.say("completed", "chain") }
            }
        }
        private func alert() {
            let alert = UIAlertController(title: "Name", message: "Enter it.", preferredStyle: .alert)
            alert.addTextField { field in
                field.placeholder = "Name"
                field.addAction(
                    UIAction { [weak field] _ in UIProbe.say("text", field?.text ?? "") }, for: .editingChanged)
            }
            alert.addAction(UIAlertAction(title: "Cancel", style: .cancel) { _ in UIProbe.say("answer", "cancel") })
            alert.addAction(
                UIAlertAction(title: "Save", style: .default) { [weak alert] _ in
                    UIProbe.say("answer", alert?.textFields?.first?.text ?? "")
                })
            owner.present(alert, animated: true)
        }
    }
}
