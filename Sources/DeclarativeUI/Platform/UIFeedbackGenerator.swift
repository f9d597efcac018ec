import Foundation

/// The base class of generators of haptic feedback. Modeled on UIKit's type.
///
/// A desktop has no haptic hardware, so generators have no effect, like `sensoryFeedback(_:trigger:)`.
@MainActor @preconcurrency
open class UIFeedbackGenerator {
    /// Creates a generator.
    public init() {}
    /// Has no effect, because a desktop has no haptic hardware.
    open func prepare() {}
}

/// A generator of feedback for collisions. It has no effect on a desktop. Modeled on UIKit's type.
@MainActor @preconcurrency
open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    /// The weight or the material of the objects that collide.
    public enum FeedbackStyle: Int, Sendable {
        /// Light, medium and heavy objects, and soft and rigid materials.
        case light, medium, heavy, soft, rigid
    }
    /// Creates a generator. The style has no effect.
    public init(style: FeedbackStyle) { super.init() }
    /// Creates a generator of the style `medium`.
    public override convenience init() { self.init(style: .medium) }
    /// Has no effect, because a desktop has no haptic hardware.
    open func impactOccurred() {}
    /// Has no effect, because a desktop has no haptic hardware.
    open func impactOccurred(intensity: CGFloat) {}
}

/// A generator of feedback for changes of a selection. It has no effect on a desktop. Modeled on UIKit's type.
@MainActor @preconcurrency
open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    /// Has no effect, because a desktop has no haptic hardware.
    open func selectionChanged() {}
}

/// A generator of feedback for results of tasks. It has no effect on a desktop. Modeled on UIKit's type.
@MainActor @preconcurrency
open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    /// The result of a task.
    public enum FeedbackType: Int, Sendable {
        /// A success, a success with a problem, and a failure.
        case success, warning, error
    }
    /// Has no effect, because a desktop has no haptic hardware.
    open func notificationOccurred(_ notificationType: FeedbackType) {}
}
