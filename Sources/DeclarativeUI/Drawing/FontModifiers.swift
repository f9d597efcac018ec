/// What is said of fonts apart from which one it is: it holds for whatever font stands below.
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

    /// `font` as it is shown here.
    func shown(_ font: Font) -> Font {
        with(font) {
            if let ownFontWeight { $0.weight = ownFontWeight }
            if let ownFontDesign { $0.design = ownFontDesign }
            if isItalic { $0.isItalic = true }
            if hasMonospacedDigits { $0.hasMonospacedDigits = true }
        }
    }
    /// What words and symbols are set in here.
    var shownFont: Font { shown(font ?? .body) }
}

extension View {
    /// The weight of the words and symbols below, whatever their font; nil is the font's own.
    public func fontWeight(_ weight: Font.Weight?) -> some View { setting(\.ownFontWeight, weight) }
    /// The design of the words below, whatever their font; nil is the font's own.
    public func fontDesign(_ design: Font.Design?) -> some View { setting(\.ownFontDesign, design) }
    /// Sets the words and symbols below in bold; with false they take their font's own weight.
    public func bold(_ isActive: Bool = true) -> some View { setting(\.ownFontWeight, isActive ? .bold : nil) }
    /// Sets the words below slanted, or as their font says.
    public func italic(_ isActive: Bool = true) -> some View { setting(\.isItalic, isActive) }
    /// Sets the words below in the monospaced design; with false they take their font's own.
    public func monospaced(_ isActive: Bool = true) -> some View {
        setting(\.ownFontDesign, isActive ? .monospaced : nil)
    }
    /// Sets the digits of the words below in one width, where their font has such.
    public func monospacedDigit() -> some View { setting(\.hasMonospacedDigits, true) }
}
