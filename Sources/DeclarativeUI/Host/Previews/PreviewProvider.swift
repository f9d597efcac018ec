import Foundation

/// A type that shows previews of views. Same API as in SwiftUI.
///
/// ```swift
/// struct PlayerView_Previews: PreviewProvider {
///     static var previews: some View {
///         PlayerView(fileName: "film.mp4")
///     }
/// }
/// ```
/// `MyApp --preview NAME` opens a window with a preview instead of the app's own windows. NAME is the type's name, with
/// or without `_Previews` at its end. Add the module if the name is not unique. `MyApp --preview` lists all previews.
///
/// The app's initializer runs first. As with Xcode, the environment variable `XCODE_RUNNING_FOR_PREVIEWS` is `1`. A
/// release build omits unused types, so use a debug build for previews.
@MainActor @preconcurrency
public protocol PreviewProvider {
    /// The type of the previews.
    associatedtype Previews: View
    /// The content of the preview's window. Several views are shown one below the other, 16 points apart.
    @ViewBuilder @MainActor @preconcurrency static var previews: Previews { get }
    /// The platform for which the preview is meant. Has no effect.
    @MainActor @preconcurrency static var platform: PreviewPlatform? { get }
}

extension PreviewProvider {
    /// The default platform: nil for any.
    @MainActor @preconcurrency public static var platform: PreviewPlatform? { nil }
}

/// The platforms of SwiftUI.
public enum PreviewPlatform: Sendable, Hashable {
    /// Phones and tablets.
    case iOS
    /// Computers.
    case macOS
    /// Televisions.
    case tvOS
    /// Watches.
    case watchOS
}

/// The device for which a preview is meant. Has no effect: previews are windows of the desktop.
public struct PreviewDevice: RawRepresentable, ExpressibleByStringLiteral, Sendable, Hashable {
    /// The name of the device, unchanged.
    public let rawValue: String
    /// Creates a device with any name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a device with a literal as name.
    public init(stringLiteral value: String) { rawValue = value }
}

/// The size of a preview.
public enum PreviewLayout: Sendable, Hashable {
    /// The size of the app's windows.
    case device
    /// The view's preferred size.
    case sizeThatFits
    /// A fixed size in points. A negative length counts as 0. For a length that is not finite, the view keeps its own
    /// length.
    case fixed(width: CGFloat, height: CGFloat)
}

/// The orientation of a device.
public enum InterfaceOrientation: String, Sendable, Hashable, CaseIterable, Identifiable {
    /// The orientations. Both portrait orientations open a window of 450 × 800 points, and both landscape orientations
    /// one of 800 × 450.
    case portrait, portraitUpsideDown, landscapeLeft, landscapeRight
    /// The raw value, which identifies the orientation.
    public var id: String { rawValue }

    var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
}

extension View {
    /// Sets the title of the window when this view is shown as a preview. Nil keeps the preview's name as the title.
    public func previewDisplayName(_ value: String?) -> some View { modifier(PreviewTitle(title: value)) }
    /// Sets the size of this view when it is shown as a preview.
    public func previewLayout(_ value: PreviewLayout) -> some View { modifier(PreviewSize(layout: value)) }
    /// Sets the orientation of this view when it is shown as a preview.
    public func previewInterfaceOrientation(_ value: InterfaceOrientation) -> some View {
        modifier(PreviewOrientation(orientation: value))
    }
    /// Returns the view unchanged: previews are windows of the desktop.
    public func previewDevice(_ value: PreviewDevice?) -> some View { self }
}

private struct PreviewTitle: ViewModifier {
    let title: String?
    func body(content: Content) -> some View {
        if PreviewRun.isPreview, let title {
            content.preference(key: WindowTitleKey.self, value: title)
        } else {
            content
        }
    }
}

struct PreviewSize: ViewModifier {
    let layout: PreviewLayout
    func body(content: Content) -> some View {
        if PreviewRun.isPreview {
            switch layout {
            case .device: content
            case .sizeThatFits: content.fixedSize()
            case .fixed(let width, let height): content.frame(width: width, height: height)
            }
        } else {
            content
        }
    }
}

struct PreviewOrientation: ViewModifier {
    let orientation: InterfaceOrientation
    func body(content: Content) -> some View {
        if PreviewRun.isPreview {
            let long: CGFloat = 800
            let short: CGFloat = 450
            content.frame(
                minWidth: 0, idealWidth: orientation.isLandscape ? long : short, maxWidth: .infinity,
                minHeight: 0, idealHeight: orientation.isLandscape ? short : long, maxHeight: .infinity)
        } else {
            content
        }
    }
}
