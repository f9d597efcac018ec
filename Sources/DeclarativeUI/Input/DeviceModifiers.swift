import Foundation
@_spi(Graph) import ViewGraph

// Modifiers for what devices have and a desktop has not: they keep sources as they are.

/// What a device lets its user feel. SwiftUI's type; a desktop has nothing that can be felt.
public struct SensoryFeedback: Hashable, Sendable {
    private let name: String
    private init(_ name: String) { self.name = name }
    /// Something succeeded; something needs a look; something failed.
    public static let success = SensoryFeedback("success"), warning = SensoryFeedback("warning"),
        error = SensoryFeedback("error")
    /// A choice changed; a value rose; a value fell.
    public static let selection = SensoryFeedback("selection"), increase = SensoryFeedback("increase"),
        decrease = SensoryFeedback("decrease")
    /// Something began; something ended; something came into line; a level was reached.
    public static let start = SensoryFeedback("start"), stop = SensoryFeedback("stop"),
        alignment = SensoryFeedback("alignment"), levelChange = SensoryFeedback("levelChange")
    /// Two things met.
    public static let impact = SensoryFeedback("impact")
    /// How heavy things are that meet.
    public enum Weight: Hashable, Sendable {
        /// From light to heavy.
        case light, medium, heavy
    }
    /// Two things met.
    public static func impact(weight: Weight = .medium, intensity: Double = 1) -> SensoryFeedback { impact }
}

/// Names a piece of work that goes on in another place. Foundation's type on Apple's platforms; Linux has no such
/// hand-over, so that it only keeps what it is given.
public final class NSUserActivity {
    /// What kind of work it is.
    public let activityType: String
    /// What people see of it.
    public var title: String?
    /// The page of the web where the work can go on.
    public var webpageURL: URL?
    /// What is needed to go on.
    public var userInfo: [AnyHashable: Any]?
    /// Whether it may go on elsewhere; of no effect.
    public var isEligibleForHandoff = true
    /// Whether it may be found; of no effect.
    public var isEligibleForSearch = false
    /// Makes a name of a piece of work.
    public init(activityType: String) { self.activityType = activityType }
    /// The work is what the user does now; of no effect.
    public func becomeCurrent() {}
    /// The work is not what the user does now; of no effect.
    public func resignCurrent() {}
    /// The work is over; of no effect.
    public func invalidate() {}
}

extension View {
    /// Lets the user feel a change: nothing on a desktop, which has nothing that can be felt.
    public func sensoryFeedback<T: Equatable>(_ feedback: SensoryFeedback, trigger: T) -> some View { self }
    /// Lets the user feel a change: nothing on a desktop, which has nothing that can be felt.
    public func sensoryFeedback<T: Equatable>(
        _ feedback: SensoryFeedback, trigger: T, condition: @escaping (_ oldValue: T, _ newValue: T) -> Bool
    ) -> some View { self }
    /// Lets the user feel a change: nothing on a desktop, which has nothing that can be felt.
    public func sensoryFeedback<T: Equatable>(
        trigger: T, _ feedback: @escaping (_ oldValue: T, _ newValue: T) -> SensoryFeedback?
    ) -> some View { self }
    /// Hides a device's status bar: a window has none.
    public func statusBarHidden(_ hidden: Bool = true) -> some View { self }
    /// Hides a device's status bar: a window has none.
    public func statusBar(hidden: Bool) -> some View { self }
    /// Hides a device's home indicator: a window has none.
    public func persistentSystemOverlays(_ visibility: Visibility) -> some View { self }
    /// Leaves gestures at a screen's edges to the app: a window has them anyway.
    public func defersSystemGestures(on edges: Edge.Set) -> some View { self }
    /// Offers the user's work to other devices: Linux has no such hand-over.
    public func userActivity(
        _ activityType: String, isActive: Bool = true, _ update: @escaping (NSUserActivity) -> Void
    ) -> some View { self }
    /// Called with work from another device: never, as Linux has no such hand-over.
    public func onContinueUserActivity(_ activityType: String, perform action: @escaping (NSUserActivity) -> Void)
        -> some View
    { self }
    /// What a window stands for among an app's windows: `WindowGroup(for:)` tells them apart here.
    public func handlesExternalEvents(preferring: Set<String>, allowing: Set<String>) -> some View { self }
}

/// How what the pointer is over shows it. SwiftUI's type.
public struct HoverEffect: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case highlight, lift }
    let kind: Kind
    /// A light ground; the same as `highlight`.
    public static let automatic = HoverEffect(kind: .highlight)
    /// A light ground.
    public static let highlight = HoverEffect(kind: .highlight)
    /// A little larger.
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
    /// Shows that the pointer is over this view.
    public func hoverEffect(_ effect: HoverEffect = .automatic, isEnabled: Bool = true) -> some View {
        Hovering(content: self, effect: effect, isEnabled: isEnabled)
    }
}
