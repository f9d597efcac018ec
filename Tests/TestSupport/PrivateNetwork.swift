import Foundation

/// Two machines with a cable between them, simulated by network namespaces. Nothing else is in their network. Requires
/// root.
public final class PrivateNetwork: Sendable {
    public enum Place: Sendable { case app, renderer }
    private let name: String
    public let appAddress = "10.213.7.1", rendererAddress = "10.213.7.2"

    public struct Failure: Error { public let what: String }

    /// Whether this process can create such a network.
    public static let isPossible: Bool = geteuid() == 0 && (try? PrivateNetwork()) != nil

    public init() throws {
        name = "zt\(UUID().uuidString.prefix(6).lowercased())"
        let (a, b) = (name + "a", name + "b")
        do {
            try ip(["netns", "add", a])
            try ip(["netns", "add", b])
            try ip(["link", "add", "cable", "netns", a, "type", "veth", "peer", "name", "cable", "netns", b])
            for (space, address) in [(a, appAddress), (b, rendererAddress)] {
                try ip(["-n", space, "addr", "add", "\(address)/24", "dev", "cable"])
                try ip(["-n", space, "link", "set", "lo", "up"])
                try ip(["-n", space, "link", "set", "cable", "up"])
                try ip(["-n", space, "route", "add", "224.0.0.0/4", "dev", "cable"])
            }
        } catch {
            remove()
            throw error
        }
    }
    public static func launch() async throws -> PrivateNetwork { try await offPool { try PrivateNetwork() } }
    deinit { remove() }

    private func remove() { for space in ["a", "b"] { try? ip(["netns", "del", name + space]) } }

    /// Returns the command with which a program is started on the machine `place`.
    public func prefix(_ place: Place) -> [String] { ["ip", "netns", "exec", name + (place == .app ? "a" : "b")] }

    /// Connects or disconnects the cable.
    public func plug(_ isIn: Bool) throws { try ip(["-n", name + "b", "link", "set", "cable", isIn ? "up" : "down"]) }

    private func ip(_ arguments: [String]) throws {
        let code = try ChildProcess("ip", arguments, output: "/dev/null", error: "/dev/null").wait()
        if code != 0 { throw Failure(what: "ip \(arguments.joined(separator: " ")): \(code)") }
    }
}
