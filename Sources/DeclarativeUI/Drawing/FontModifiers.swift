/// Font attributes apart from the font itself. They apply to every font inside the view.
private struct WeightKey: EnvironmentKey { static let defaultValue: Font.Weight? = nil }
private struct ItalicKey: EnvironmentKey { static let defaultValue = false }
private struct DesignKey: EnvironmentKey { static let defaultValue: Font.Design? = nil }
private struct DigitsKey: EnvironmentKey { static let defaultValue = false }

extension EnvironmentValues {
    var ownFontWeight: Font.Weight? {
        get { self[WeightKey.self] }
        set { self[WeightKey.self] = newValue }
    }
    var isItalic: Bool {
        get { self[ItalicKey.self] }
        set { self[ItalicKey.self] = newValue }
    }
    var ownFontDesign: Font.Design? {
        get { self[DesignKey.self] }
        set { self[DesignKey.self] = newValue }
    }
    var hasMonospacedDigits: Bool {
        get { self[DigitsKey.self] }
        set { self[DigitsKey.self] = newValue }
    }

    /// Returns `font` in the platform style and with the attributes of this environment.
    func shown(_ font: Font) -> Font {
        with(font.styled(for: platformStyle)) {
            if let ownFontWeight { $0.weight = ownFontWeight }
            if let ownFontDesign { $0.design = ownFontDesign }
            if isItalic { $0.isItalic = true }
            if hasMonospacedDigits { $0.hasMonospacedDigits = true }
        }
    }
    /// The font of text and symbols, with the attributes of this environment.
    var shownFont: Font { shown(font ?? .body) }
}

extension View {
    /// Sets the weight of text and symbols in this view, for any font. Nil restores the font's own weight.
    public func fontWeight(_ weight: Font.Weight?) -> some View { setting(\.ownFontWeight, weight) }
    /// Sets the design of text in this view, for any font. Nil restores the font's own design.
    public func fontDesign(_ design: Font.Design?) -> some View { setting(\.ownFontDesign, design) }
    /// Shows text and symbols in this view in bold. `false` restores the font's own weight.
    public func bold(_ isActive: Bool = true) -> some View { setting(\.ownFontWeight, isActive ? .bold : nil) }
    /// Shows text in this view in italics. `false` restores the font's own style.
    public func italic(_ isActive: Bool = true) -> some View { setting(\.isItalic, isActive) }
    /// Shows text in this view in the monospaced design. `false` restores the font's own design.
    public func monospaced(_ isActive: Bool = true) -> some View {
        setting(\.ownFontDesign, isActive ? .monospaced : nil)
    }
    /// Gives all digits of text in this view the same width, if the font supports it.
    public func monospacedDigit() -> some View { setting(\.hasMonospacedDigits, true) }
}
