import DeclarativeUI
import DesktopServices
import Foundation
import MediaEngine

/// A button that selects where the video plays: on this computer or on a cast device (DLNA). AVKit's view.
///
/// ```swift
/// struct CastButton: UIViewRepresentable {
///     let player: AVPlayer
///
///     func makeUIView(context: Context) -> AVRoutePickerView { AVRoutePickerView() }
///     func updateUIView(_ view: AVRoutePickerView, context: Context) { view.player = player }
/// }
/// ```
/// The button is visible, and takes space, only if there is a cast device. It searches for cast devices while it is in
/// a window. The user selects the output device for audio in the settings of the desktop.
@MainActor @preconcurrency
open class AVRoutePickerView: UIView {
    /// The object that is notified when the menu opens and closes, on the main actor.
    open weak var delegate: (any AVRoutePickerViewDelegate)?
    /// The player that the button controls; nil for the player that has started last. AVKit has this property on the
    /// Mac.
    open weak var player: AVPlayer? { didSet { updateContent() } }
    /// The color of the symbol while a cast device plays; nil for the accent color.
    open var activeTintColor: UIColor? { didSet { updateContent() } }
    /// The color of the symbol while this computer plays; nil for the tint color of the view, if one is set.
    open var routePickerTintColor: UIColor? { didSet { updateContent() } }
    /// A property without effect: cast devices that only play audio are never offered for videos.
    open var prioritizesVideoDevices = false

    public override init(frame: CGRect) {
        super.init(frame: frame)
        updateContent()
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open override var intrinsicContentSize: CGSize {
        // The menu opens from the edge of the view, so the view is as large as a button of the desktop.
        CastRoutes.shared.isChoice ? CGSize(width: 44, height: ControlExtent.regular) : .zero
    }
    open override func sizeThatFits(_ size: CGSize) -> CGSize { intrinsicContentSize }

    private func updateContent() {
        let passive = routePickerTintColor ?? chosenTintColor
        show(AnyView(PickerContent(picker: self, active: activeTintColor, passive: passive)))
    }
    open override func tintColorDidChange() { updateContent() }
    fileprivate func menu(isOpen: Bool) {
        if isOpen {
            delegate?.routePickerViewWillBeginPresentingRoutes(self)
        } else {
            delegate?.routePickerViewDidEndPresentingRoutes(self)
        }
    }
    fileprivate var routedPlayer: AVPlayer? { player ?? NowPlayingHub.shared.lastPlayer }
}

private struct PickerContent: View {
    weak var picker: AVRoutePickerView?
    let active: UIColor?
    let passive: UIColor?
    @State private var interest: CastRoutes.Interest?
    @State private var watch: MenuObserver?

    var body: some View {
        let isChoice = CastRoutes.shared.isChoice
        ZStack {
            Color.clear
            if isChoice {
                RouteMenu(
                    player: { [weak picker] in picker?.routedPlayer }, active: active.map { Color($0) },
                    passive: passive.map { Color($0) }
                ).menuObserver(watch ?? MenuObserver { _ in })
            }
        }
        .onAppear {
            interest = interest ?? CastRoutes.shared.startSearching()
            watch = MenuObserver { [weak picker] in picker?.menu(isOpen: $0) }
        }
        .onDisappear { interest = nil }
        .onChange(of: isChoice) { picker?.invalidateIntrinsicContentSize() }
    }
}

/// A delegate of an `AVRoutePickerView`. AVKit's protocol. All methods are optional.
@MainActor @preconcurrency
public protocol AVRoutePickerViewDelegate: AnyObject {
    /// Called when the list of routes is about to appear.
    func routePickerViewWillBeginPresentingRoutes(_ routePickerView: AVRoutePickerView)
    /// Called when the list of routes has disappeared.
    func routePickerViewDidEndPresentingRoutes(_ routePickerView: AVRoutePickerView)
}
extension AVRoutePickerViewDelegate {
    public func routePickerViewWillBeginPresentingRoutes(_ routePickerView: AVRoutePickerView) {}
    public func routePickerViewDidEndPresentingRoutes(_ routePickerView: AVRoutePickerView) {}
}
