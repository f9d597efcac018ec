import Foundation

/// The colors behind the rows of lists.
enum ListGround {
    /// Returns the color behind the cards of a grouped list, and behind a sidebar whose background is set to visible.
    static func behind(isPhone: Bool) -> Color { .platform(light: 0xF2F2F7, dark: isPhone ? 0x000000 : 0x1C1C1E) }
    /// Returns the color of a card, lighter than that behind it in both appearances.
    static func card(isPhone: Bool) -> Color { .platform(light: 0xFFFFFF, dark: isPhone ? 0x1C1C1E : 0x2C2C2E) }
    /// The color of a row while the button that fills it is pressed.
    static let pressed = Color.platform(light: 0xD1D1D6, dark: 0x3A3A3C)
}

extension Color {
    /// Returns a color that is `light` or `dark`, depending on the appearance. Both values have the form 0xRRGGBB.
    static func platform(light: UInt32, dark: UInt32, opacity: Double = 1) -> Color {
        let split: (UInt32) -> Components = {
            Components(
                red: Double($0 >> 16 & 255) / 255, green: Double($0 >> 8 & 255) / 255, blue: Double($0 & 255) / 255,
                opacity: opacity)
        }
        return Color(kind: .pair(light: split(light), dark: split(dark)))
    }
}

private struct RowHeightKey: EnvironmentKey { static let defaultValue = EnvironmentValues.usualRowHeight }
private struct HeaderHeightKey: EnvironmentKey { static let defaultValue: CGFloat? = nil }
private struct ScrollGroundKey: EnvironmentKey { static let defaultValue = Visibility.automatic }

extension EnvironmentValues {
    static let usualRowHeight: CGFloat = 36
    /// The minimum height of list rows, in points. Negative and invalid values count as 0. The default is 36.
    public var defaultMinListRowHeight: CGFloat {
        get { self[RowHeightKey.self] }
        set { self[RowHeightKey.self] = newValue }
    }
    /// The minimum height of list headers and footers, in points, or nil for no minimum. Negative and invalid values
    /// count as 0. The default is nil.
    public var defaultMinListHeaderHeight: CGFloat? {
        get { self[HeaderHeightKey.self] }
        set { self[HeaderHeightKey.self] = newValue }
    }
    var scrollContentBackground: Visibility {
        get { self[ScrollGroundKey.self] }
        set { self[ScrollGroundKey.self] = newValue }
    }
}

extension View {
    /// Shows or hides the background behind the rows of the lists and forms in this view.
    ///
    /// Grouped lists and forms have a background of their own, and plain and inset lists have the window's background.
    /// With `.automatic`, sidebars have no background, so the views behind them stay visible.
    public func scrollContentBackground(_ visibility: Visibility) -> some View {
        setting(\.scrollContentBackground, visibility)
    }
}
