import Foundation
@_spi(Graph) import ViewGraph

/// The root controller of a window whose content is a declarative view. It presents other controllers over the window.
///
/// Its view is empty and not in the window.
final class SceneRootController: UIViewController {
    private weak var hostWindow: HostWindow?
    init(_ hostWindow: HostWindow) {
        self.hostWindow = hostWindow
        super.init(nibName: nil, bundle: nil)
    }
    required init?(coder: NSCoder) { return nil }
    override var presentationElement: Element? { hostWindow?.isClosed == false ? hostWindow?.root : nil }
}
