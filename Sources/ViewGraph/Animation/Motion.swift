/// The durations and curves of motion in the visual language (docs/design.md).
@MainActor
package enum Motion {
    /// The duration of a response to the pointer, in seconds.
    nonisolated package static let quickSeconds = 0.12
    /// The duration in which views appear and disappear, such as a player's controls, in seconds.
    nonisolated package static let standardSeconds = 0.2
    /// The duration of a move across the window, such as a page change, in seconds.
    nonisolated package static let slowSeconds = 0.25
    /// The duration in which the pages of a navigation stack slide in the phone style, in seconds.
    nonisolated package static let pushSeconds = 0.35

    /// Whether the user prefers reduced motion.
    ///
    /// The host sets the property from the desktop's settings. If it is true, `withAnimation` and `animation(_:)` also
    /// change values at once.
    package static var isReduced = false

    /// The animation with the duration `quickSeconds`, or nil if motion is reduced. `standard` and `slow` are alike.
    package static var quick: Animation? { isReduced ? nil : .easeOut(duration: quickSeconds) }
    package static var standard: Animation? { isReduced ? nil : .easeOut(duration: standardSeconds) }
    package static var slow: Animation? { isReduced ? nil : .easeOut(duration: slowSeconds) }
    /// Returns the animation that an app requests, or nil if motion is reduced.
    static func honoured(_ animation: Animation?) -> Animation? { isReduced ? nil : animation }
}
