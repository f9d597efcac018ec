import Foundation
@_spi(Graph) import ViewGraph

/// How a symbol moves. SwiftUI's protocol, with the effects below.
public protocol SymbolEffect: Sendable {
    /// Not for apps: how it moves here.
    var _motion: _SymbolMotion { get }
}
/// An effect that goes on while it is active.
public protocol IndefiniteSymbolEffect: SymbolEffect {}
/// An effect that comes once, when a value changes.
public protocol DiscreteSymbolEffect: SymbolEffect {}

/// How a symbol moves here.
public enum _SymbolMotion: Sendable {
    /// Its opacity, its size, its angle: between the usual and this one.
    case opacity(Double), scale(Double), turn(Double)
}

/// The symbol fades and comes back.
public struct PulseSymbolEffect: IndefiniteSymbolEffect, DiscreteSymbolEffect {
    public var _motion: _SymbolMotion { .opacity(0.4) }
    /// The same effect: symbols have one layer here.
    public var byLayer: PulseSymbolEffect { self }
    /// The same effect: symbols have one layer here.
    public var wholeSymbol: PulseSymbolEffect { self }
}
/// The symbol fades and comes back, as its parts would one after the other.
public struct VariableColorSymbolEffect: IndefiniteSymbolEffect, DiscreteSymbolEffect {
    public var _motion: _SymbolMotion { .opacity(0.3) }
    /// The same effect: symbols have one layer here.
    public var iterative: VariableColorSymbolEffect { self }
    /// The same effect: symbols have one layer here.
    public var cumulative: VariableColorSymbolEffect { self }
    /// The same effect: it goes back here in any case.
    public var reversing: VariableColorSymbolEffect { self }
}
/// The symbol jumps.
public struct BounceSymbolEffect: IndefiniteSymbolEffect, DiscreteSymbolEffect {
    let size: Double
    public var _motion: _SymbolMotion { .scale(size) }
    /// It becomes larger first.
    public var up: BounceSymbolEffect { BounceSymbolEffect(size: 1.25) }
    /// It becomes smaller first.
    public var down: BounceSymbolEffect { BounceSymbolEffect(size: 0.8) }
}
/// The symbol is larger or smaller while the effect is active.
public struct ScaleSymbolEffect: IndefiniteSymbolEffect {
    let size: Double
    public var _motion: _SymbolMotion { .scale(size) }
    /// Larger.
    public var up: ScaleSymbolEffect { ScaleSymbolEffect(size: 1.2) }
    /// Smaller.
    public var down: ScaleSymbolEffect { ScaleSymbolEffect(size: 0.8) }
}
/// The symbol is not seen while the effect is active.
public struct DisappearSymbolEffect: IndefiniteSymbolEffect {
    public var _motion: _SymbolMotion { .opacity(0) }
}
/// The symbol breathes.
public struct BreatheSymbolEffect: IndefiniteSymbolEffect, DiscreteSymbolEffect {
    public var _motion: _SymbolMotion { .scale(1.1) }
}
/// The symbol swings.
public struct WiggleSymbolEffect: IndefiniteSymbolEffect, DiscreteSymbolEffect {
    public var _motion: _SymbolMotion { .turn(12) }
}
/// The symbol turns.
public struct RotateSymbolEffect: IndefiniteSymbolEffect, DiscreteSymbolEffect {
    public var _motion: _SymbolMotion { .turn(360) }
}
extension SymbolEffect where Self == PulseSymbolEffect {
    /// The symbol fades and comes back.
    public static var pulse: PulseSymbolEffect { PulseSymbolEffect() }
}
extension SymbolEffect where Self == VariableColorSymbolEffect {
    /// The symbol fades and comes back.
    public static var variableColor: VariableColorSymbolEffect { VariableColorSymbolEffect() }
}
extension SymbolEffect where Self == BounceSymbolEffect {
    /// The symbol jumps.
    public static var bounce: BounceSymbolEffect { BounceSymbolEffect(size: 1.25) }
}
extension SymbolEffect where Self == ScaleSymbolEffect {
    /// The symbol is larger.
    public static var scale: ScaleSymbolEffect { ScaleSymbolEffect(size: 1.2) }
}
extension SymbolEffect where Self == DisappearSymbolEffect {
    /// The symbol is not seen.
    public static var disappear: DisappearSymbolEffect { DisappearSymbolEffect() }
}
extension SymbolEffect where Self == BreatheSymbolEffect {
    /// The symbol breathes.
    public static var breathe: BreatheSymbolEffect { BreatheSymbolEffect() }
}
extension SymbolEffect where Self == WiggleSymbolEffect {
    /// The symbol swings.
    public static var wiggle: WiggleSymbolEffect { WiggleSymbolEffect() }
}
extension SymbolEffect where Self == RotateSymbolEffect {
    /// The symbol turns.
    public static var rotate: RotateSymbolEffect { RotateSymbolEffect() }
}

