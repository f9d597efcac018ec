import Foundation
@_spi(Graph) import ViewGraph

/// An animation of a symbol. Same API as in SwiftUI.
public protocol SymbolEffect: Sendable {
    /// The motion of the effect. Not for apps.
    var _motion: _SymbolMotion { get }
}
/// An effect that runs while it is active.
public protocol IndefiniteSymbolEffect: SymbolEffect {}
/// An effect that runs once when a value changes.
public protocol DiscreteSymbolEffect: SymbolEffect {}

/// The motion of a symbol, in this implementation.
public enum _SymbolMotion: Sendable {
    /// A change of the opacity, the scale, or the angle in degrees, between the usual value and this one.
    case opacity(Double), scale(Double), turn(Double)
}

/// An effect that fades the symbol out and in.
public struct PulseSymbolEffect: IndefiniteSymbolEffect, DiscreteSymbolEffect {
    public var _motion: _SymbolMotion { .opacity(0.4) }
    /// The same effect, because symbols on Linux have one layer.
    public var byLayer: PulseSymbolEffect { self }
    /// The same effect, because symbols on Linux have one layer.
    public var wholeSymbol: PulseSymbolEffect { self }
}
/// An effect that fades the symbol out and in as a whole. SwiftUI fades its layers one after the other.
public struct VariableColorSymbolEffect: IndefiniteSymbolEffect, DiscreteSymbolEffect {
    public var _motion: _SymbolMotion { .opacity(0.3) }
    /// The same effect, because symbols on Linux have one layer.
    public var iterative: VariableColorSymbolEffect { self }
    /// The same effect, because symbols on Linux have one layer.
    public var cumulative: VariableColorSymbolEffect { self }
    /// The same effect, because on Linux it always reverses.
    public var reversing: VariableColorSymbolEffect { self }
}
/// An effect that makes the symbol bounce.
public struct BounceSymbolEffect: IndefiniteSymbolEffect, DiscreteSymbolEffect {
    let size: Double
    public var _motion: _SymbolMotion { .scale(size) }
    /// A bounce that enlarges the symbol first.
    public var up: BounceSymbolEffect { BounceSymbolEffect(size: 1.25) }
    /// A bounce that shrinks the symbol first.
    public var down: BounceSymbolEffect { BounceSymbolEffect(size: 0.8) }
}
/// An effect that enlarges or shrinks the symbol while it is active.
public struct ScaleSymbolEffect: IndefiniteSymbolEffect {
    let size: Double
    public var _motion: _SymbolMotion { .scale(size) }
    /// An enlarged symbol, 1.2 times the usual size.
    public var up: ScaleSymbolEffect { ScaleSymbolEffect(size: 1.2) }
    /// A smaller symbol, 0.8 times the usual size.
    public var down: ScaleSymbolEffect { ScaleSymbolEffect(size: 0.8) }
}
/// An effect that hides the symbol while it is active.
public struct DisappearSymbolEffect: IndefiniteSymbolEffect {
    public var _motion: _SymbolMotion { .opacity(0) }
}
/// An effect that slightly enlarges and shrinks the symbol.
public struct BreatheSymbolEffect: IndefiniteSymbolEffect, DiscreteSymbolEffect {
    public var _motion: _SymbolMotion { .scale(1.1) }
}
/// An effect that rotates the symbol by a small angle and back.
public struct WiggleSymbolEffect: IndefiniteSymbolEffect, DiscreteSymbolEffect {
    public var _motion: _SymbolMotion { .turn(12) }
}
/// An effect that rotates the symbol by a full turn and back.
public struct RotateSymbolEffect: IndefiniteSymbolEffect, DiscreteSymbolEffect {
    public var _motion: _SymbolMotion { .turn(360) }
}
extension SymbolEffect where Self == PulseSymbolEffect {
    /// An effect that fades the symbol out and in.
    public static var pulse: PulseSymbolEffect { PulseSymbolEffect() }
}
extension SymbolEffect where Self == VariableColorSymbolEffect {
    /// An effect that fades the symbol out and in.
    public static var variableColor: VariableColorSymbolEffect { VariableColorSymbolEffect() }
}
extension SymbolEffect where Self == BounceSymbolEffect {
    /// An effect that makes the symbol bounce.
    public static var bounce: BounceSymbolEffect { BounceSymbolEffect(size: 1.25) }
}
extension SymbolEffect where Self == ScaleSymbolEffect {
    /// An effect that enlarges the symbol while it is active.
    public static var scale: ScaleSymbolEffect { ScaleSymbolEffect(size: 1.2) }
}
extension SymbolEffect where Self == DisappearSymbolEffect {
    /// An effect that hides the symbol while it is active.
    public static var disappear: DisappearSymbolEffect { DisappearSymbolEffect() }
}
extension SymbolEffect where Self == BreatheSymbolEffect {
    /// An effect that slightly enlarges and shrinks the symbol.
    public static var breathe: BreatheSymbolEffect { BreatheSymbolEffect() }
}
extension SymbolEffect where Self == WiggleSymbolEffect {
    /// An effect that rotates the symbol by a small angle and back.
    public static var wiggle: WiggleSymbolEffect { WiggleSymbolEffect() }
}
extension SymbolEffect where Self == RotateSymbolEffect {
    /// An effect that rotates the symbol by a full turn and back.
    public static var rotate: RotateSymbolEffect { RotateSymbolEffect() }
}

