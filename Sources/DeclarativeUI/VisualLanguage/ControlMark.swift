/// Colours of what shows where a control is and what it stands at, a part of the visual language (docs/design.md): knobs
/// and edges stand out from the window by 3 to 1 (WCAG 2.1, 1.4.11), whatever the theme has.
enum ControlMark {
    /// A little more than 3, so that rounding takes nothing away.
    private static let least = 3.1

    /// The edge of a knob, a switch, a mark, a field: a grey no stronger than it has to be.
    /// - Parameter ground: the window's colour.
    static func edge(on ground: Color.Components) -> Color.Components {
        let ink: Double = ground.luminance < 0.18 ? 1 : 0
        var color = ground
        for share in stride(from: 0.0, through: 1, by: 0.01) {
            func mixed(_ channel: Double) -> Double { channel + (ink - channel) * share }
            color = Color.Components(
                red: mixed(ground.red), green: mixed(ground.green), blue: mixed(ground.blue), opacity: 1)
            if color.contrast(with: ground) >= least { break }
        }
        return color
    }

    /// A knob's fill; nil: as the theme has it.
    static func knobs(
        dark: Bool
    ) -> (rest: Color.Components, hover: Color.Components, active: Color.Components)? {
        func grey(_ level: Double) -> Color.Components {
            Color.Components(red: level, green: level, blue: level, opacity: 1)
        }
        return dark ? (rest: grey(0.93), hover: grey(1), active: grey(0.84)) : nil
    }
}
