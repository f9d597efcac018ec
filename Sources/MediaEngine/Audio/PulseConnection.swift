import CPulse
import Foundation
import MediaCore
import Synchronization

/// The process's connection to the audio server: one thread and one context for all outputs.
///
/// The connection object exists while a device uses it. After the server has ended, the object connects again, with
/// increasing delays from 0.5 s to 5 s.
final class PulseConnection: @unchecked Sendable {
    // All mutable state is guarded by the lock of the threaded main loop (`locked`), which libpulse also holds during
    // callbacks. `sinkMask` is atomic, so it can be read without the lock.
    private let mainloop: OpaquePointer
    /// The current context. Even a failed context is kept until the next one replaces it, because timers depend on it.
    private var context: OpaquePointer?
    private let server: String?
    private(set) var isReady = false
    private var retry: OpaquePointer?
    private var delay: Double = 0.5
    /// The outputs, kept until they close, because libpulse's callbacks have unowned pointers to them.
    private var outputs: [ObjectIdentifier: AudioOutput] = [:]
    private let sinkMask = Atomic<UInt64>(0)
    private let hasResponse = Atomic<Bool>(false)

    // MARK: sharing

    private struct Shared {
        var connection: PulseConnection
        var users: Int
    }
    private static let registry = Mutex<[String: Shared]>([:])

    static func acquire(server: String?) -> PulseConnection? {
        registry.withLock { all in
            if var found = all[server ?? ""] {
                found.users += 1
                all[server ?? ""] = found
                return found.connection
            }
            guard let fresh = PulseConnection(server: server) else { return nil }
            all[server ?? ""] = Shared(connection: fresh, users: 1)
            return fresh
        }
    }

    static func release(_ connection: PulseConnection) {
        let last = registry.withLock { all -> PulseConnection? in
            let key = connection.server ?? ""
            guard var found = all[key] else { return nil }
            found.users -= 1
            all[key] = found.users > 0 ? found : nil
            return found.users > 0 ? nil : found.connection
        }
        guard let last else { return }
        // An event handler on libpulse's own thread may release the last player. That thread cannot wait for its own
        // end.
        if pa_threaded_mainloop_in_thread(last.mainloop) != 0 {
            WorkerThread.detached(name: "zt-pulse-end") { last.shutDown() }
        } else {
            last.shutDown()
        }
    }

    private init?(server: String?) {
        guard let loop = pa_threaded_mainloop_new() else { return nil }
        mainloop = loop
        self.server = server
        pa_threaded_mainloop_set_name(loop, "zt-pulse")
        guard pa_threaded_mainloop_start(loop) >= 0 else {
            pa_threaded_mainloop_free(loop)
            return nil
        }
        locked { connect() }
    }

    private func shutDown() {
        locked {
            if let retry { freeTimer(retry) }
            retry = nil
            disconnect()
            if let context { pa_context_unref(context) }
            context = nil
        }
        pa_threaded_mainloop_stop(mainloop)
        pa_threaded_mainloop_free(mainloop)
    }

    /// Runs `body` with libpulse's lock held. Nested calls are allowed only on libpulse's own thread.
    func locked<T>(_ body: () -> T) -> T {
        if pa_threaded_mainloop_in_thread(mainloop) != 0 { return body() }
        pa_threaded_mainloop_lock(mainloop)
        defer { pa_threaded_mainloop_unlock(mainloop) }
        return body()
    }

    // MARK: connecting (all with the lock held)

    private func connect() {
        let api = pa_threaded_mainloop_get_api(mainloop)
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        pa_proplist_sets(properties, PA_PROP_APPLICATION_NAME, AudioIdentity.name)
        pa_proplist_sets(properties, PA_PROP_APPLICATION_ICON_NAME, AudioIdentity.iconName)
        pa_proplist_sets(properties, PA_PROP_APPLICATION_ID, AudioIdentity.identifier)
        guard let fresh = pa_context_new_with_proplist(api, AudioIdentity.name, properties) else { return retryLater() }
        if let context { pa_context_unref(context) }
        context = fresh
        pa_context_set_state_callback(
            fresh,
            { _, user in
                guard let user else { return }
                Unmanaged<PulseConnection>.fromOpaque(user).takeUnretainedValue().stateChanged()
            }, Unmanaged.passUnretained(self).toOpaque())
        // The state callback may have handled an immediate failure already. In that case `retry` is set.
        if pa_context_connect(fresh, server, PA_CONTEXT_NOAUTOSPAWN, nil) < 0, retry == nil {
            disconnect()
            retryLater()
        }
    }

