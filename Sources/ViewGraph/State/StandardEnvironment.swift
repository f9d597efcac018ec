import Foundation

/// A light or dark appearance. Mirrors SwiftUI's type.
public enum ColorScheme: Hashable, CaseIterable, Sendable {
    /// Dark content on a light background.
    case light
    /// Light content on a dark background.
    case dark
}
/// The horizontal alignment of the lines of a text. Mirrors SwiftUI's type.
public enum TextAlignment: Hashable, CaseIterable, Sendable {
    /// Lines are aligned at the leading edge.
    case leading
    /// Lines are centered.
    case center
    /// Lines are aligned at the trailing edge.
    case trailing
}
/// The size of controls. Mirrors SwiftUI's type.
public enum ControlSize: Hashable, CaseIterable, Sendable {
    /// The smallest size.
    case mini
    /// A size below the regular one.
    case small
    /// The regular size.
    case regular
    /// A size above the regular one.
    case large
}

/// The amount of space in one dimension of a window. Mirrors SwiftUI's type.
public enum UserInterfaceSizeClass: Hashable, CaseIterable, Sendable {
    /// Less than 500 points.
    case compact
    /// 500 points or more.
    case regular

    /// The length in points from which a window has the regular size class.
    private static let regularLength: CGFloat = 500
    /// Creates the size class of a window's width or height, in points.
    package init(length: CGFloat) { self = length < Self.regularLength ? .compact : .regular }
}

/// An action that dismisses the presentation of a view: a sheet, a cover or a page of a navigation. Mirrors SwiftUI's
/// type.
///
/// ```swift
/// struct SettingsSheet: View {
///     @Environment(\.dismiss) private var dismiss
///
///     var body: some View {
///         Button("Done") { dismiss() }
///     }
/// }
/// ```
@MainActor @preconcurrency
public struct DismissAction {
    let action: (@MainActor () -> Void)?
    package nonisolated init(_ action: (@MainActor () -> Void)? = nil) { self.action = action }
    /// Closes the presentation of the view, or else its window. Does nothing for a view outside of a window.
    public func callAsFunction() { action?() }
}

private struct HorizontalSizeKey: EnvironmentKey { static let defaultValue: UserInterfaceSizeClass? = nil }
private struct VerticalSizeKey: EnvironmentKey { static let defaultValue: UserInterfaceSizeClass? = nil }
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
private struct LazyKey: EnvironmentKey { static let defaultValue = false }

extension EnvironmentValues {
    /// The appearance, which is that of GTK or of `preferredColorScheme`.
    public var colorScheme: ColorScheme {
        get { self[ColorSchemeKey.self] }
        set { self[ColorSchemeKey.self] = newValue }
    }
    /// The layout direction of the user's language, or the direction that the app sets.
    public var layoutDirection: LayoutDirection {
        get { self[DirectionKey.self] }
        set { self[DirectionKey.self] = newValue }
    }
    /// Whether the view accepts input. False inside of `disabled(true)`.
    public var isEnabled: Bool {
        get { self[EnabledKey.self] }
        set { self[EnabledKey.self] = newValue }
    }
    /// The maximum number of lines of a text. Nil is unlimited.
    public var lineLimit: Int? {
        get { self[LineLimitKey.self] }
        set { self[LineLimitKey.self] = newValue }
    }
    /// The alignment of the lines of a text. The default is `.leading`.
    public var multilineTextAlignment: TextAlignment {
        get { self[TextAlignmentKey.self] }
        set { self[TextAlignmentKey.self] = newValue }
    }
    /// The size of controls. The default is `.regular`.
    public var controlSize: ControlSize {
        get { self[ControlSizeKey.self] }
        set { self[ControlSizeKey.self] = newValue }
    }
    /// The size class of the window's width: compact below 500 points. Nil for a view outside of a window of the app.
    ///
    /// The value changes when the user resizes the window. A sheet has the size classes of its parent window.
    public var horizontalSizeClass: UserInterfaceSizeClass? {
        get { self[HorizontalSizeKey.self] }
        set { self[HorizontalSizeKey.self] = newValue }
    }
    /// The size class of the window's height: compact below 500 points. Nil for a view outside of a window of the app.
    public var verticalSizeClass: UserInterfaceSizeClass? {
        get { self[VerticalSizeKey.self] }
        set { self[VerticalSizeKey.self] = newValue }
    }
    /// An action that closes the presentation of this view (a sheet, a cover or a page of a navigation), or else its
    /// window.
    public var dismiss: DismissAction {
        get { self[DismissKey.self] }
        set { self[DismissKey.self] = newValue }
    }
    /// Whether the view is in a sheet, a cover or a similar presentation, or in a page that was pushed.
    public var isPresented: Bool {
        get { self[PresentedKey.self] }
        set { self[PresentedKey.self] = newValue }
    }
    /// The locale of the user, for the app to read.
    public var locale: Locale {
        get { self[LocaleKey.self] }
        set { self[LocaleKey.self] = newValue }
    }
    /// Whether GTK's setting `gtk-enable-animations` is off. If true, `withAnimation` and `animation(_:)` change views
    /// at once.
    public var accessibilityReduceMotion: Bool {
        get { self[ReduceMotionKey.self] }
        set { self[ReduceMotionKey.self] = newValue }
    }
    /// The number of device pixels per point.
    public var displayScale: CGFloat {
        get { self[ScaleKey.self] }
        set { self[ScaleKey.self] = newValue }
    }
    /// Whether the views of a collection are created only when they come near the visible area.
    package var isLazy: Bool {
        get { self[LazyKey.self] }
        set { self[LazyKey.self] = newValue }
    }
}

extension View {
    /// Limits the number of lines of the texts in this view.
    /// - Parameter number: The maximum number of lines, at least 1. Nil is unlimited.
    public func lineLimit(_ number: Int?) -> some View { setting(\.lineLimit, number.map { max(1, $0) }) }
    /// Sets the alignment of the lines of the texts in this view.
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        setting(\.multilineTextAlignment, alignment)
    }
    /// Sets the size of the controls in this view.
    public func controlSize(_ controlSize: ControlSize) -> some View { setting(\.controlSize, controlSize) }
    /// Sets whether this view and the views inside it ignore input.
    ///
    /// ```swift
    /// Button("Next") { queue.go(by: 1) }
    ///     .disabled(isLast)
    /// ```
    public func disabled(_ disabled: Bool) -> some View { transformEnvironment(\.isEnabled) { $0 = $0 && !disabled } }
    /// Sets the appearance of this view and the views inside it.
    public func colorScheme(_ colorScheme: ColorScheme) -> some View { setting(\.colorScheme, colorScheme) }
}
