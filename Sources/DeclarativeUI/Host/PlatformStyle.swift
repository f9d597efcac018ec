import Foundation
@_spi(Graph) import ViewGraph

/// What views look like that are not told how to look.
///
/// Sources that were written for a device count on looks that a desktop does not have. Say
/// `WindowGroup { … }.platformStyle(.phone)` once, and:
///
/// - buttons and menus have no frame, and the accent colour,
/// - a tab view's bar is below its pages,
/// - lists are opaque, also over a video,
/// - a picker that is a menu has no label beside it,
/// - the wheel turns the pages of a tab view in the page style.
///
/// What the app says of a view itself, as `.buttonStyle(.bordered)`, holds all the same.
public struct PlatformStyle: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case desktop, phone }
    let kind: Kind
    /// As programs of the desktop; what holds where nothing is said.
    public static let desktop = PlatformStyle(kind: .desktop)
    /// As apps of a phone or a tablet.
    public static let phone = PlatformStyle(kind: .phone)
}

private struct PlatformStyleKey: EnvironmentKey { static let defaultValue = PlatformStyle.desktop }
extension EnvironmentValues {
    /// What views look like that are not told how to look.
    public var platformStyle: PlatformStyle { self[PlatformStyleKey.self] }

    fileprivate mutating func become(_ style: PlatformStyle) {
        guard style != platformStyle else { return }
        self[PlatformStyleKey.self] = style
        let isPhone = style == .phone
        buttonStyle = isPhone ? .phone : .automatic
        menuLook = isPhone ? .flat : .bordered
        menuIndicatorIsHidden = isPhone
        scrollContentBackground = isPhone ? .visible : .automatic
    }
}

extension AnyButtonStyle {
    /// The label alone, in the accent colour; red where it takes something away.
    fileprivate static let phone = AnyButtonStyle { role, label, action in
        let words = role == .destructive ? label : AnyView(label.foregroundStyle(TintShapeStyle.tint))
        return AnyView(NativeButton(role: role, look: .bare, action: action, label: words))
    }
}

extension View {
    /// What the views below look like that are not told how to look.
    public func platformStyle(_ style: PlatformStyle) -> some View {
        fiberModifier(EnvironmentWriter(identity: AnyHashable(style)) { $0.become(style) })
    }
}
extension Scene {
    /// What the views of the scene's windows look like that are not told how to look.
    public func platformStyle(_ style: PlatformStyle) -> some Scene {
        ModifiedScene(scene: self) { AnyView($0.platformStyle(style)) }
    }
}
