import Foundation
import Zoetrope

// UIKit's presentation of controllers as player apps use it.

final class StationsController: UIViewController, UIAdaptivePresentationControllerDelegate, UITextFieldDelegate {
    private(set) var names: [String] = []

    func play(_ url: URL) {
        let controller = AVPlayerViewController()
        controller.player = AVPlayer(url: url)
        controller.modalTransitionStyle = .crossDissolve
        present(controller, animated: true) { controller.player?.play() }
    }
    func showQueue() {
        let queue = UINavigationController(rootViewController: UIViewController())
        queue.modalPresentationStyle = .pageSheet
        queue.isModalInPresentation = true
        queue.presentationController?.delegate = self
        if let sheet = queue.sheetPresentationController {
            sheet.detents = [.medium(), .large(), .custom { context in context.maximumDetentValue * 0.3 }]
            sheet.selectedDetentIdentifier = .medium
            sheet.prefersGrabberVisible = true
            sheet.preferredCornerRadius = 16
            sheet.animateChanges { sheet.selectedDetentIdentifier = .large }
        }
        present(queue, animated: true, completion: nil)
    }
    func showSettings() {
        let host = UIHostingController(rootView: Text("Settings"))
        host.modalPresentationStyle = .popover
        host.preferredContentSize = CGSize(width: 320, height: 200)
        host.popoverPresentationController?.sourceView = view
        host.popoverPresentationController?.sourceRect = view.bounds
        show(host, sender: self)
    }
    func addStation() {
        let alert = UIAlertController(title: "Add Station", message: "Enter its URL.", preferredStyle: .alert)
        alert.addTextField { textField in
            textField.placeholder = "https://"
            textField.keyboardType = .URL
            textField.autocapitalizationType = .none
            textField.autocorrectionType = .no
            textField.returnKeyType = .done
            textField.delegate = self
        }
        let add = UIAlertAction(title: "Add", style: .default) { [weak self, weak alert] _ in
            guard let text = alert?.textFields?.first?.text, !text.isEmpty else { return }
            self?.names.append(text)
        }
        add.isEnabled = false
        alert.addAction(add)
        alert.addAction(UIAlertAction(title: "Cancel", style: .cancel, handler: nil))
        alert.preferredAction = add
        present(alert, animated: true)
    }
    func remove(_ name: String, completion: @escaping () -> Void) {
        let sheet = UIAlertController(title: name, message: nil, preferredStyle: .actionSheet)
        sheet.addAction(UIAlertAction(title: "Remove", style: .destructive) { _ in completion() })
        sheet.addAction(UIAlertAction(title: "Cancel", style: .cancel))
        sheet.popoverPresentationController?.sourceView = view
        (presentedViewController ?? self).present(sheet, animated: true)
    }
    func share(_ url: URL) {
        let controller = UIActivityViewController(activityItems: [url, "Listen"], applicationActivities: nil)
        controller.excludedActivityTypes = [.airDrop, .print]
        controller.completionWithItemsHandler = { type, completed, _, error in
            if completed, error == nil { print(type?.rawValue ?? "") }
        }
        present(controller, animated: true)
    }
    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        if isBeingDismissed { names = [] }
    }
    override func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        super.dismiss(animated: flag, completion: completion)
    }
    override func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
    ) { super.present(viewControllerToPresent, animated: flag, completion: completion) }
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) { names = [] }
    func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool { true }
    func textFieldShouldReturn(_ textField: UITextField) -> Bool { textField.resignFirstResponder() }
}

/// The controller above all others, as apps look it up.
@MainActor func topController() -> UIViewController? {
    let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
    var top = scenes.flatMap(\.windows).first(where: \.isKeyWindow)?.rootViewController
    while let presented = top?.presentedViewController { top = presented }
    return top ?? UIApplication.shared.windows.first?.rootViewController
}
