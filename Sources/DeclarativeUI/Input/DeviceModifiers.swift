import Foundation
@_spi(Graph) import ViewGraph

// These types and modifiers are for devices other than desktops. They exist so that apps compile without changes.

/// Haptic feedback of a device. Modeled on SwiftUI's type.
///
/// The type has no effect, because a desktop has no haptic hardware.
public struct SensoryFeedback: Hashable, Sendable {
    private let name: String
    private init(_ name: String) { self.name = name }
    /// Feedback for success, for a warning, and for an error.
    public static let success = SensoryFeedback("success"), warning = SensoryFeedback("warning"),
        error = SensoryFeedback("error")
    /// Feedback for a changed selection, for an increased value, and for a decreased value.
    public static let selection = SensoryFeedback("selection"), increase = SensoryFeedback("increase"),
        decrease = SensoryFeedback("decrease")
    /// Feedback for the start and the end of an activity, for an alignment, and for a level that was reached.
    public static let start = SensoryFeedback("start"), stop = SensoryFeedback("stop"),
        alignment = SensoryFeedback("alignment"), levelChange = SensoryFeedback("levelChange")
    /// Feedback for a collision of two objects.
    public static let impact = SensoryFeedback("impact")
    /// The weight of colliding objects.
    public enum Weight: Hashable, Sendable {
        /// Light, medium and heavy objects.
        case light, medium, heavy
    }
    /// Returns the feedback for a collision of two objects. The parameters have no effect.
    public static func impact(weight: Weight = .medium, intensity: Double = 1) -> SensoryFeedback { impact }
}

/// A user's activity that can continue on another device. Modeled on Foundation's type on Apple's platforms.
///
/// Linux has no hand-off between devices, so the object only stores its properties.
public final class NSUserActivity {
    /// The type of the activity.
    public let activityType: String
    /// The title shown to users.
    public var title: String?
    /// The web page on which the activity can continue.
    public var webpageURL: URL?
    /// The data needed to continue the activity.
    public var userInfo: [AnyHashable: Any]?
    /// Whether the activity may continue on another device. Has no effect.
    public var isEligibleForHandoff = true
    /// Whether a search may find the activity. Has no effect.
    public var isEligibleForSearch = false
    /// Creates an activity of a type.
    public init(activityType: String) { self.activityType = activityType }
    /// Marks the activity as the current one. Has no effect.
    public func becomeCurrent() {}
    /// Marks the activity as no longer the current one. Has no effect.
    public func resignCurrent() {}
    /// Ends the activity. Has no effect.
    public func invalidate() {}
}

extension View {
    /// Plays haptic feedback when `trigger` changes. Has no effect, because a desktop has no haptic hardware.
    public func sensoryFeedback<T: Equatable>(_ feedback: SensoryFeedback, trigger: T) -> some View { self }
    /// Plays haptic feedback when `trigger` changes. Has no effect, because a desktop has no haptic hardware.
    public func sensoryFeedback<T: Equatable>(
        _ feedback: SensoryFeedback, trigger: T, condition: @escaping (_ oldValue: T, _ newValue: T) -> Bool
    ) -> some View { self }
    /// Plays haptic feedback when `trigger` changes. Has no effect, because a desktop has no haptic hardware.
    public func sensoryFeedback<T: Equatable>(
        trigger: T, _ feedback: @escaping (_ oldValue: T, _ newValue: T) -> SensoryFeedback?
    ) -> some View { self }
    /// Hides a device's status bar. Has no effect, because a window has none.
    public func statusBarHidden(_ hidden: Bool = true) -> some View { self }
    /// Hides a device's status bar. Has no effect, because a window has none.
    public func statusBar(hidden: Bool) -> some View { self }
    /// Hides a device's home indicator. Has no effect, because a window has none.
    public func persistentSystemOverlays(_ visibility: Visibility) -> some View { self }
    /// Gives the app precedence for gestures at the screen's edges. Has no effect, because a window always receives
    /// them.
    public func defersSystemGestures(on edges: Edge.Set) -> some View { self }
    /// Offers an activity to other devices. Has no effect, because Linux has no hand-off.
    public func userActivity(
        _ activityType: String, isActive: Bool = true, _ update: @escaping (NSUserActivity) -> Void
    ) -> some View { self }
    /// Calls `action` with an activity from another device. Linux has no hand-off, so the action is never called.
    public func onContinueUserActivity(_ activityType: String, perform action: @escaping (NSUserActivity) -> Void)
        -> some View
    { self }
    /// Chooses the window that handles an external event. Has no effect; use `WindowGroup(for:)` to identify windows.
    public func handlesExternalEvents(preferring: Set<String>, allowing: Set<String>) -> some View { self }
}

/// An effect on the view under the pointer. Modeled on SwiftUI's type.
public struct HoverEffect: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case highlight, lift }
    let kind: Kind
    /// The default effect, which is the same as `highlight`.
    public static let automatic = HoverEffect(kind: .highlight)
    /// A light background.
    public static let highlight = HoverEffect(kind: .highlight)
    /// A slight enlargement.
    public static let lift = HoverEffect(kind: .lift)
}

private struct Hovering<Content: View>: View {
    let content: Content
    let effect: HoverEffect
    let isEnabled: Bool
    @State private var isOver = false
    private var isShown: Bool { isOver && isEnabled }
    var body: some View {
        content
            .background {
                RoundedRectangle(cornerRadius: 6)
                    .fill(Color.primary.opacity(isShown && effect.kind == .highlight ? 0.08 : 0))
                    .allowsHitTesting(false)
            }
            .scaleEffect(isShown && effect.kind == .lift ? 1.04 : 1)
            .onHover { isOver = $0 }
    }
}
extension View {
    /// Applies an effect to this view while the pointer is over it.
    public func hoverEffect(_ effect: HoverEffect = .automatic, isEnabled: Bool = true) -> some View {
        Hovering(content: self, effect: effect, isEnabled: isEnabled)
    }
}
