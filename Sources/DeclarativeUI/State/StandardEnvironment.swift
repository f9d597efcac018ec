import Foundation

/// Light or dark. SwiftUI's type.
public enum ColorScheme: Hashable, CaseIterable, Sendable {
    /// Dark on light.
    case light
    /// Light on dark.
    case dark
}
/// Where the lines of a text of several lines meet. SwiftUI's type.
public enum TextAlignment: Hashable, CaseIterable, Sendable {
    /// At the leading edge.
    case leading
    /// In the middle.
    case center
    /// At the trailing edge.
    case trailing
}
/// How large controls are. SwiftUI's type.
public enum ControlSize: Hashable, CaseIterable, Sendable {
    /// The smallest.
    case mini
    /// Smaller than usual.
    case small
    /// The usual size.
    case regular
    /// Larger than usual.
    case large
}

/// What a view is dismissed with: a sheet, a cover, a page of a navigation.
@MainActor @preconcurrency
public struct DismissAction {
    let action: (@MainActor () -> Void)?
    nonisolated init(_ action: (@MainActor () -> Void)? = nil) { self.action = action }
    /// Closes what the view is presented in; does nothing where that is nothing. Main actor.
    public func callAsFunction() { action?() }
}

private struct ColorSchemeKey: EnvironmentKey { static let defaultValue = ColorScheme.light }
private struct DirectionKey: EnvironmentKey { static let defaultValue = LayoutDirection.leftToRight }
private struct FontKey: EnvironmentKey { static let defaultValue: Font? = nil }
private struct ForegroundKey: EnvironmentKey { static let defaultValue: AnyShapeStyle? = nil }
private struct TintKey: EnvironmentKey { static let defaultValue: Color? = nil }
private struct EnabledKey: EnvironmentKey { static let defaultValue = true }
private struct LineLimitKey: EnvironmentKey { static let defaultValue: Int? = nil }
private struct TextAlignmentKey: EnvironmentKey { static let defaultValue = TextAlignment.leading }
private struct TruncationKey: EnvironmentKey { static let defaultValue = Text.TruncationMode.tail }
private struct ControlSizeKey: EnvironmentKey { static let defaultValue = ControlSize.regular }
private struct DismissKey: EnvironmentKey { static let defaultValue = DismissAction() }
private struct PresentedKey: EnvironmentKey { static let defaultValue = false }
private struct LocaleKey: EnvironmentKey { static let defaultValue = Locale.current }
private struct ReduceMotionKey: EnvironmentKey { static let defaultValue = false }
private struct ScaleKey: EnvironmentKey { static let defaultValue: CGFloat = 1 }
private struct BundleKey: EnvironmentKey { static let defaultValue: Bundle? = nil }
private struct LazyKey: EnvironmentKey { static let defaultValue = false }
private struct SymbolKey: EnvironmentKey { static let defaultValue = Image.Scale.medium }

extension EnvironmentValues {
    /// The appearance: GTK's, or `preferredColorScheme`'s.
    public var colorScheme: ColorScheme {
        get { self[ColorSchemeKey.self] }
        set { self[ColorSchemeKey.self] = newValue }
    }
    /// As the user's language is read, or as the app says.
    public var layoutDirection: LayoutDirection {
        get { self[DirectionKey.self] }
        set { self[DirectionKey.self] = newValue }
    }
    /// The font of texts and symbols; nil is `.body`.
    public var font: Font? {
        get { self[FontKey.self] }
        set { self[FontKey.self] = newValue }
    }
    /// False below `disabled(true)`.
    public var isEnabled: Bool {
        get { self[EnabledKey.self] }
        set { self[EnabledKey.self] = newValue }
    }
    /// Lines of a text; nil is as many as it takes.
    public var lineLimit: Int? {
        get { self[LineLimitKey.self] }
        set { self[LineLimitKey.self] = newValue }
    }
    /// Where the lines of a text of several lines meet; `.leading` if not said.
    public var multilineTextAlignment: TextAlignment {
        get { self[TextAlignmentKey.self] }
        set { self[TextAlignmentKey.self] = newValue }
    }
    /// Where words that do not fit are left out; `.tail` if not said.
    public var truncationMode: Text.TruncationMode {
        get { self[TruncationKey.self] }
        set { self[TruncationKey.self] = newValue }
    }
    /// How large controls are; `.regular` if not said.
    public var controlSize: ControlSize {
        get { self[ControlSizeKey.self] }
        set { self[ControlSizeKey.self] = newValue }
    }
    /// Closes what this view is presented in: a sheet, a cover, a page of a navigation; else its window.
    public var dismiss: DismissAction {
        get { self[DismissKey.self] }
        set { self[DismissKey.self] = newValue }
    }
    /// Whether the view is in a sheet, a cover or the like, or in a page that was pushed.
    public var isPresented: Bool {
        get { self[PresentedKey.self] }
        set { self[PresentedKey.self] = newValue }
    }
    /// The user's language and customs; for the app to read.
    public var locale: Locale {
        get { self[LocaleKey.self] }
        set { self[LocaleKey.self] = newValue }
    }
    /// GTK's `gtk-enable-animations` is off: `withAnimation` and `animation(_:)` change at once then.
    public var accessibilityReduceMotion: Bool {
        get { self[ReduceMotionKey.self] }
        set { self[ReduceMotionKey.self] = newValue }
    }
    /// Device pixels a point.
    public var displayScale: CGFloat {
        get { self[ScaleKey.self] }
        set { self[ScaleKey.self] = newValue }
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
    /// Views of a collection are made when they are seen.
    var isLazy: Bool {
        get { self[LazyKey.self] }
        set { self[LazyKey.self] = newValue }
    }
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
    /// - Parameter number: lines; nil is no limit, less than 1 is 1.
    public func lineLimit(_ number: Int?) -> some View { setting(\.lineLimit, number.map { max(1, $0) }) }
    /// Where the lines of texts of several lines below meet.
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        setting(\.multilineTextAlignment, alignment)
    }
    /// Where the words below are left out that do not fit.
    public func truncationMode(_ mode: Text.TruncationMode) -> some View { setting(\.truncationMode, mode) }
    /// How large the controls below are.
    public func controlSize(_ controlSize: ControlSize) -> some View { setting(\.controlSize, controlSize) }
    /// How large the symbols below are beside words.
    public func imageScale(_ scale: Image.Scale) -> some View { setting(\.imageScale, scale) }
    /// Neither this view nor those below take input.
    public func disabled(_ disabled: Bool) -> some View { transformEnvironment(\.isEnabled) { $0 = $0 && !disabled } }
    /// Appearance for this view and those below.
    public func colorScheme(_ colorScheme: ColorScheme) -> some View { setting(\.colorScheme, colorScheme) }
    /// Appearance of the window; nil is what the user chose. GTK has one for the whole program.
    public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View {
        preference(key: PreferredSchemeKey.self, value: colorScheme)
    }
}