    private func stateChanged() {
        guard let context else { return }
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY:
            // The priority is raised here because this callback runs on libpulse's own thread, and only after the
            // server has responded.
            ThreadUrgency.raiseToRealTime()
            delay = 0.5
            isReady = true
            requestSink()
            let userData = Unmanaged.passUnretained(self).toOpaque()
            pa_context_set_subscribe_callback(
                context,
                { _, _, _, user in
                    guard let user else { return }
                    Unmanaged<PulseConnection>.fromOpaque(user).takeUnretainedValue().requestSink()
                }, userData)
            if let o = pa_context_subscribe(context, PA_SUBSCRIPTION_MASK_SERVER, nil, nil) { pa_operation_unref(o) }
            for output in Array(outputs.values) { output.serverDidConnect(context) }
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED:
            hasResponse.store(true, ordering: .releasing)
            isReady = false
            disconnect()
            for output in Array(outputs.values) { output.serverDidDisconnect() }
            retryLater()
        default: break
        }
    }

    private func disconnect() {
        isReady = false
        guard let context else { return }
        pa_context_set_state_callback(context, nil, nil)
        pa_context_set_subscribe_callback(context, nil, nil)
        pa_context_disconnect(context)
    }

    private func retryLater() {
        hasResponse.store(true, ordering: .releasing)
        guard retry == nil else { return }
        let wait = delay
        delay = min(delay * 2, 5)
        retry = newTimer(at: HostTime.now() + Int64(wait * 1e9), user: Unmanaged.passUnretained(self).toOpaque()) {
            _, _, _, user in
            guard let user else { return }
            let connection = Unmanaged<PulseConnection>.fromOpaque(user).takeUnretainedValue()
            if let retry = connection.retry { connection.freeTimer(retry) }
            connection.retry = nil
            connection.connect()
        }
    }

    // MARK: timers, on the monotonic clock (with the lock held)

    /// Creates a timer.
    ///
    /// - Parameter hostTime: The time at which it fires; `nil` to set it later.
    func newTimer(at hostTime: HostTime?, user: UnsafeMutableRawPointer, _ body: @escaping pa_time_event_cb_t)
        -> OpaquePointer?
    {
        if let context { return pa_context_rttime_new(context, PulseConnection.microseconds(hostTime), body, user) }
        // Without a context, only libpulse's wall clock is available. This happens only when memory is exhausted.
        let api = pa_threaded_mainloop_get_api(mainloop)
        var when = timeval()
        pa_gettimeofday(&when)
        pa_timeval_add(&when, 500_000)
        return api?.pointee.time_new(api, &when, body, user)
    }

    func setTimer(_ timer: OpaquePointer, at hostTime: HostTime?) {
        guard let context else { return }
        pa_context_rttime_restart(context, timer, PulseConnection.microseconds(hostTime))
    }

    func freeTimer(_ timer: OpaquePointer) { pa_threaded_mainloop_get_api(mainloop).pointee.time_free(timer) }

    /// Converts a host time to microseconds of libpulse's clock; `nil` becomes PA_USEC_INVALID, which means never.
    private static func microseconds(_ hostTime: HostTime?) -> pa_usec_t {
        hostTime.map { pa_usec_t(max(0, HostClock.machineTime($0.nanoseconds)) / 1000) } ?? pa_usec_t.max
    }

    // MARK: the default device

    private func requestSink() {
        guard let context,
            let o = pa_context_get_sink_info_by_name(
                context, "@DEFAULT_SINK@",
                { _, info, end, user in
                    guard let user else { return }
                    let connection = Unmanaged<PulseConnection>.fromOpaque(user).takeUnretainedValue()
                    if end == 0, let info {
                        connection.sinkMask.store(PulseChannels.mask(info.pointee.channel_map), ordering: .releasing)
                    }
                    connection.hasResponse.store(true, ordering: .releasing)
                }, Unmanaged.passUnretained(self).toOpaque())
        else { return }
        pa_operation_unref(o)
    }

    /// Returns the channels of the default device; `nil` if there is no server or it does not respond within 250 ms.
    func deviceMask() -> UInt64? {
        let deadline = HostTime.now() + 250_000_000
        while !hasResponse.load(ordering: .acquiring), HostTime.now() < deadline { usleep(1000) }
        let mask = sinkMask.load(ordering: .acquiring)
        return mask == 0 ? nil : mask
    }

    // MARK: outputs (with the lock held)

    func add(_ output: AudioOutput) {
        outputs[ObjectIdentifier(output)] = output
        if isReady, let context { output.serverDidConnect(context) }
    }

    func remove(_ output: AudioOutput) { outputs[ObjectIdentifier(output)] = nil }

    /// The context while it is connected, for an output that lost its stream but not the server.
    var readyContext: OpaquePointer? { isReady ? context : nil }
}

extension AVError {
    static let noAudioServer = AVError(
        .operationNotSupported, at: "", reason: "no audio server can be reached, so the audio is not heard",
        suggestion: "Start PipeWire with pipewire-pulse, or PulseAudio, or set PULSE_SERVER to the server's address")
}
