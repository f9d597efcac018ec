import Foundation
import GTK
import OpenCombine
import OpenCombineFoundation

/// A scheduler for a run loop that GLib's main loop drives, such as `RunLoop.main` in an app.
///
/// Work that another thread schedules wakes the main loop and runs without delay. With Foundation's own scheduler, the
/// work would wait until another event wakes the main loop.
public struct AwakeRunLoop: Scheduler {
    /// The run loop's time type, which contains a date.
    public typealias SchedulerTimeType = RunLoop.SchedulerTimeType
    /// The run loop's options. There are none.
    public typealias SchedulerOptions = RunLoop.SchedulerOptions

    let runLoop: RunLoop

    /// The current date.
    public var now: SchedulerTimeType { runLoop.now }
    /// The minimum tolerance of the run loop.
    public var minimumTolerance: SchedulerTimeType.Stride { runLoop.minimumTolerance }

    /// Runs `action` in the next iteration of the run loop, and wakes GLib's main loop for it. Any thread.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        runLoop.schedule(options: options, action)
        MainLoop.wake()
    }

    /// Runs `action` once at `date`, and wakes GLib's main loop so that it waits for that date.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        runLoop.schedule(after: date, tolerance: tolerance, options: options, action)
        MainLoop.wake()
    }

    /// Runs `action` at `date` and after every `interval` from then on.
    /// - Returns: An object that ends the calls when it is canceled or released.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        defer { MainLoop.wake() }
        return runLoop.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
    }
}

/// Combine's operators for a run loop. The compiler prefers them to OpenCombine's operators for any scheduler.
extension Publisher {
    /// Delivers values on `scheduler`. With `RunLoop.main`, values that another thread sends arrive on the main actor
    /// without delay.
    public func receive(on scheduler: RunLoop, options: RunLoop.SchedulerOptions? = nil)
        -> Publishers.ReceiveOn<Self, AwakeRunLoop>
    {
        receive(on: AwakeRunLoop(runLoop: scheduler), options: options)
    }

    /// Performs subscriptions, requests and cancellations on `scheduler`.
    public func subscribe(on scheduler: RunLoop, options: RunLoop.SchedulerOptions? = nil)
        -> Publishers.SubscribeOn<Self, AwakeRunLoop>
    {
        subscribe(on: AwakeRunLoop(runLoop: scheduler), options: options)
    }

    /// Delivers a value when no other value has followed it for `dueTime`.
    public func debounce(
        for dueTime: RunLoop.SchedulerTimeType.Stride, scheduler: RunLoop, options: RunLoop.SchedulerOptions? = nil
    ) -> Publishers.Debounce<Self, AwakeRunLoop> {
        debounce(for: dueTime, scheduler: AwakeRunLoop(runLoop: scheduler), options: options)
    }

    /// Delivers at most one value in each `interval`.
    /// - Parameters:
    ///   - interval: The length of the intervals.
    ///   - scheduler: The run loop on which values are delivered.
    ///   - latest: Whether the newest value of an interval is delivered. If false, the first value is delivered.
    public func throttle(
        for interval: RunLoop.SchedulerTimeType.Stride, scheduler: RunLoop, latest: Bool
    ) -> Publishers.Throttle<Self, AwakeRunLoop> {
        throttle(for: interval, scheduler: AwakeRunLoop(runLoop: scheduler), latest: latest)
    }

    /// Delivers values and the completion on `scheduler`, delayed by `interval`.
    public func delay(
        for interval: RunLoop.SchedulerTimeType.Stride, tolerance: RunLoop.SchedulerTimeType.Stride? = nil,
        scheduler: RunLoop,
        options: RunLoop.SchedulerOptions? = nil
    ) -> Publishers.Delay<Self, AwakeRunLoop> {
        delay(for: interval, tolerance: tolerance, scheduler: AwakeRunLoop(runLoop: scheduler), options: options)
    }

    /// Ends the subscription when `interval` passes without a value.
    /// - Parameters:
    ///   - interval: The maximum time between two values.
    ///   - scheduler: The run loop on which values are delivered.
    ///   - options: The options of the run loop; nil for its defaults.
    ///   - customError: Returns the error with which the subscription fails. If it is nil, the subscription finishes.
    public func timeout(
        _ interval: RunLoop.SchedulerTimeType.Stride, scheduler: RunLoop, options: RunLoop.SchedulerOptions? = nil,
        customError: (() -> Failure)? = nil
    ) -> Publishers.Timeout<Self, AwakeRunLoop> {
        timeout(interval, scheduler: AwakeRunLoop(runLoop: scheduler), options: options, customError: customError)
    }
}
