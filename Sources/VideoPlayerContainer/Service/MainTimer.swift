import Zoetrope

/// Calls back later on the main actor: what the services' own delays run by. Replaceable, so that tests hold time:
/// `context.withDependency(\.timer) { myTimer }`.
public struct MainTimer: Sendable {
    private let start: @MainActor (TimeInterval, @escaping @MainActor () -> Void) -> AnyCancellable

    /// - Parameter start: calls an action once after so many seconds (0 to a year), unless what it returns has been
    ///   cancelled or let go.
    public init(_ start: @escaping @MainActor (TimeInterval, @escaping @MainActor () -> Void) -> AnyCancellable) {
        self.start = start
    }

    /// The main queue's time.
    public static let main = MainTimer { seconds, action in
        let work = DispatchWorkItem { MainActor.assumeIsolated(action) }
        DispatchQueue.main.asyncAfter(deadline: .now() + seconds, execute: work)
        return AnyCancellable { work.cancel() }
    }

    /// - Parameter seconds: below 0 and NaN count as 0, more than a year as a year.
    @MainActor
    public func after(_ seconds: TimeInterval, _ action: @escaping @MainActor () -> Void) -> AnyCancellable {
        start(seconds.isNaN ? 0 : min(max(0, seconds), 365 * 86_400), action)
    }
}

extension DependencyValues {
    /// What delays run by. Default: the main queue.
    public var timer: MainTimer { .main }
}
