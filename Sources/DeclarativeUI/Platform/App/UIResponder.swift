import Foundation

/// What an app's delegates are derived from. UIKit's type; events go to the dialect's gestures and keys, not to
/// responders. Main actor.
@MainActor @preconcurrency
open class UIResponder: NSObject {
    /// Makes a responder.
    nonisolated public override init() { super.init() }
}
