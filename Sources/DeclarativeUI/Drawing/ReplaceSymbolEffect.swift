/// A symbol effect that animates the change from one symbol to another. Same API as in SwiftUI.
public protocol ContentTransitionSymbolEffect: SymbolEffect {
    /// The effect that replaces one symbol with another. Not for apps.
    var _replacement: ReplaceSymbolEffect { get }
}

/// An effect in which the old symbol is scaled out and the new symbol is scaled in. Same API as in SwiftUI.
public struct ReplaceSymbolEffect: ContentTransitionSymbolEffect, Hashable {
    enum Direction: Hashable, Sendable { case downUp, upUp, offUp }
    let direction: Direction
    public var _replacement: ReplaceSymbolEffect { self }
    public var _motion: _SymbolMotion { .scale(SymbolReplacement.small) }
    /// The effect in which the old symbol becomes smaller, and then the new symbol grows.
    public var downUp: ReplaceSymbolEffect { ReplaceSymbolEffect(direction: .downUp) }
    /// The effect in which the old symbol becomes larger, and then the new symbol grows.
    public var upUp: ReplaceSymbolEffect { ReplaceSymbolEffect(direction: .upUp) }
    /// The effect in which the old symbol disappears at once while the new symbol grows.
    public var offUp: ReplaceSymbolEffect { ReplaceSymbolEffect(direction: .offUp) }
    /// The effects with these directions, for `magic(fallback:)`.
    public static let downUp = ReplaceSymbolEffect(direction: .downUp), upUp = ReplaceSymbolEffect(direction: .upUp),
        offUp = ReplaceSymbolEffect(direction: .offUp)
    /// The same effect, because symbols on Linux have one layer.
    public var byLayer: ReplaceSymbolEffect { self }
    /// The same effect, because symbols on Linux have one layer.
    public var wholeSymbol: ReplaceSymbolEffect { self }
    /// Returns `fallback`. SwiftUI draws a slash or a badge without changing the rest of the symbol.
    public func magic(fallback: ReplaceSymbolEffect) -> ReplaceSymbolEffect { fallback }
}
extension SymbolEffect where Self == ReplaceSymbolEffect {
    /// An effect that replaces one symbol with another. The same as `replace.downUp`.
    public static var replace: ReplaceSymbolEffect { ReplaceSymbolEffect(direction: .downUp) }
}
