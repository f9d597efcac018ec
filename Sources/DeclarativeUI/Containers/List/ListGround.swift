import Foundation

/// What lies behind a list's rows.
enum ListGround {
    /// Behind the cards of a grouped list, and behind any list that is to have a ground.
    static let behind = Color.platform(light: 0xF2F2F7, dark: 0x1C1C1E)
    /// A card, lighter than what is behind it in both appearances.
    static let card = Color.platform(light: 0xFFFFFF, dark: 0x2C2C2E)
}

extension Color {
    /// One colour for each appearance, 0xRRGGBB.
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
    /// The least height of a list's rows, points; negative and what is no number is 0. Default 36.
    public var defaultMinListRowHeight: CGFloat {
        get { self[RowHeightKey.self] }
        set { self[RowHeightKey.self] = newValue }
    }
    /// The least height of a list's headers and footers, points; nil is what they take.
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
    /// Whether the lists and forms below have a ground of their own behind their rows. Automatic: grouped ones and
    /// forms have one, plain and inset ones have the window's, and sidebars let what is behind them be seen.
    public func scrollContentBackground(_ visibility: Visibility) -> some View {
        setting(\.scrollContentBackground, visibility)
    }
}
