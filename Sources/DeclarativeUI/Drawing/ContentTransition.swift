@_spi(Graph) import ViewGraph

/// An animation between two symbols in the same image. Matches SwiftUI's `ContentTransition`. Texts change at once.
public struct ContentTransition: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case identity, fade
        case symbol(ReplaceSymbolEffect, SymbolEffectOptions)
    }
    let kind: Kind
    /// The transition without an animation.
    public static let identity = ContentTransition(kind: .identity)
    /// The transition in which the old symbol fades out while the new one fades in, if the change is animated.
    public static let opacity = ContentTransition(kind: .fade)
    /// The same as `opacity`. SwiftUI also moves and resizes the letters of texts.
    public static let interpolate = ContentTransition(kind: .fade)
    /// Returns the transition in which the digits of a text roll. Has no effect on Linux.
    public static func numericText(countsDown: Bool = false) -> ContentTransition { identity }
    /// Returns the transition in which the digits of a text roll. Has no effect on Linux.
    public static func numericText(value: Double) -> ContentTransition { identity }
    /// The transition in which one symbol replaces another. The same as `symbolEffect(.replace)`.
    public static let symbolEffect = ContentTransition(kind: .symbol(ReplaceSymbolEffect.replace, .default))
    /// Returns the transition in which one symbol replaces another.
    ///
    /// ```swift
    /// Image(systemName: isPlaying ? "pause.fill" : "play.fill")
    ///     .contentTransition(.symbolEffect(.replace))
    /// ```
    /// - Parameters:
    ///   - effect: The effect.
    ///   - options: The speed. The repetition has no effect.
    public static func symbolEffect<T: ContentTransitionSymbolEffect>(
        _ effect: T, options: SymbolEffectOptions = .default
    ) -> ContentTransition { ContentTransition(kind: .symbol(effect._replacement, options)) }
}

private struct ContentTransitionKey: EnvironmentKey { static let defaultValue = ContentTransition.identity }
extension EnvironmentValues {
    /// The animation between two symbols in the same image.
    public var contentTransition: ContentTransition {
        get { self[ContentTransitionKey.self] }
        set { self[ContentTransitionKey.self] = newValue }
    }
}

extension View {
    /// Sets the animation with which images in this view change from one symbol to another.
    ///
    /// A symbol effect has the animation of the state change or, without one, an animation of 0.25 s. The other
    /// transitions are animated only if the state change is animated. If the desktop setting disables animations,
    /// symbols change at once. Texts and other images always change at once: to fade from one text to another, use
    /// `transition(_:)` with `id(_:)`.
    public func contentTransition(_ transition: ContentTransition) -> some View {
        setting(\.contentTransition, transition)
    }
}
