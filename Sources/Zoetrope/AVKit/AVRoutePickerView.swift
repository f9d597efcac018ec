import DeclarativeUI
import Foundation

/// A button that chooses where playing is seen and heard. AVKit's view; main actor.
///
/// It is there only where there is something to choose: nobody looks for renderers in the network yet, so it takes no room. The sound's device is
/// chosen in the desktop's settings.
@MainActor @preconcurrency
open class AVRoutePickerView: UIView {
    open weak var delegate: (any AVRoutePickerViewDelegate)?
    /// Of the symbol while playing goes elsewhere, and while it does not; nil: as the view's.
    open var activeTintColor: UIColor?
    /// Kept: renderers of sound alone are not offered for videos.
    open var prioritizesVideoDevices = false
}

/// Told when the list of routes comes and goes. AVKit's protocol.
@MainActor @preconcurrency
public protocol AVRoutePickerViewDelegate: AnyObject {
    func routePickerViewWillBeginPresentingRoutes(_ routePickerView: AVRoutePickerView)
    func routePickerViewDidEndPresentingRoutes(_ routePickerView: AVRoutePickerView)
}
extension AVRoutePickerViewDelegate {
    public func routePickerViewWillBeginPresentingRoutes(_ routePickerView: AVRoutePickerView) {}
    public func routePickerViewDidEndPresentingRoutes(_ routePickerView: AVRoutePickerView) {}
}
