import Foundation
import GTK
import OpenCombine
import OpenCombineFoundation

/// A publisher that delivers the current date at a regular interval. `Timer.publish` returns it.
///
/// The timer first ticks one interval after it is connected. OpenCombine's own timer publisher also ticks when it is
/// connected, because Foundation's `Timer(timeInterval:)` does so on Linux; Apple's does not.
public final class RepeatingTimer: ConnectablePublisher {
    /// The date of each tick.
    public typealias Output = Date
    /// The publisher never fails.
    public typealias Failure = Never

    /// The time between two ticks, in seconds.
    public let interval: TimeInterval
    /// The maximum delay of a tick, in seconds; nil for the timer's default.
    public let tolerance: TimeInterval?
    /// The run loop on which the timer ticks.
    public let runLoop: RunLoop
    /// The mode of the run loop in which the timer ticks.
    public let mode: RunLoop.Mode
    private let ticks = PassthroughSubject<Date, Never>()

    /// Creates a timer that ticks after `connect()` or `autoconnect()`.
    /// - Parameters:
    ///   - interval: The time between two ticks, in seconds.
    ///   - tolerance: The maximum delay of a tick, in seconds; nil for the timer's default.
    ///   - runLoop: The run loop on which the timer ticks.
    ///   - mode: The mode of the run loop in which the timer ticks.
    public init(interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode) {
        self.interval = interval
        self.tolerance = tolerance
        self.runLoop = runLoop
        self.mode = mode
    }

    /// Subscribes to the ticks. The timer may be connected before or later.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
        ticks.receive(subscriber: subscriber)
    }

    /// Starts a timer whose first tick is `interval` seconds later. Each call starts a separate timer.
    /// - Returns: An object that stops this timer when it is canceled or released.
    public func connect() -> any Cancellable {
        // The subject is safe to hand over, because it has its own lock for the values that it receives.
        let subject = HandedOver(ticks)
        let timer = Timer(fire: Date(timeIntervalSinceNow: interval), interval: interval, repeats: true) { _ in
            subject.value.send(Date())
        }
        if let tolerance { timer.tolerance = tolerance }
        runLoop.add(timer, forMode: mode)
        MainLoop.wake()
        return AnyCancellable { timer.invalidate() }
    }
}

extension Timer {
    /// Returns a publisher of the current date at a regular interval. It starts with `connect()` or `autoconnect()`.
    /// - Parameters:
    ///   - interval: The time between two ticks, and before the first one, in seconds.
    ///   - runLoop: The run loop on which the timer ticks.
    ///   - mode: The mode of the run loop in which the timer ticks.
    public static func publish(every interval: TimeInterval, on runLoop: RunLoop, in mode: RunLoop.Mode)
        -> RepeatingTimer
    {
        RepeatingTimer(interval: interval, runLoop: runLoop, mode: mode)
    }
    /// Returns a publisher of the current date at a regular interval, with a tolerance. It starts with `connect()` or
    /// `autoconnect()`.
    /// - Parameters:
    ///   - interval: The time between two ticks, and before the first one, in seconds.
    ///   - tolerance: The maximum delay of a tick, in seconds; nil for the timer's default.
    ///   - runLoop: The run loop on which the timer ticks.
    ///   - mode: The mode of the run loop in which the timer ticks.
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval?, on runLoop: RunLoop, in mode: RunLoop.Mode
    ) -> RepeatingTimer {
        RepeatingTimer(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode)
    }
}
