/// The colors of the knobs and edges of controls. They are part of the visual language (docs/design.md).
///
/// Knobs and edges have a contrast of 3:1 with the window (WCAG 2.1, 1.4.11), whatever the theme is.
enum ControlMark {
    /// The minimum contrast. It is slightly more than 3, so that rounding cannot reduce it below 3.
    private static let least = 3.1

    /// Returns the color of the edge of a knob, a switch, a check mark or a field: the weakest gray with enough
    /// contrast.
    ///
    /// - Parameter ground: The window's color.
    static func edge(on ground: Color.Components) -> Color.Components {
        let ink: Double = ground.luminance < 0.18 ? 1 : 0
        var color = ground
        for fraction in stride(from: 0.0, through: 1, by: 0.01) {
            func mixed(_ channel: Double) -> Double { channel + (ink - channel) * fraction }
            color = Color.Components(
                red: mixed(ground.red), green: mixed(ground.green), blue: mixed(ground.blue), opacity: 1)
            if color.contrast(with: ground) >= least { break }
        }
        return color
    }

    /// Returns the colors of a knob, or nil to keep the theme's colors.
    static func knobs(
        dark: Bool
    ) -> (rest: Color.Components, hover: Color.Components, active: Color.Components)? {
        func gray(_ level: Double) -> Color.Components {
            Color.Components(red: level, green: level, blue: level, opacity: 1)
        }
        return dark ? (rest: gray(0.93), hover: gray(1), active: gray(0.84)) : nil
    }
}
