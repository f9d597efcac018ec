import Foundation

/// The base class of an app's delegates. Modeled on UIKit's type.
///
/// Responders receive no events. Use gestures and key handlers of declarative views instead.
@MainActor @preconcurrency
open class UIResponder: NSObject {
    /// Creates a responder.
    nonisolated public override init() { super.init() }
}
