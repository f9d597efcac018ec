import Foundation
@_spi(Graph) import ViewGraph

/// The default look of views, as on a desktop or a phone.
///
/// Code that was written for a phone relies on a look that a desktop does not have. With `WindowGroup { …
/// }.platformStyle(.phone)`:
///
/// - Buttons have no frame, and have the accent color. Menus have no frame and no arrow.
/// - A tab view's bar is below its pages. Its items share the width and have no frames. The shown page's item has the
///   accent color.
/// - Lists are opaque, even over a video. A list without a style shows its sections on cards, as `insetGrouped` does,
///   except in the sidebar of a split view.
/// - A list row with one button of the default style is the target of this button.
/// - A navigation stack slides its pages in from the trailing edge.
/// - A sheet is as wide as the window, and is at the window's bottom edge. A popover is a sheet.
/// - A picker that is a drop-down has no label beside it.
/// - A window without a size of its own opens with 390 × 844 points, at most the size of the screen. If the app's
///   Info.plist only has landscape orientations, the window has 844 × 390.
/// - `UIScreen.main.bounds` has the size of the window's content, if the style applies to a whole window.
/// - The roles of fonts have the sizes of iOS: 17 points for `body`, 34 for `largeTitle`. They are larger if GTK's
///   interface font has more than 11 typographic points.
/// - `dismiss` in the root view of the only window has no effect.
/// - `UIUserInterfaceStyle` in the app's Info.plist, `Light` or `Dark`, is the appearance of windows whose views prefer
///   none.
/// - The mouse wheel changes the pages of a tab view in the page style.
///
/// Styles that the app sets itself, such as `.buttonStyle(.bordered)`, still apply.
///
/// The default is `desktop`, or `phone` for an app whose Info.plist has `LSRequiresIPhoneOS`. `zoetrope port` writes
/// this entry for apps that support iOS and not macOS.
public struct PlatformStyle: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case desktop, phone }
    let kind: Kind
    /// The look of desktop programs.
    public static let desktop = PlatformStyle(kind: .desktop)
    /// The look of apps on a phone or tablet.
    public static let phone = PlatformStyle(kind: .phone)

    /// The default of this app.
    static let ofApp = PlatformStyle(info: Bundle.main.infoDictionary)
}
extension PlatformStyle {
    /// Creates the style of an app with these entries in its Info.plist. Apps for iOS only have the look of a phone.
    init(info: [String: Any]?) { self = info?["LSRequiresIPhoneOS"] as? Bool == true ? .phone : .desktop }
}

private struct PlatformStyleKey: EnvironmentKey { static let defaultValue = PlatformStyle.desktop }
extension EnvironmentValues {
    /// The default look of views.
    public var platformStyle: PlatformStyle { self[PlatformStyleKey.self] }

    mutating func become(_ style: PlatformStyle) {
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
    /// A button style with only the label, in the accent color. A destructive button is red. A color that the app sets
    /// around the button replaces both colors.
    fileprivate static let phone = AnyButtonStyle { role, label, action in
        let colored = label.transformEnvironment(\.foregroundStyle) { style in
            if style?.isLevel ?? true { style = AnyShapeStyle(TintShapeStyle.tint) }
        }
        return AnyView(NativeButton(role: role, look: .bare, action: action, fillsRow: true, label: AnyView(colored)))
    }
}

extension View {
    /// Sets the default look of the views in this view.
    public func platformStyle(_ style: PlatformStyle) -> some View {
        fiberModifier(EnvironmentWriter(identity: AnyHashable(style)) { $0.become(style) })
    }
}
extension Scene {
    /// Sets the default look of the views in the scene's windows.
    public func platformStyle(_ style: PlatformStyle) -> some Scene {
        ModifiedScene(scene: self) { AnyView($0.platformStyle(style)) }
    }
}
