import Foundation
import Testing

/// A mocked service on a private bus, provided by python3-dbusmock. It runs the given Python code for each method and
/// logs each call.
public final class DBusMock: @unchecked Sendable {
    // Only one test at a time uses an instance.
    private let bus: PrivateSessionBus, name: String, path: String, interface: String
    private let process: ChildProcess, log: URL
    public struct Failure: Error { let what: String }

    /// Starts the service and waits until it owns its name.
    /// - Parameter interface: The interface of the object at `path`; nil if the interface equals the name.
    public init(_ name: String, at path: String, interface: String? = nil, on bus: PrivateSessionBus) async throws {
        (self.bus, self.name, self.path, self.interface) = (bus, name, path, interface ?? name)
        let log = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-dbusmock-\(UUID().uuidString.prefix(8))")
        self.log = log
        // Debian's modules require Debian's Python.
        process = try bus.start(
            "/usr/bin/python3", ["-m", "dbusmock", "--session", "-l", log.path, name, path, interface ?? name],
            output: "/dev/null")
        let isThere = try await eventually("python3-dbusmock as \(name)", while: { process.exitCode == nil }) {
            try await bus.run("gdbus", ["wait", "--session", "--timeout", "1", name]).code == 0
        }
        if !isThere { throw Failure(what: "python3-dbusmock did not come as \(name); it \(process.state)") }
    }
    deinit {
        process.send(SIGKILL)
        process.wait(seconds: 5)
        try? FileManager.default.removeItem(at: log)
    }

    /// Adds a method.
    /// - Parameters:
    ///   - takes: The D-Bus signature of the arguments.
    ///   - gives: The D-Bus signature of the result.
    ///   - code: The Python code of the method. It reads the arguments from `args` and assigns the result to `ret`.
    public func add(_ method: String, takes: String = "", gives: String = "", _ code: String = "") async throws {
        try await callMock("AddMethod", interface, method, takes, gives, code)
    }
    /// Adds a property.
    /// - Parameter value: The value in GVariant's text format.
    public func add(property: String, _ value: String, of other: String? = nil) async throws {
        try await callMock("AddProperty", other ?? interface, property, "<\(value)>")
    }
    /// Changes a property and notifies listeners.
    /// - Parameter value: The new value in GVariant's text format.
    public func change(property: String, _ value: String) async throws {
        try await callMock("UpdateProperties", interface, "{'\(property)': <\(value)>}")
    }
    /// Emits a signal.
    /// - Parameter arguments: The arguments in GVariant's text format.
    public func emit(_ signal: String, of other: String, at path: String, _ signature: String, _ arguments: String)
        async throws
    {
        try await callMock("EmitSignal", other, signal, signature, arguments, at: path)
    }
    /// Adds another object to the service. The object has no log of its own.
    public func add(object path: String, _ interface: String, method: String) async throws {
        try await callMock("AddObject", path, interface, "@a{sv} {}", "[('\(method)', '', '', '')]")
    }
    private func callMock(_ method: String, _ arguments: String..., at path: String? = nil) async throws {
        let answer = try await bus.run(
            "gdbus",
            [
                "call", "--session", "--dest", name, "--object-path", path ?? self.path, "--method",
                "org.freedesktop.DBus.Mock." + method,
            ] + arguments)
        if answer.code != 0 { throw Failure(what: "\(method) \(arguments): \(answer.text)") }
    }

    /// The calls that the service received, oldest first, without timestamps: `Inhibit "app" "why"`. Emitted signals
    /// and reads of all properties are omitted.
    public var calls: [String] {
        let all = ChildProcess.wholeLines(of: log).compactMap { line in
            line.firstIndex(of: " ").map { String(line[line.index(after: $0)...]) }
        }
        .filter { !$0.hasPrefix("emit ") && !$0.hasPrefix("GetAll ") }
        Sightings.note { "it was called \(all)" }
        return all
    }
    /// Ends the service, as if another process had killed it.
    public func kill() {
        process.send(SIGKILL)
        process.wait(seconds: 5)
    }
    /// Suspends the service, so that it keeps its name but does not answer.
    public func freeze() { process.send(SIGSTOP) }
}
