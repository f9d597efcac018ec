import CGTK
import Foundation

/// Handlers of GObject signals that are taken off together, at the latest with this. Main actor.
@MainActor
final class Signals {
    private var connected: [(object: UnsafeMutableRawPointer, id: gulong, box: AnyObject)] = []

    private final class Box<Handler> {
        let handler: Handler
        init(_ handler: Handler) { self.handler = handler }
    }

    isolated deinit { disconnect() }

    func disconnect() {
        for signal in connected {
            g_signal_handler_disconnect(signal.object, signal.id)
            g_object_unref(signal.object)
        }
        connected = []
    }

    private func connect<Handler>(
        _ object: UnsafeMutableRawPointer, _ signal: String, _ handler: Handler, _ call: GCallback
    ) {
        let box = Box(handler)
        g_object_ref(object)
        connected.append(
            (
                object,
                g_signal_connect_data(
                    object, signal, call, Unmanaged.passUnretained(box).toOpaque(), nil, GConnectFlags(0)), box
            ))
    }

    private static func handler<Handler>(_ raw: UnsafeMutableRawPointer?, _ type: Handler.Type) -> Handler? {
        raw.map { Unmanaged<Box<Handler>>.fromOpaque($0).takeUnretainedValue().handler }
    }

    typealias Plain = @MainActor () -> Void
    typealias Answer = @MainActor () -> Bool
    typealias Point = @MainActor (Double, Double) -> Void
    typealias Raw = @MainActor (UnsafeMutableRawPointer) -> Void
    typealias Click = @MainActor (Int) -> Void
    typealias Key = @MainActor (Int32) -> Bool

    /// A signal without arguments: "clicked", "map", "leave".
    func on(_ object: UnsafeMutableRawPointer, _ signal: String, _ handler: @escaping Plain) {
        let call: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = { _, me in
            nonisolated(unsafe) let me = me
            MainActor.assumeIsolated { Signals.handler(me, Plain.self)?() }
        }
        connect(object, signal, handler, unsafeBitCast(call, to: GCallback.self))
    }

    /// A change of a property, which comes with a description of it.
    func onNotify(_ object: UnsafeMutableRawPointer, _ property: String, _ handler: @escaping Plain) {
        let call:
            @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = {
                _, _, me in
                nonisolated(unsafe) let me = me
                MainActor.assumeIsolated { Signals.handler(me, Plain.self)?() }
            }
        connect(object, "notify::" + property, handler, unsafeBitCast(call, to: GCallback.self))
    }

    /// "close-request": true keeps GTK from going on.
    func onRequest(_ object: UnsafeMutableRawPointer, _ signal: String, _ handler: @escaping Answer) {
        let call: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> gboolean = { _, me in
            nonisolated(unsafe) let me = me
            return MainActor.assumeIsolated { Signals.handler(me, Answer.self)?() ?? false } ? 1 : 0
        }
        connect(object, signal, handler, unsafeBitCast(call, to: GCallback.self))
    }

    /// "motion", "enter", "drag-begin", "drag-update", "drag-end": two numbers.
    func onPoint(_ object: UnsafeMutableRawPointer, _ signal: String, _ handler: @escaping Point) {
        let call: @convention(c) (UnsafeMutableRawPointer?, gdouble, gdouble, UnsafeMutableRawPointer?) -> Void = {
            _, x, y, me in
            nonisolated(unsafe) let me = me
            MainActor.assumeIsolated { Signals.handler(me, Point.self)?(x, y) }
        }
        connect(object, signal, handler, unsafeBitCast(call, to: GCallback.self))
    }

    /// A surface's "layout": its new size.
    func onLayout(_ object: UnsafeMutableRawPointer, _ handler: @escaping Plain) {
        let call: @convention(c) (UnsafeMutableRawPointer?, gint, gint, UnsafeMutableRawPointer?) -> Void = {
            _, _, _, me in
            nonisolated(unsafe) let me = me
            MainActor.assumeIsolated { Signals.handler(me, Plain.self)?() }
        }
        connect(object, "layout", handler, unsafeBitCast(call, to: GCallback.self))
    }

    /// A display's "xevent": what X sent, before GDK makes something of it, which it does in any case.
    func onXEvent(_ object: UnsafeMutableRawPointer, _ handler: @escaping Raw) {
        let call:
            @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> gboolean =
                { _, event, me in
                    nonisolated(unsafe) let (event, me) = (event, me)
                    MainActor.assumeIsolated { if let event { Signals.handler(me, Raw.self)?(event) } }
                    return 0
                }
        connect(object, "xevent", handler, unsafeBitCast(call, to: GCallback.self))
    }

    /// A click's "pressed": how many.
    func onClick(_ object: UnsafeMutableRawPointer, _ handler: @escaping Click) {
        let call: @convention(c) (UnsafeMutableRawPointer?, gint, gdouble, gdouble, UnsafeMutableRawPointer?) -> Void =
            { _, count, _, _, me in
                nonisolated(unsafe) let me = me
                MainActor.assumeIsolated { Signals.handler(me, Click.self)?(Int(count)) }
            }
        connect(object, "pressed", handler, unsafeBitCast(call, to: GCallback.self))
    }

    /// "key-pressed", by key symbol: true when the key was for us.
    func onKey(_ object: UnsafeMutableRawPointer, _ handler: @escaping Key) {
        let call:
            @convention(c) (UnsafeMutableRawPointer?, guint, guint, GdkModifierType, UnsafeMutableRawPointer?) ->
                gboolean = { _, key, _, _, me in
                    nonisolated(unsafe) let me = me
                    return MainActor.assumeIsolated { Signals.handler(me, Key.self)?(Int32(bitPattern: key)) ?? false }
                        ? 1 : 0
                }
        connect(object, "key-pressed", handler, unsafeBitCast(call, to: GCallback.self))
    }
}