/// How fast and how often a symbol moves. SwiftUI's type.
public struct SymbolEffectOptions: Hashable, Sendable {
    var speed = 1.0
    var isRepeating = true
    /// At the usual speed.
    public static let `default` = SymbolEffectOptions()
    /// Again and again; once.
    public static let repeating = SymbolEffectOptions(), nonRepeating = SymbolEffectOptions(isRepeating: false)
    /// - Parameter speed: A factor; 1 is the usual speed.
    public static func speed(_ speed: Double) -> SymbolEffectOptions { SymbolEffectOptions.default.speed(speed) }
    /// The same, at another speed.
    public func speed(_ speed: Double) -> SymbolEffectOptions {
        with(self) { $0.speed = speed.isFinite && speed > 0 ? min(100, speed) : 1 }
    }
    /// The same, again and again; an effect of a value comes once all the same.
    public var repeating: SymbolEffectOptions { with(self) { $0.isRepeating = true } }
    /// The same, once.
    public var nonRepeating: SymbolEffectOptions { with(self) { $0.isRepeating = false } }
}

/// The content on its way to and from a motion's end.
private struct SymbolMotionView<Content: View>: View {
    let content: Content
    let motion: _SymbolMotion
    let isThere: Bool
    var body: some View {
        switch motion {
        case .opacity(let least): content.opacity(isThere ? least : 1)
        case .scale(let size): content.scaleEffect(isThere ? size : 1)
        case .turn(let degrees): content.rotationEffect(.degrees(isThere ? degrees : 0))
        }
    }
}

private struct ActiveSymbolEffect<Content: View>: View {
    let content: Content
    let motion: _SymbolMotion
    let options: SymbolEffectOptions
    /// It goes to the end and back; else it stays there while it is active.
    let goesBack: Bool
    let isActive: Bool
    @Environment(\.accessibilityReduceMotion) private var isStill
    @State private var isThere = false

    private var animation: Animation {
        let once = Animation.easeInOut(duration: 0.8 / options.speed)
        return goesBack && isActive && options.isRepeating ? once.repeatForever(autoreverses: true) : once
    }
    var body: some View {
        SymbolMotionView(content: content, motion: motion, isThere: isThere)
            .onChange(of: isActive && (!goesBack || !isStill), initial: true) { _, isActive in
                withAnimation(animation) { isThere = isActive }
            }
    }
}

private struct ValueSymbolEffect<Content: View, Value: Equatable>: View {
    let content: Content
    let motion: _SymbolMotion
    let options: SymbolEffectOptions
    let value: Value
    @Environment(\.accessibilityReduceMotion) private var isStill
    @State private var isThere = false
    @State private var count = 0

    var body: some View {
        SymbolMotionView(content: content, motion: motion, isThere: isThere)
            .onChange(of: value) { _, _ in if !isStill { count += 1 } }
            .task(id: count) {
                guard count > 0 else { return }
                let seconds = 0.2 / options.speed
                withAnimation(.easeOut(duration: seconds)) { isThere = true }
                try? await Task.sleep(for: .seconds(seconds))
                withAnimation(.easeInOut(duration: seconds)) { isThere = false }
            }
    }
}

extension View {
    /// Moves the symbols in this view, as a whole, while the effect is active. Where the desktop wants no animations,
    /// nothing moves.
    public func symbolEffect<T: IndefiniteSymbolEffect>(
        _ effect: T, options: SymbolEffectOptions = .default, isActive: Bool = true
    ) -> some View {
        ActiveSymbolEffect(
            content: self, motion: effect._motion, options: options,
            goesBack: !(effect is ScaleSymbolEffect || effect is DisappearSymbolEffect), isActive: isActive)
    }
    /// Moves the symbols in this view once, as a whole, when `value` becomes another one.
    public func symbolEffect<T: DiscreteSymbolEffect, U: Equatable>(
        _ effect: T, options: SymbolEffectOptions = .default, value: U
    ) -> some View { ValueSymbolEffect(content: self, motion: effect._motion, options: options, value: value) }
}
