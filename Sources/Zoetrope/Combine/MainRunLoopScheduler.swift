import Foundation
import GTK
import OpenCombine
import OpenCombineFoundation

/// A run loop as publishers schedule on it: `RunLoop.main` in an app that GLib's loop runs. What other threads schedule
/// is carried out at once; Foundation's own scheduler would leave it lying until something else wakes the program.
public struct AwakeRunLoop: Scheduler {
    /// The run loop's own times, dates.
    public typealias SchedulerTimeType = RunLoop.SchedulerTimeType
    /// The run loop's own options, of which there are none.
    public typealias SchedulerOptions = RunLoop.SchedulerOptions

    let runLoop: RunLoop

    /// The present date.
    public var now: SchedulerTimeType { runLoop.now }
    /// The run loop's own least tolerance.
    public var minimumTolerance: SchedulerTimeType.Stride { runLoop.minimumTolerance }

    /// Carries `action` out on the run loop's next turn, and wakes GLib's main loop for it. Any thread.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        runLoop.schedule(options: options, action)
        MainLoop.wake()
    }

    /// Carries `action` out once when `date` has come, and wakes GLib's main loop to wait for that.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        runLoop.schedule(after: date, tolerance: tolerance, options: options, action)
        MainLoop.wake()
    }

    /// Carries `action` out at `date` and every `interval` from then on, until what is returned is cancelled or
    /// released.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        defer { MainLoop.wake() }
        return runLoop.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
    }
}

/// Combine's operators for a run loop; preferred to OpenCombine's for any scheduler.
extension Publisher {
    /// Values come on `scheduler`; with `RunLoop.main` on the main actor, at once also when another thread sends them.
    public func receive(on scheduler: RunLoop, options: RunLoop.SchedulerOptions? = nil)
        -> Publishers.ReceiveOn<Self, AwakeRunLoop>
    {
        receive(on: AwakeRunLoop(runLoop: scheduler), options: options)
    }

    /// Subscriptions, demands and cancellations are passed on upstream on `scheduler`.
    public func subscribe(on scheduler: RunLoop, options: RunLoop.SchedulerOptions? = nil)
        -> Publishers.SubscribeOn<Self, AwakeRunLoop>
    {
        subscribe(on: AwakeRunLoop(runLoop: scheduler), options: options)
    }

    /// Gives a value when `dueTime` has passed without another.
    public func debounce(
        for dueTime: RunLoop.SchedulerTimeType.Stride, scheduler: RunLoop, options: RunLoop.SchedulerOptions? = nil
    ) -> Publishers.Debounce<Self, AwakeRunLoop> {
        debounce(for: dueTime, scheduler: AwakeRunLoop(runLoop: scheduler), options: options)
    }

    /// Gives at most one value in each `interval`: with `latest` its newest, else its first.
    public func throttle(
        for interval: RunLoop.SchedulerTimeType.Stride, scheduler: RunLoop, latest: Bool
    ) -> Publishers.Throttle<Self, AwakeRunLoop> {
        throttle(for: interval, scheduler: AwakeRunLoop(runLoop: scheduler), latest: latest)
    }

    /// Gives values and the completion later by `interval`, on `scheduler`.
    public func delay(
        for interval: RunLoop.SchedulerTimeType.Stride, tolerance: RunLoop.SchedulerTimeType.Stride? = nil,
        scheduler: RunLoop,
        options: RunLoop.SchedulerOptions? = nil
    ) -> Publishers.Delay<Self, AwakeRunLoop> {
        delay(for: interval, tolerance: tolerance, scheduler: AwakeRunLoop(runLoop: scheduler), options: options)
    }

    /// Ends when `interval` passes without a value: with `customError`'s error, without it as finished.
    public func timeout(
        _ interval: RunLoop.SchedulerTimeType.Stride, scheduler: RunLoop, options: RunLoop.SchedulerOptions? = nil,
        customError: (() -> Failure)? = nil
    ) -> Publishers.Timeout<Self, AwakeRunLoop> {
        timeout(interval, scheduler: AwakeRunLoop(runLoop: scheduler), options: options, customError: customError)
    }
}
