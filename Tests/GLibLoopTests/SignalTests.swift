import CGIO
import Testing

@testable import GLibLoop

/// Tests of signals of real GIO objects, and of timers in GLib's main loop.
@Suite("GLib signals")
@MainActor
struct SignalTests {
    /// An object that a closure retains, whose release the test observes.
    private final class Held {}

    private func store() throws -> OpaquePointer {
        try #require(g_list_store_new(g_cancellable_get_type()))
    }
    private func append(_ store: OpaquePointer) {
        let item = g_cancellable_new()
        g_list_store_append(store, item)
        if let item { g_object_unref(item) }
    }
    private func unref(_ object: OpaquePointer) { g_object_unref(UnsafeMutableRawPointer(object)) }

    @Test("a handler receives as many of the signal's arguments as it declares")
    func arguments() throws {
        let store = try store()
        defer { unref(store) }
        var seen: [[UInt32]] = []
        let signals = Signals()
        signals.on(store, "items-changed") { (place: UInt32, removed: UInt32, added: UInt32) in
            seen.append([place, removed, added])
        }
        signals.on(store, "items-changed") { (place: UInt32) in seen.append([place]) }
        signals.on(store, "items-changed") { seen.append([]) }
        append(store)
        append(store)
        g_list_store_remove(store, 0)
        #expect(seen == [[0, 0, 1], [0], [], [1, 0, 1], [1], [], [0, 1, 0], [0], []])
    }

    @Test("a handler's result becomes the signal's result")
    func answer() throws {
        let service = try #require(g_socket_service_new())
        defer { g_object_unref(service) }
        let cancellable = try #require(g_cancellable_new())
        defer { g_object_unref(cancellable) }
        var source: OpaquePointer?
        let signals = Signals()
        signals.answer(service, "incoming") { (_: OpaquePointer?, object: OpaquePointer?) in
            source = object
            return true
        }
        var values = [GValue](repeating: GValue(), count: 3)
        g_value_init(&values[0], g_socket_service_get_type())
        g_value_set_object(&values[0], service)
        g_value_init(&values[1], g_socket_connection_get_type())
        g_value_init(&values[2], FundamentalType.object)
        g_value_set_object(&values[2], cancellable)
        var answer = GValue()
        g_value_init(&answer, FundamentalType.boolean)
        g_signal_emitv(&values, g_signal_lookup("incoming", g_socket_service_get_type()), 0, &answer)
        for index in values.indices { g_value_unset(&values[index]) }
        #expect(g_value_get_boolean(&answer) != 0)
        #expect(source == OpaquePointer(cancellable))
    }

    @Test("a handler with a detail is called once per change")
    func detail() throws {
        let action = try #require(g_simple_action_new("act", nil))
        defer { unref(action) }
        var told = 0
        let connection = SignalConnection(action, "notify::enabled") { told += 1 }
        g_simple_action_set_enabled(action, 0)
        g_simple_action_set_enabled(action, 0)
        #expect(told == 1)
        connection.disconnect()
        g_simple_action_set_enabled(action, 1)
        #expect(told == 1)
    }

    @Test("a silenced connection drops its signals")
    func silence() throws {
        let store = try store()
        defer { unref(store) }
        var told = 0
        let connection = SignalConnection(store, "items-changed") { told += 1 }
        connection.isSilent = true
        append(store)
        #expect(told == 0)
        connection.isSilent = false
        append(store)
        #expect(told == 1)
    }

    @Test("a handler is freed with its connection or its object")
    func freed() throws {
        let store = try store()
        weak var first: Held?
        weak var second: Held?
        weak var third: Held?
        func connect(_ held: Held) -> SignalConnection {
            SignalConnection(store, "items-changed") { withExtendedLifetime(held) {} }
        }
        var dropped: SignalConnection?
        let disconnected: SignalConnection
        let orphan: SignalConnection
        do {
            let (a, b, c) = (Held(), Held(), Held())
            (first, second, third) = (a, b, c)
            (disconnected, dropped, orphan) = (connect(a), connect(b), connect(c))
        }
        #expect(first != nil && second != nil && third != nil && dropped != nil)
        disconnected.disconnect()
        #expect(first == nil && second != nil)
        dropped = nil
        #expect(second == nil && third != nil)
        unref(store)
        #expect(third == nil)
        // Both calls may be repeated, even after the object is released.
        orphan.isSilent = true
        orphan.disconnect()
        disconnected.disconnect()
    }

    @Test("a handler may end its own connection")
    func withinHandler() throws {
        let store = try store()
        defer { unref(store) }
        var told = 0
        var connection: SignalConnection?
        connection = SignalConnection(store, "items-changed") {
            told += 1
            connection = nil
        }
        append(store)
        append(store)
        #expect(told == 1 && connection == nil)
    }

    @Test("a timer runs until done or cancelled, then frees its handler")
    func timer() {
        weak var gone: Held?
        var turns = 0
        var timer: LoopTimer?
        do {
            let held = Held()
            gone = held
            timer = LoopTimer(milliseconds: 1) {
                withExtendedLifetime(held) { turns += 1 }
                return turns < 3
            }
        }
        while gone != nil { g_main_context_iteration(nil, 1) }
        #expect(turns == 3 && timer != nil)
        timer = LoopTimer(milliseconds: 0) {
            turns += 1
            return true
        }
        timer?.cancel()
        timer = nil
        while g_main_context_iteration(nil, 0) != 0 {}
        #expect(turns == 3)
    }
}
