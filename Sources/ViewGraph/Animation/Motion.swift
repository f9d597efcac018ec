/// How long things take to move, and how: steps of the visual language (docs/design.md). Main actor.
@MainActor
package enum Motion {
    /// Seconds: what answers the pointer.
    nonisolated package static let quickSeconds = 0.12
    /// Seconds: what comes and goes, as a player's controls.
    nonisolated package static let standardSeconds = 0.2
    /// Seconds: what crosses the window, as a page.
    nonisolated package static let slowSeconds = 0.25

    /// Whether the user wants nothing to move that need not. The host sets it from the desktop's settings. Then `withAnimation` and `animation(_:)` change at once too.
    package static var isReduced = false

    /// Of the step; nil, at once, where motion is reduced.
    package static var quick: Animation? { isReduced ? nil : .easeOut(duration: quickSeconds) }
    package static var standard: Animation? { isReduced ? nil : .easeOut(duration: standardSeconds) }
    package static var slow: Animation? { isReduced ? nil : .easeOut(duration: slowSeconds) }
    /// What holds of an animation that an app asks for.
    static func honoured(_ animation: Animation?) -> Animation? { isReduced ? nil : animation }
}
