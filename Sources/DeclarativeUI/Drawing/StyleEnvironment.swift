import Foundation
import ViewGraph

private struct FontKey: EnvironmentKey { static let defaultValue: Font? = nil }
private struct ForegroundKey: EnvironmentKey { static let defaultValue: AnyShapeStyle? = nil }
private struct TintKey: EnvironmentKey { static let defaultValue: Color? = nil }
private struct TruncationKey: EnvironmentKey { static let defaultValue = Text.TruncationMode.tail }
private struct SymbolKey: EnvironmentKey { static let defaultValue = Image.Scale.medium }

extension EnvironmentValues {
    /// The font of texts and symbols; nil is `.body`.
    public var font: Font? {
        get { self[FontKey.self] }
        set { self[FontKey.self] = newValue }
    }
    /// Where words that do not fit are left out; `.tail` if not said.
    public var truncationMode: Text.TruncationMode {
        get { self[TruncationKey.self] }
        set { self[TruncationKey.self] = newValue }
    }
    /// How large symbols are beside words; `.medium` if not said.
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
    /// What texts and symbols are drawn with.
    var ink: Paint { Paint(.foreground(0), self, opacity: isEnabled ? 1 : 0.5) }
}

extension View {
    /// The colour of the words, symbols and shapes below; nil is the primary colour.
    public func foregroundColor(_ color: Color?) -> some View {
        setting(\.foregroundStyle, color.map { AnyShapeStyle($0) })
    }
    /// The style of the words, symbols and shapes below.
    public func foregroundStyle(_ style: any ShapeStyle) -> some View {
        setting(\.foregroundStyle, AnyShapeStyle(style))
    }
    /// The accent colour below; nil is the theme's.
    public func tint(_ tint: Color?) -> some View { setting(\.tintColor, tint) }
    /// The older name of `tint`.
    public func accentColor(_ accentColor: Color?) -> some View { setting(\.tintColor, accentColor) }
    /// The font of the texts and symbols below that have none of their own; nil is `.body`.
    public func font(_ font: Font?) -> some View { setting(\.font, font) }
    /// Where the words below are left out that do not fit.
    public func truncationMode(_ mode: Text.TruncationMode) -> some View { setting(\.truncationMode, mode) }
    /// How large the symbols below are beside words.
    public func imageScale(_ scale: Image.Scale) -> some View { setting(\.imageScale, scale) }
    /// Appearance of the window; nil is what the user chose. GTK has one for the whole program.
    public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View {
        preference(key: PreferredSchemeKey.self, value: colorScheme)
    }
}
