import Foundation

/// Two machines and a cable between them, as network namespaces: nothing else is in their network, and nobody else
/// hears of it. Needs root.
public final class PrivateNetwork: Sendable {
    public enum Place: Sendable { case app, renderer }
    private let name: String
    public let appAddress = "10.213.7.1", rendererAddress = "10.213.7.2"

    public struct Failure: Error { public let what: String }

    /// Whether this machine lets us have one.
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

    /// What a program is started with to be there.
    public func prefix(_ place: Place) -> [String] { ["ip", "netns", "exec", name + (place == .app ? "a" : "b")] }

    /// Pulls the cable, or puts it in again.
    public func plug(_ isIn: Bool) throws { try ip(["-n", name + "b", "link", "set", "cable", isIn ? "up" : "down"]) }

    private func ip(_ arguments: [String]) throws {
        let code = try ChildProcess("ip", arguments, output: "/dev/null", error: "/dev/null").wait()
        if code != 0 { throw Failure(what: "ip \(arguments.joined(separator: " ")): \(code)") }
    }
}
