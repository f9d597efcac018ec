import Zoetrope

/// A timer that calls an action later on the main actor. All delays of the services use it.
///
/// A test can replace it to control the time: `context.withDependency(\.timer) { myTimer }`.
public struct MainTimer: Sendable {
    private let start: @MainActor (TimeInterval, @escaping @MainActor () -> Void) -> AnyCancellable

    /// Creates a timer.
    /// - Parameter start: Calls an action once after a number of seconds, from 0 to a year, unless the returned object
    ///   has been canceled or released.
    public init(_ start: @escaping @MainActor (TimeInterval, @escaping @MainActor () -> Void) -> AnyCancellable) {
        self.start = start
    }

    /// The timer of the main queue.
    public static let main = MainTimer { seconds, action in
        let work = DispatchWorkItem { MainActor.assumeIsolated(action) }
        DispatchQueue.main.asyncAfter(deadline: .now() + seconds, execute: work)
        return AnyCancellable { work.cancel() }
    }

    /// Calls an action once after a delay.
    ///
    /// ```swift
    /// @Dependency(\.timer) private var timer
    /// private var hint: AnyCancellable?
    ///
    /// func showHintLater() {
    ///     hint = timer.after(3) { [weak self] in self?.context?.toast.toast("Double tap to enter full screen") }
    /// }
    /// ```
    /// - Parameters:
    ///   - seconds: The delay in seconds. A value below 0, and NaN, counts as 0; more than a year counts as a year.
    ///   - action: The action, which is called on the main actor.
    /// - Returns: An object that prevents the call when it is canceled or released.
    @MainActor
    public func after(_ seconds: TimeInterval, _ action: @escaping @MainActor () -> Void) -> AnyCancellable {
        start(seconds.isNaN ? 0 : min(max(0, seconds), 365 * 86_400), action)
    }
}

extension DependencyValues {
    /// The timer of the services. Default: the main queue.
    public var timer: MainTimer { .main }
}
