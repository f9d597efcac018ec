import Foundation
import GLibSupport
import OpenCombine
import OpenCombineFoundation

/// A run loop as publishers schedule on it: `RunLoop.main` in an app that GLib's loop runs. What other threads schedule
/// is carried out at once; Foundation's own scheduler would leave it lying until something else wakes the program.
public struct AwakeRunLoop: Scheduler {
    public typealias SchedulerTimeType = RunLoop.SchedulerTimeType
    public typealias SchedulerOptions = RunLoop.SchedulerOptions

    let runLoop: RunLoop

    public var now: SchedulerTimeType { runLoop.now }
    public var minimumTolerance: SchedulerTimeType.Stride { runLoop.minimumTolerance }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        runLoop.schedule(options: options, action)
        MainLoop.wake()
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        runLoop.schedule(after: date, tolerance: tolerance, options: options, action)
        MainLoop.wake()
    }

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
    public func receive(on scheduler: RunLoop, options: RunLoop.SchedulerOptions? = nil)
        -> Publishers.ReceiveOn<Self, AwakeRunLoop>
    {
        receive(on: AwakeRunLoop(runLoop: scheduler), options: options)
    }

    public func subscribe(on scheduler: RunLoop, options: RunLoop.SchedulerOptions? = nil)
        -> Publishers.SubscribeOn<Self, AwakeRunLoop>
    {
        subscribe(on: AwakeRunLoop(runLoop: scheduler), options: options)
    }

    public func debounce(
        for dueTime: RunLoop.SchedulerTimeType.Stride, scheduler: RunLoop, options: RunLoop.SchedulerOptions? = nil
    ) -> Publishers.Debounce<Self, AwakeRunLoop> {
        debounce(for: dueTime, scheduler: AwakeRunLoop(runLoop: scheduler), options: options)
    }

    public func throttle(
        for interval: RunLoop.SchedulerTimeType.Stride, scheduler: RunLoop, latest: Bool
    ) -> Publishers.Throttle<Self, AwakeRunLoop> {
        throttle(for: interval, scheduler: AwakeRunLoop(runLoop: scheduler), latest: latest)
    }

    public func delay(
        for interval: RunLoop.SchedulerTimeType.Stride, tolerance: RunLoop.SchedulerTimeType.Stride? = nil,
        scheduler: RunLoop,
        options: RunLoop.SchedulerOptions? = nil
    ) -> Publishers.Delay<Self, AwakeRunLoop> {
        delay(for: interval, tolerance: tolerance, scheduler: AwakeRunLoop(runLoop: scheduler), options: options)
    }

    public func timeout(
        _ interval: RunLoop.SchedulerTimeType.Stride, scheduler: RunLoop, options: RunLoop.SchedulerOptions? = nil,
        customError: (() -> Failure)? = nil
    ) -> Publishers.Timeout<Self, AwakeRunLoop> {
        timeout(interval, scheduler: AwakeRunLoop(runLoop: scheduler), options: options, customError: customError)
    }
}
