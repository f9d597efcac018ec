import Foundation

/// A namespace for calls to the main actor from code that apps may run on any thread.
package enum MainActorQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the caller is on the main actor. Any thread.
    ///
    /// Apps in Swift 5 mode can call functions of the main actor on any thread, as on Apple's platforms.
    package static var isCurrent: Bool {
        // In a program without GLib's main loop, libdispatch may drain the main queue on any thread.
        Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true
    }

    /// Runs `body` on the main actor and returns its result: at once if the caller is already there, or else when the
    /// main queue reaches it, which the caller waits for. Any thread.
    package static func sync<Value, Failure: Error>(
        _ body: @MainActor () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = isCurrent ? onMainActor(body) : DispatchQueue.main.sync { onMainActor(body) }
        return try result.value.get()
    }
    private static func onMainActor<Value, Failure: Error>(
        _ body: @MainActor () throws(Failure) -> Value
    ) -> HandedOver<Result<Value, Failure>> {
        MainActor.assumeIsolated { HandedOver(Result { () throws(Failure) in try body() }) }
    }
}
