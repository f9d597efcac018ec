import Foundation

/// The input of a hit test. Modeled on UIKit's type.
///
/// `UIView.hitTest(_:with:)` and `UIView.point(inside:with:)` get an event without touches, because views receive no
/// single touches.
@MainActor @preconcurrency
public final class UIEvent {
    /// The kind of an event, with UIKit's values.
    public enum EventType: Int, Sendable {
        /// Input by a pointer or a finger.
        case touches = 0
        /// Never reported.
        case motion
        /// Never reported.
        case remoteControl
        /// Never reported.
        case presses
        /// Never reported.
        case scroll = 10
        /// Never reported.
        case hover
        /// Never reported.
        case transform = 14
    }
    /// The kind of the event: always `touches`, also while the pointer only moves. A hit test runs before it is known
    /// whether a press follows.
    public let type = EventType.touches
    /// The time of the event in seconds since the computer started.
    public let timestamp: TimeInterval

    init(timestamp: TimeInterval = ProcessInfo.processInfo.systemUptime) { self.timestamp = timestamp }
}
