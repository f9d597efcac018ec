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
    package nonisolated init(_ action: (@MainActor () -> Void)? = nil) { self.action = action }
    /// Closes what the view is presented in; does nothing where that is nothing. Main actor.
    public func callAsFunction() { action?() }
}

private struct ColorSchemeKey: EnvironmentKey { static let defaultValue = ColorScheme.light }
private struct DirectionKey: EnvironmentKey { static let defaultValue = LayoutDirection.leftToRight }
private struct EnabledKey: EnvironmentKey { static let defaultValue = true }
private struct LineLimitKey: EnvironmentKey { static let defaultValue: Int? = nil }
private struct TextAlignmentKey: EnvironmentKey { static let defaultValue = TextAlignment.leading }
private struct ControlSizeKey: EnvironmentKey { static let defaultValue = ControlSize.regular }
private struct DismissKey: EnvironmentKey { static let defaultValue = DismissAction() }
private struct PresentedKey: EnvironmentKey { static let defaultValue = false }
private struct LocaleKey: EnvironmentKey { static let defaultValue = Locale.current }
private struct ReduceMotionKey: EnvironmentKey { static let defaultValue = false }
private struct ScaleKey: EnvironmentKey { static let defaultValue: CGFloat = 1 }
private struct BundleKey: EnvironmentKey { static let defaultValue: Bundle? = nil }
private struct LazyKey: EnvironmentKey { static let defaultValue = false }

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
    /// Views of a collection are made when they are seen.
    package var isLazy: Bool {
        get { self[LazyKey.self] }
        set { self[LazyKey.self] = newValue }
    }
}

extension View {
    /// - Parameter number: lines; nil is no limit, less than 1 is 1.
    public func lineLimit(_ number: Int?) -> some View { setting(\.lineLimit, number.map { max(1, $0) }) }
    /// Where the lines of texts of several lines below meet.
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        setting(\.multilineTextAlignment, alignment)
    }
    /// How large the controls below are.
    public func controlSize(_ controlSize: ControlSize) -> some View { setting(\.controlSize, controlSize) }
    /// Neither this view nor those below take input.
    public func disabled(_ disabled: Bool) -> some View { transformEnvironment(\.isEnabled) { $0 = $0 && !disabled } }
    /// Appearance for this view and those below.
    public func colorScheme(_ colorScheme: ColorScheme) -> some View { setting(\.colorScheme, colorScheme) }
}
