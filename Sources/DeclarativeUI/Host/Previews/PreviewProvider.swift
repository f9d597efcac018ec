import Foundation

/// A type that shows how views look. SwiftUI's protocol.
///
/// `MyApp --preview NAME` opens a window with what the type called NAME shows, in place of the app's own windows; NAME
/// is the type's name, with or without `_Previews` at its end, and with its module where it needs one. `MyApp
/// --preview` lists them all. Several views at the top are shown one below the other. The app's initialiser runs
/// before, and `XCODE_RUNNING_FOR_PREVIEWS` is `1` in the environment, as with Xcode. A release build leaves out what
/// nothing uses: previews are for debug builds.
@MainActor @preconcurrency
public protocol PreviewProvider {
    /// The type of what the previews show.
    associatedtype Previews: View
    /// What the preview's window shows; several views stand one below the other, 16 points between.
    @ViewBuilder @MainActor @preconcurrency static var previews: Previews { get }
    /// What it is meant for; a window shows it whatever it says.
    @MainActor @preconcurrency static var platform: PreviewPlatform? { get }
}

extension PreviewProvider {
    /// Nil: for whatever platform there is.
    @MainActor @preconcurrency public static var platform: PreviewPlatform? { nil }
}

/// SwiftUI's platforms.
public enum PreviewPlatform: Sendable, Hashable {
    /// Telephones and tablets.
    case iOS
    /// Computers.
    case macOS
    /// Televisions.
    case tvOS
    /// Watches.
    case watchOS
}

/// The device a preview is meant for. Here previews are windows of the desktop; it changes nothing.
public struct PreviewDevice: RawRepresentable, ExpressibleByStringLiteral, Sendable, Hashable {
    /// The device's name, as it was given.
    public let rawValue: String
    /// Names a device; any name will do, as it changes nothing.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Names a device by a literal.
    public init(stringLiteral value: String) { rawValue = value }
}

/// The room a preview has.
public enum PreviewLayout: Sendable, Hashable {
    /// As the app's windows.
    case device
    /// What the view likes best.
    case sizeThatFits
    /// Points; what is no size is taken as 0.
    case fixed(width: CGFloat, height: CGFloat)
}

/// How a device is held.
public enum InterfaceOrientation: String, Sendable, Hashable, CaseIterable, Identifiable {
    /// Upright and upside down are taken as one, as are both ways of lying: a window of 450 × 800 or of 800 × 450
    /// points at first.
    case portrait, portraitUpsideDown, landscapeLeft, landscapeRight
    /// The case itself tells them apart: its raw value.
    public var id: String { rawValue }

    var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
}

extension View {
    /// The title of the window, when this view is shown as a preview.
    public func previewDisplayName(_ value: String?) -> some View { modifier(PreviewTitle(title: value)) }
    /// The room it has, when this view is shown as a preview.
    public func previewLayout(_ value: PreviewLayout) -> some View { modifier(PreviewRoom(layout: value)) }
    /// High or wide, when this view is shown as a preview.
    public func previewInterfaceOrientation(_ value: InterfaceOrientation) -> some View {
        modifier(PreviewTurn(orientation: value))
    }
    /// Changes nothing: previews are windows of the desktop.
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

struct PreviewRoom: ViewModifier {
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

struct PreviewTurn: ViewModifier {
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
