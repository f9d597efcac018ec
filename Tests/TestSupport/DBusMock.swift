import Foundation
import Testing

/// A service on a private bus, of python3-dbusmock: it does what it is given as methods, and logs each call.
public final class DBusMock: @unchecked Sendable {
    // Used by one test at a time.
    private let bus: PrivateSessionBus, name: String, path: String, interface: String
    private let process: ChildProcess, log: URL
    public struct Failure: Error { let what: String }

    /// - Parameter interface: of the object at `path`; nil: what the name is.
    public init(_ name: String, at path: String, interface: String? = nil, on bus: PrivateSessionBus) async throws {
        (self.bus, self.name, self.path, self.interface) = (bus, name, path, interface ?? name)
        let log = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-dbusmock-\(UUID().uuidString.prefix(8))")
        self.log = log
        // Debian's Python, which Debian's modules are for.
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

    /// - Parameters:
    ///   - takes, gives: signatures of D-Bus.
    ///   - code: Python; `ret` is what it answers, `args` what it was given.
    public func add(_ method: String, takes: String = "", gives: String = "", _ code: String = "") async throws {
        try await tell("AddMethod", interface, method, takes, gives, code)
    }
    /// - Parameter value: as GVariant's text.
    public func add(property: String, _ value: String, of other: String? = nil) async throws {
        try await tell("AddProperty", other ?? interface, property, "<\(value)>")
    }
    /// Gives it another value, and tells all who listen. - Parameter value: as GVariant's text.
    public func change(property: String, _ value: String) async throws {
        try await tell("UpdateProperties", interface, "{'\(property)': <\(value)>}")
    }
    /// Tells of it all who listen. - Parameter arguments: as GVariant's text.
    public func emit(_ signal: String, of other: String, at path: String, _ signature: String, _ arguments: String)
        async throws
    {
        try await tell("EmitSignal", other, signal, signature, arguments, at: path)
    }
    /// Another object of the same service, without a log of its own.
    public func add(object path: String, _ interface: String, method: String) async throws {
        try await tell("AddObject", path, interface, "@a{sv} {}", "[('\(method)', '', '', '')]")
    }
    private func tell(_ method: String, _ arguments: String..., at path: String? = nil) async throws {
        let answer = try await bus.run(
            "gdbus",
            [
                "call", "--session", "--dest", name, "--object-path", path ?? self.path, "--method",
                "org.freedesktop.DBus.Mock." + method,
            ] + arguments)
        if answer.code != 0 { throw Failure(what: "\(method) \(arguments): \(answer.text)") }
    }

    /// What it was called, oldest first, without stamps: `Inhibit "app" "why"`. (That its properties are read is
    /// nobody's concern.)
    public var calls: [String] {
        let all = ChildProcess.wholeLines(of: log).compactMap { line in
            line.firstIndex(of: " ").map { String(line[line.index(after: $0)...]) }
        }
        .filter { !$0.hasPrefix("emit ") && !$0.hasPrefix("GetAll ") }
        Sightings.note { "it was called \(all)" }
        return all
    }
    /// Somebody ends it.
    public func kill() {
        process.send(SIGKILL)
        process.wait(seconds: 5)
    }
    /// It is there, and answers nobody.
    public func freeze() { process.send(SIGSTOP) }
}
