import ViewGraph

private struct FontKey: EnvironmentKey { static let defaultValue: Font? = nil }
private struct ForegroundKey: EnvironmentKey { static let defaultValue: AnyShapeStyle? = nil }
private struct TintKey: EnvironmentKey { static let defaultValue: Color? = nil }
private struct TruncationKey: EnvironmentKey { static let defaultValue = Text.TruncationMode.tail }
private struct SymbolKey: EnvironmentKey { static let defaultValue = Image.Scale.medium }

extension EnvironmentValues {
    /// The font of text and symbols. Nil means `.body`.
    public var font: Font? {
        get { self[FontKey.self] }
        set { self[FontKey.self] = newValue }
    }
    /// The position at which text that does not fit is cut. The default is `.tail`.
    public var truncationMode: Text.TruncationMode {
        get { self[TruncationKey.self] }
        set { self[TruncationKey.self] = newValue }
    }
    /// The size of symbols relative to text. The default is `.medium`.
    public var imageScale: Image.Scale {
        get { self[SymbolKey.self] }
        set { self[SymbolKey.self] = newValue }
    }
    var foregroundStyle: AnyShapeStyle? {
        get { self[ForegroundKey.self] }
        set { self[ForegroundKey.self] = newValue }
    }
    var tintColor: Color? {
        get { self[TintKey.self] }
        set { self[TintKey.self] = newValue }
    }
    /// Returns these values with `tint` as tint color if they have none.
    func withTint(orElse tint: Color?) -> EnvironmentValues {
        guard tintColor == nil, let tint else { return self }
        return with(self) { $0.tintColor = tint }
    }
    /// The paint of text and symbols, at half opacity in disabled views.
    var ink: Paint { Paint(.foreground(0), self, opacity: isEnabled ? 1 : 0.5) }
}

extension View {
    /// Sets the color of text, symbols and shapes in this view. Nil restores the primary color.
    public func foregroundColor(_ color: Color?) -> some View {
        setting(\.foregroundStyle, color.map { AnyShapeStyle($0) })
    }
    /// Sets the style of text, symbols and shapes in this view.
    public func foregroundStyle(_ style: any ShapeStyle) -> some View {
        setting(\.foregroundStyle, AnyShapeStyle(style))
    }
    /// Sets the accent color in this view. Nil restores the accent color of the app or the theme.
    public func tint(_ tint: Color?) -> some View { setting(\.tintColor, tint) }
    /// Sets the accent color in this view. This is an older name of `tint(_:)`.
    public func accentColor(_ accentColor: Color?) -> some View { setting(\.tintColor, accentColor) }
    /// Sets the font of text and symbols in this view that set none themselves. Nil means `.body`.
    public func font(_ font: Font?) -> some View { setting(\.font, font) }
    /// Sets the position at which text that does not fit is cut.
    public func truncationMode(_ mode: Text.TruncationMode) -> some View { setting(\.truncationMode, mode) }
    /// Sets the size of symbols in this view relative to text.
    public func imageScale(_ scale: Image.Scale) -> some View { setting(\.imageScale, scale) }
    /// Sets the appearance of the window. Nil sets no preference.
    ///
    /// GTK has one appearance for the whole program: the latest one that an open window sets, or else the desktop's.
    public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View {
        preference(key: PreferredSchemeKey.self, value: colorScheme)
    }
}