/// The speed and the repetition of a symbol effect. Same API as in SwiftUI.
public struct SymbolEffectOptions: Hashable, Sendable {
    var speed = 1.0
    var isRepeating = true
    /// The usual speed, repeated.
    public static let `default` = SymbolEffectOptions()
    /// The usual speed, for an effect that repeats, and for an effect that runs once.
    public static let repeating = SymbolEffectOptions(), nonRepeating = SymbolEffectOptions(isRepeating: false)
    /// Returns options with a speed.
    /// - Parameter speed: A factor; 1 is the usual speed. The maximum is 100. A value that is not greater than 0, or
    ///   not finite, counts as 1.
    public static func speed(_ speed: Double) -> SymbolEffectOptions { SymbolEffectOptions.default.speed(speed) }
    /// Returns the options with another speed.
    /// - Parameter speed: A factor; 1 is the usual speed. The maximum is 100. A value that is not greater than 0, or
    ///   not finite, counts as 1.
    public func speed(_ speed: Double) -> SymbolEffectOptions {
        with(self) { $0.speed = speed.isFinite && speed > 0 ? min(100, speed) : 1 }
    }
    /// The same options, repeated. An effect that depends on a value still runs once.
    public var repeating: SymbolEffectOptions { with(self) { $0.isRepeating = true } }
    /// The same options, run once.
    public var nonRepeating: SymbolEffectOptions { with(self) { $0.isRepeating = false } }
}

/// The content at the start or at the end of a motion.
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
    /// Whether the motion returns and repeats. If false, the symbol stays at the end while the effect is active.
    let goesBack: Bool
    let isActive: Bool
    @Environment(\.accessibilityReduceMotion) private var reducesMotion
    @State private var isThere = false

    private var isRunning: Bool { isActive && (!goesBack || !reducesMotion) }
    /// The duration of the motion in one direction, in seconds.
    private var seconds: Double { 0.8 / options.speed }
    private var once: Animation { .easeInOut(duration: seconds) }

    var body: some View {
        SymbolMotionView(content: content, motion: motion, isThere: isThere)
            .onChange(of: isRunning, initial: true) { _, isRunning in
                let repeats = goesBack && isRunning && options.isRepeating
                withAnimation(repeats ? once.repeatForever(autoreverses: true) : once) { isThere = isRunning }
            }
            .task(id: isRunning && goesBack && !options.isRepeating) {
                guard isRunning, goesBack, !options.isRepeating else { return }
                try? await Task.sleep(for: .seconds(seconds))
                guard !Task.isCancelled else { return }
                withAnimation(once) { isThere = false }
            }
    }
}

private struct ValueSymbolEffect<Content: View, Value: Equatable>: View {
    let content: Content
    let motion: _SymbolMotion
    let options: SymbolEffectOptions
    let value: Value
    @Environment(\.accessibilityReduceMotion) private var reducesMotion
    @State private var isThere = false
    @State private var count = 0
    /// The number of the last change whose motion has begun.
    @State private var shown = 0

    var body: some View {
        SymbolMotionView(content: content, motion: motion, isThere: isThere)
            .onChange(of: value) { _, _ in if !reducesMotion { count += 1 } }
            .task(id: count) {
                // A task that another change has canceled may begin late.
                guard !Task.isCancelled else { return }
                // A symbol that appears again does not repeat its motion, and does not stay in the middle of it.
                guard count > shown else {
                    isThere = false
                    return
                }
                shown = count
                let seconds = 0.2 / options.speed
                withAnimation(.easeOut(duration: seconds)) { isThere = true }
                try? await Task.sleep(for: .seconds(seconds))
                // After another change, the task of that change ends the motion.
                guard !Task.isCancelled else { return }
                withAnimation(.easeInOut(duration: seconds)) { isThere = false }
            }
    }
}

extension View {
    /// Animates the symbols in this view together while the effect is active.
    ///
    /// ```swift
    /// Image(systemName: "wifi")
    ///     .symbolEffect(.pulse, isActive: isBuffering)
    /// ```
    /// If the desktop setting disables animations, only the effects `scale` and `disappear` apply.
    public func symbolEffect<T: IndefiniteSymbolEffect>(
        _ effect: T, options: SymbolEffectOptions = .default, isActive: Bool = true
    ) -> some View {
        ActiveSymbolEffect(
            content: self, motion: effect._motion, options: options,
            goesBack: !(effect is ScaleSymbolEffect || effect is DisappearSymbolEffect), isActive: isActive)
    }
    /// Animates the symbols in this view together, once, when `value` changes. Has no effect if the desktop setting
    /// disables animations.
    public func symbolEffect<T: DiscreteSymbolEffect, U: Equatable>(
        _ effect: T, options: SymbolEffectOptions = .default, value: U
    ) -> some View { ValueSymbolEffect(content: self, motion: effect._motion, options: options, value: value) }
}
