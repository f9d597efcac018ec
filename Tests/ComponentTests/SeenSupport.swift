import Foundation
import TestSupport
import Testing

/// The probe `Seen`: one player view of 600 × 360 points at (20, 20), on a background of its own color. The video, 16:9
/// in the middle of the view, has red, green, blue and white quarters, which never change.
final class SeenApp: @unchecked Sendable {
    static let ground = [0, 128, 128]
    /// A point in each quarter with its color. The points are in the same quarters at half the size, too.
    static let quarters: [(x: Int, y: Int, color: [Int])] = [
        (240, 150, [255, 0, 0]), (400, 150, [0, 255, 0]), (240, 250, [0, 0, 255]), (400, 250, [255, 255, 255]),
    ]
    let display: PrivateDisplay
    let app: AppProcess

    init(_ kind: String, _ film: URL, hasPicture: Bool = true) async throws {
        display = try await PrivateDisplay.launch()
        app = try AppProcess("Seen", [kind, film.path], display: display)
        try await app.wait(for: "ready")
        if hasPicture { #expect(try await shows { SeenApp.isPicture($0) }, "\(kind): \(app.errors)") }
    }
    deinit { display.close() }

    func tell(_ lines: String...) async throws {
        for line in lines {
            try app.send(line)
            try await app.wait(for: "did \(line)")
        }
    }

    /// Waits until `condition` accepts a screenshot. Returns false after the deadline.
    func shows(_ condition: @escaping @Sendable (Screenshot) throws -> Bool) async throws -> Bool {
        try await until { [display] in try condition(try display.screenshot()) ? true : nil } == true
    }

    /// Whether the screenshot shows the whole video, with opacity `share` over the background.
    static func isPicture(_ shot: Screenshot, share: Double = 1) -> Bool {
        quarters.allSatisfy { shot.isNear($0.x, $0.y, mixed($0.color, ground, share), within: 8) }
    }
    static func isGround(_ shot: Screenshot) -> Bool { isPicture(shot, share: 0) }
    static func mixed(_ a: [Int], _ b: [Int], _ share: Double) -> [Int] {
        zip(a, b).map { Int((Double($0) * share + Double($1) * (1 - share)).rounded()) }
    }
    var isQuiet: Bool { !app.errors.contains("CRITICAL") && !app.errors.contains("WARNING") }
}
