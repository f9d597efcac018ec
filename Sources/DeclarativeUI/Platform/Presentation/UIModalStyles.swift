import Foundation

/// The way in which a controller is presented. Modeled on UIKit's type.
public enum UIModalPresentationStyle: Int, Sendable {
    /// Over the whole content of the window. The controllers below disappear.
    case fullScreen = 0
    /// A sheet of at most 704 points in width, as high as the window below, and a sheet of at most 540 × 620 points. A
    /// sheet is a window over the app's window.
    case pageSheet, formSheet
    /// The same as `fullScreen`.
    case currentContext
    /// The same as `overFullScreen`: custom presentations are not supported.
    case custom
    /// Over the whole content of the window. The content below stays visible where the controller's view is clear, and
    /// receives no input.
    case overFullScreen
    /// The same as `overFullScreen`.
    case overCurrentContext
    /// The same as `formSheet`.
    case popover
    /// No presentation. A controller with this style can't be presented.
    case none = -1
    /// The default style: a page sheet.
    case automatic = -2
}

/// The animation of a presentation. Modeled on UIKit's type. Presentations are not animated.
public enum UIModalTransitionStyle: Int, Sendable {
    /// From the bottom.
    case coverVertical = 0
    /// Around a vertical axis, faded, and as a page that curls up.
    case flipHorizontal, crossDissolve, partialCurl
}
