import CGIO
import CGUPnP
import Foundation
import GTK

/// The reason why a renderer did not carry out a command.
package struct RendererError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Kind: Sendable, Equatable {
        /// The renderer answered with an error of this number (UPnP Device Architecture 1.0 §3.2.2; AVTransport:1
        /// §2.4).
        case refused(Int)
        /// No answer arrived in time.
        case silent
        /// The renderer is unreachable or does not support SOAP.
        case unreachable
    }
    package let kind: Kind
    package let reason: String
    package var description: String { reason }
}

/// A service of a device. GUPnP sends the calls on GLib's main loop, which is the main actor's.
@MainActor
package final class UPnPService {
    private let upnp: zu_calls
    private let proxy: UnsafeMutableRawPointer
    private let device: String

    /// Creates a service, or returns nil if the device has none of that type.
    init?(_ type: String, of device: UnsafeMutableRawPointer, named name: String) {
        guard let upnp = UPnPLibrary.calls?.pointee, let found = upnp.gupnp_device_info_get_service(device, type) else {
            return nil
        }
        (self.upnp, proxy) = (upnp, found)
        self.device = name
    }
    isolated deinit { g_object_unref(proxy) }

    @MainActor
    private final class Call {
        let continuation: CheckedContinuation<[String: String], any Error>
        let names: [String]
        let device: String
        let cancel: UnsafeMutablePointer<GCancellable>?
        var timer: LoopTimer?
        init(
            _ continuation: CheckedContinuation<[String: String], any Error>, _ names: [String], _ device: String,
            _ cancel: UnsafeMutablePointer<GCancellable>?
        ) {
            (self.continuation, self.names, self.device, self.cancel) = (continuation, names, device, cancel)
        }
    }

    /// Calls an action. Retries twice if the renderer is unreachable, because renderers often close a connection just
    /// before it is used again. Only call actions that may run more than once.
    ///
    /// - Parameters:
    ///   - answers: The names of the values to return. Each value is limited to 65,536 characters; missing values are
    ///     left out.
    ///   - seconds: The time to wait for the answer, limited to 0.01 … 60 s.
    /// - Throws: `RendererError`.
    func call(
        _ action: String, _ arguments: KeyValuePairs<String, String> = [:], answers: [String] = [], seconds: Double = 4
    ) async throws(RendererError) -> [String: String] {
        for pause in [50, 400] {
            do throws(RendererError) {
                return try await callOnce(action, arguments, answers: answers, seconds: seconds)
            } catch {
                guard error.kind == .unreachable else { throw error }
            }
            try? await Task.sleep(for: .milliseconds(pause))
        }
        return try await callOnce(action, arguments, answers: answers, seconds: seconds)
    }

    private func callOnce(
        _ action: String, _ arguments: KeyValuePairs<String, String>, answers: [String], seconds: Double
    ) async throws(RendererError) -> [String: String] {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                let cancel = g_cancellable_new()
                let call = Call(continuation, answers, device, cancel)
                let names = arguments.map { strdup($0.key) }
                let values = arguments.map { strdup($0.value) }
                defer { for text in names + values { free(text) } }
                let request = names.map { UnsafePointer($0) }.withUnsafeBufferPointer { names in
                    values.map { UnsafePointer($0) }.withUnsafeBufferPointer {
                        zu_action(UPnPLibrary.calls, action, names.baseAddress, $0.baseAddress, Int32($0.count))
                    }
                }
                let box = Unmanaged.passRetained(call).toOpaque()
                call.timer = LoopTimer(milliseconds: UInt32(min(max(seconds, 0.01), 60) * 1000)) { [weak call] in
                    if let call { g_cancellable_cancel(call.cancel) }
                    return false
                }
                upnp.gupnp_service_proxy_call_action_async(
                    proxy, request, cancel,
                    { source, result, box in
                        MainThread.run((source, result, box)) { source, result, box in
                            guard let box else { return }
                            let call = Unmanaged<Call>.fromOpaque(box).takeRetainedValue()
                            call.timer?.cancel()
                            if let cancel = call.cancel { g_object_unref(UnsafeMutableRawPointer(cancel)) }
                            call.continuation.resume(
                                with: UPnPService.answer(source.map { UnsafeMutableRawPointer($0) }, result, call))
                        }
                    }, box)
                upnp.gupnp_service_proxy_action_unref(request)
            }
        } catch {
            throw error as? RendererError ?? RendererError(kind: .unreachable, reason: "\(device): \(error)")
        }
    }

    private static func answer(_ proxy: UnsafeMutableRawPointer?, _ result: OpaquePointer?, _ call: Call) -> Result<
        [String: String], any Error
    > {
        var error: UnsafeMutablePointer<GError>?
        var texts: [String: String] = [:]
        if let upnp = UPnPLibrary.calls,
            let action = upnp.pointee.gupnp_service_proxy_call_action_finish(proxy, result, &error)
        {
            let names = call.names.map { strdup($0) }
            defer { for name in names { free(name) } }
            var values = [UnsafeMutablePointer<CChar>?](repeating: nil, count: names.count)
            names.map { UnsafePointer($0) }.withUnsafeBufferPointer { names in
                _ = values.withUnsafeMutableBufferPointer {
                    zu_results(upnp, action, names.baseAddress, $0.baseAddress, Int32($0.count), &error)
                }
            }
            for (name, value) in zip(call.names, values) {
                if let value { texts[name] = String(String(cString: value).prefix(65_536)) }
                g_free(value)
            }
        }
        guard let error else { return .success(texts) }
        defer { g_error_free(error) }
        let message = error.pointee.message.map { String(String(cString: $0).prefix(500)) } ?? ""
        let code = Int(zu_device_code(UPnPLibrary.calls, error))
        if code != 0 {
            return .failure(
                RendererError(
                    kind: .refused(code),
                    reason: "\(call.device) returned error \(code)" + (message.isEmpty ? "" : ": \(message)")))
        }
        if zu_is_cancelled(error) != 0 {
            return .failure(RendererError(kind: .silent, reason: "\(call.device) does not respond"))
        }
        return .failure(
            RendererError(
                kind: .unreachable, reason: "\(call.device) can't be reached" + (message.isEmpty ? "" : ": \(message)"))
        )
    }

    /// Returns the maximum volume from the device's description, or 100 if the description has none.
    func loudest() async -> Int {
        await withCheckedContinuation { continuation in
            final class Box {
                let continuation: CheckedContinuation<Int, Never>
                init(_ continuation: CheckedContinuation<Int, Never>) { self.continuation = continuation }
            }
            upnp.gupnp_service_info_introspect_async(
                proxy, nil,
                { source, result, box in
                    MainThread.run((source, result, box)) { source, result, box in
                        guard let box else { return }
                        let introspection = UPnPLibrary.calls?.pointee.gupnp_service_info_introspect_finish(
                            source.map { UnsafeMutableRawPointer($0) }, result, nil)
                        let maximum = introspection.map { zu_maximum_volume(UPnPLibrary.calls, $0) } ?? 0
                        if let introspection { g_object_unref(introspection) }
                        Unmanaged<Box>.fromOpaque(box).takeRetainedValue().continuation.resume(
                            returning: (1...65_535).contains(maximum) ? maximum : 100)
                    }
                }, Unmanaged.passRetained(Box(continuation)).toOpaque())
        }
    }
}
