import Foundation

/// A transition that blurs, scales and fades a view while it appears and disappears. Mirrors SwiftUI's type.
///
/// ```swift
/// Group {
///     if isExpanded { Details() } else { Summary() }
/// }
/// .transition(.blurReplace)
/// ```
public struct BlurReplaceTransition: Sendable {
    /// The directions in which the view is scaled.
    public struct Configuration: Equatable, Sendable {
        private enum Direction { case downUp, upUp }
        private let direction: Direction
        /// A removed view becomes smaller, and an inserted view grows from a smaller size.
        public static let downUp = Configuration(direction: .downUp)
        /// A removed view becomes larger, and an inserted view grows from a smaller size.
        public static let upUp = Configuration(direction: .upUp)

        fileprivate var removalScale: CGFloat {
            direction == .downUp ? BlurReplaceTransition.small : 1 / BlurReplaceTransition.small
        }
    }
    /// The directions in which the view is scaled.
    public var configuration: Configuration
    /// Creates a transition that scales in the given directions.
    public init(configuration: Configuration) { self.configuration = configuration }

    /// A transition that makes a removed view smaller. The same as `blurReplace(.downUp)`.
    public static var blurReplace: BlurReplaceTransition { blurReplace() }
    /// Returns a transition that scales in the given directions.
    public static func blurReplace(_ config: Configuration = .downUp) -> BlurReplaceTransition {
        BlurReplaceTransition(configuration: config)
    }

    /// The scale factor of the smaller size, and the radius of the blur in points.
    fileprivate static let small: CGFloat = 0.8, radius: CGFloat = 10
}

extension AnyTransition {
    /// Creates a transition of any type from a blur-replace transition.
    public init(_ transition: BlurReplaceTransition) {
        let radius = BlurReplaceTransition.radius
        self.init(
            insertion: Change(opacity: 0, scale: BlurReplaceTransition.small, blur: radius),
            removal: Change(opacity: 0, scale: transition.configuration.removalScale, blur: radius))
    }
    /// A transition that blurs, scales and fades the view, and makes a removed view smaller.
    public static let blurReplace = AnyTransition(BlurReplaceTransition.blurReplace)
    /// Returns a transition that blurs, scales and fades the view.
    /// - Parameter config: The directions in which the view is scaled.
    public static func blurReplace(_ config: BlurReplaceTransition.Configuration = .downUp) -> AnyTransition {
        AnyTransition(BlurReplaceTransition(configuration: config))
    }
}
