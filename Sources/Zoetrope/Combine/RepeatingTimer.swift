import Foundation
import GTK
import OpenCombine
import OpenCombineFoundation

/// The date, each time `interval` has passed since it was connected. What `Timer.publish` gives.
///
/// OpenCombine's own ticks the first time at once, because Foundation's `Timer(timeInterval:)` does so on Linux;
/// Apple's does not.
public final class RepeatingTimer: ConnectablePublisher {
    /// What it gives: the date of each tick.
    public typealias Output = Date
    /// It never fails.
    public typealias Failure = Never

    /// Seconds.
    public let interval: TimeInterval
    /// Seconds a tick may come late.
    public let tolerance: TimeInterval?
    /// Where it ticks.
    public let runLoop: RunLoop
    /// The mode of that run loop in which it ticks.
    public let mode: RunLoop.Mode
    private let ticks = PassthroughSubject<Date, Never>()

    /// Does not tick before `connect()` or `autoconnect()`; both times are seconds.
    public init(interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode) {
        self.interval = interval
        self.tolerance = tolerance
        self.runLoop = runLoop
        self.mode = mode
    }

    /// Subscribes to the ticks, whether it is connected or not.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
        ticks.receive(subscriber: subscriber)
    }

    /// Begins to tick, first in `interval` seconds, until what is returned is cancelled or released. Each call is a
    /// timer of its own.
    public func connect() -> any Cancellable {
        // A subject takes its values under a lock of its own.
        let told = HandedOver(ticks)
        let timer = Timer(fire: Date(timeIntervalSinceNow: interval), interval: interval, repeats: true) { _ in
            told.value.send(Date())
        }
        if let tolerance { timer.tolerance = tolerance }
        runLoop.add(timer, forMode: mode)
        MainLoop.wake()
        return AnyCancellable { timer.invalidate() }
    }
}

extension Timer {
    /// The date, every `interval` seconds, first when one has passed; begins with `connect()` or `autoconnect()`.
    public static func publish(every interval: TimeInterval, on runLoop: RunLoop, in mode: RunLoop.Mode)
        -> RepeatingTimer
    {
        RepeatingTimer(interval: interval, runLoop: runLoop, mode: mode)
    }
    /// - Parameter tolerance: seconds a tick may come late.
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval?, on runLoop: RunLoop, in mode: RunLoop.Mode
    ) -> RepeatingTimer {
        RepeatingTimer(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode)
    }
}
