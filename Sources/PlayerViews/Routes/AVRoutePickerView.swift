import DeclarativeUI
import DesktopServices
import Foundation
import MediaEngine

/// A button that chooses where playing is seen and heard: here, or on a renderer in the network (DLNA). AVKit's view;
/// main actor.
///
/// It is there only where there is something to choose, and takes no room otherwise; renderers are looked for as long
/// as it is in a window. The sound's device is chosen in the desktop's settings.
@MainActor @preconcurrency
open class AVRoutePickerView: UIView {
    /// Told on the main actor.
    open weak var delegate: (any AVRoutePickerViewDelegate)?
    /// Whose playing it sends; nil: what began to play last. AVKit has it on the Mac.
    open weak var player: AVPlayer? { didSet { look() } }
    /// Of the symbol while playing goes elsewhere, and while it does not; nil: as the view's.
    open var activeTintColor: UIColor? { didSet { look() } }
    /// The same while it does not.
    open var routePickerTintColor: UIColor? { didSet { look() } }
    /// Kept: renderers of sound alone are not offered for videos.
    open var prioritizesVideoDevices = false

    public override init(frame: CGRect) {
        super.init(frame: frame)
        look()
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open override var intrinsicContentSize: CGSize {
        // At its edge lies what opens the menu: as large as buttons of the desktop are.
        CastRoutes.shared.isChoice ? CGSize(width: 44, height: ControlExtent.regular) : .zero
    }
    open override func sizeThatFits(_ size: CGSize) -> CGSize { intrinsicContentSize }

    private func look() {
        show(AnyView(PickerContent(picker: self, active: activeTintColor, passive: routePickerTintColor)))
    }
    fileprivate func menu(isOpen: Bool) {
        if isOpen {
            delegate?.routePickerViewWillBeginPresentingRoutes(self)
        } else {
            delegate?.routePickerViewDidEndPresentingRoutes(self)
        }
    }
    fileprivate var wanted: AVPlayer? { player ?? NowPlayingHub.shared.lastPlayer }
}

private struct PickerContent: View {
    weak var picker: AVRoutePickerView?
    let active: UIColor?
    let passive: UIColor?
    @State private var interest: CastRoutes.Interest?
    @State private var watch: MenuWatch?

    var body: some View {
        let isChoice = CastRoutes.shared.isChoice
        ZStack {
            Color.clear
            if isChoice {
                RouteMenu(
                    player: { [weak picker] in picker?.wanted }, active: active.map { Color($0) },
                    passive: passive.map { Color($0) }
                ).menuWatch(watch ?? MenuWatch { _ in })
            }
        }
        .onAppear {
            interest = interest ?? CastRoutes.shared.look()
            watch = MenuWatch { [weak picker] in picker?.menu(isOpen: $0) }
        }
        .onDisappear { interest = nil }
        .onChange(of: isChoice) { picker?.invalidateIntrinsicContentSize() }
    }
}

/// Told when the list of routes comes and goes. AVKit's protocol.
@MainActor @preconcurrency
public protocol AVRoutePickerViewDelegate: AnyObject {
    /// The list of routes is about to come.
    func routePickerViewWillBeginPresentingRoutes(_ routePickerView: AVRoutePickerView)
    /// The list of routes has gone.
    func routePickerViewDidEndPresentingRoutes(_ routePickerView: AVRoutePickerView)
}
extension AVRoutePickerViewDelegate {
    public func routePickerViewWillBeginPresentingRoutes(_ routePickerView: AVRoutePickerView) {}
    public func routePickerViewDidEndPresentingRoutes(_ routePickerView: AVRoutePickerView) {}
}
