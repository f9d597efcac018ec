import Foundation
import Zoetrope

// UIKit's animations and navigation, and AppKit's panels, as player apps use them.

final class OverlayController: UIViewController {
    private let controls = UIVisualEffectView(effect: UIBlurEffect(style: .systemUltraThinMaterialDark))
    private let spinner = UIActivityIndicatorView(style: .large)
    private lazy var bottom = controls.bottomAnchor.constraint(equalTo: view.bottomAnchor)
    private let tick = UISelectionFeedbackGenerator()

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Player"
        controls.translatesAutoresizingMaskIntoConstraints = false
        controls.contentView.addSubview(spinner)
        view.addSubview(controls)
        NSLayoutConstraint.activate([bottom, controls.heightAnchor.constraint(equalToConstant: 60)])
        navigationItem.rightBarButtonItem = UIBarButtonItem(
            image: UIImage(systemName: "ellipsis"), menu: UIMenu(children: [UIAction(title: "Loop") { _ in }]))
        navigationItem.leftBarButtonItem = UIBarButtonItem(
            systemItem: .close,
            primaryAction: UIAction { [weak self] _ in self?.navigationController?.popViewController(animated: true) })
        navigationController?.interactivePopGestureRecognizer?.isEnabled = false
    }
    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        navigationController?.setNavigationBarHidden(true, animated: animated)
        navigationController?.navigationBar.tintColor = .white
    }
    func setControls(visible: Bool) {
        bottom.constant = visible ? 0 : 60
        UIView.animate(withDuration: 0.25) {
            self.controls.alpha = visible ? 1 : 0
            self.view.layoutIfNeeded()
        }
        UIView.animate(
            withDuration: 0.3, animations: { self.controls.transform = CGAffineTransform(scaleX: 0.9, y: 0.9) },
            completion: { finished in if finished { self.controls.transform = .identity } })
        UIView.animate(
            withDuration: 0.3, delay: 0.1, options: [.curveEaseOut, .allowUserInteraction, .beginFromCurrentState],
            animations: { [weak self] in self?.spinner.backgroundColor = .clear }, completion: nil)
        UIView.animate(
            withDuration: 0.5, delay: 0, usingSpringWithDamping: 0.7, initialSpringVelocity: 1, options: [],
            animations: { self.spinner.center.y -= 10 })
        UIView.transition(
            with: controls, duration: 0.2, options: .transitionCrossDissolve,
            animations: { self.controls.effect = UIBlurEffect(style: .dark) }, completion: nil)
        UIView.performWithoutAnimation { spinner.isHidden = UIView.inheritedAnimationDuration == 0 }
    }
    func rotate() {
        UIDevice.current.setValue(UIInterfaceOrientation.landscapeRight.rawValue, forKey: "orientation")
        UIViewController.attemptRotationToDeviceOrientation()
        let impact = UIImpactFeedbackGenerator(style: .medium)
        impact.prepare()
        impact.impactOccurred()
        tick.selectionChanged()
        UINotificationFeedbackGenerator().notificationOccurred(.success)
    }
}

@MainActor func playerWindow() -> UIWindow {
    let window = UIWindow(frame: UIScreen.main.bounds)
    let navigation = UINavigationController(rootViewController: OverlayController())
    navigation.navigationBar.prefersLargeTitles = true
    navigation.pushViewController(OverlayController(), animated: false)
    navigation.topViewController?.navigationItem.hidesBackButton = navigation.viewControllers.count > 2
    window.rootViewController = navigation
    return window
}

@MainActor
final class FilePanels {
    private(set) var opened: [URL] = []

    func open() {
        let panel = NSOpenPanel()
        panel.title = "Open Video"
        panel.prompt = "Play"
        panel.allowedContentTypes = [.movie, .audio]
        panel.allowsMultipleSelection = true
        panel.canChooseDirectories = false
        panel.canChooseFiles = true
        panel.directoryURL = URL(fileURLWithPath: NSHomeDirectory())
        panel.begin { response in
            if response == .OK { self.opened = panel.urls }
        }
    }
    func save(over window: NSWindow, completion: @escaping @MainActor (URL) -> Void) {
        let panel = NSSavePanel()
        panel.message = "Save the clip"
        panel.nameFieldStringValue = "Clip.mp4"
        panel.beginSheetModal(for: window) { response in
            guard response == NSApplication.ModalResponse.OK, let url = panel.url else { return }
            completion(url)
        }
    }
    func choose() async -> URL? {
        let panel = NSOpenPanel()
        return await panel.begin() == .OK ? panel.url : nil
    }
    func setLook(of window: NSWindow) {
        window.styleMask = [.titled, .closable, .miniaturizable, .resizable]
        window.styleMask.remove(.resizable)
        window.titleVisibility = .hidden
        window.titlebarAppearsTransparent = true
        window.isMovableByWindowBackground = true
    }
}
