import Foundation
import TestSupport
import Testing

/// The probe `Seen`: one of the views that show players, 600 × 360 at (20, 20) of a ground of its own. The picture, 16:9
/// in the middle of it, has red, green, blue and white quarters, which never change.
final class SeenApp: @unchecked Sendable {
    static let ground = [0, 128, 128]
    /// Well within the quarters, also where they are half as large, and what is there.
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

    /// Whether the screen becomes such.
    func shows(_ condition: @escaping @Sendable (Screenshot) throws -> Bool) async throws -> Bool {
        try await until { [display] in try condition(try display.screenshot()) ? true : nil } == true
    }

    /// The whole picture, `share` of it over the ground.
    static func isPicture(_ shot: Screenshot, share: Double = 1) -> Bool {
        quarters.allSatisfy { shot.isNear($0.x, $0.y, mixed($0.color, ground, share), within: 8) }
    }
    static func isGround(_ shot: Screenshot) -> Bool { isPicture(shot, share: 0) }
    static func mixed(_ a: [Int], _ b: [Int], _ share: Double) -> [Int] {
        zip(a, b).map { Int((Double($0) * share + Double($1) * (1 - share)).rounded()) }
    }
    var isQuiet: Bool { !app.errors.contains("CRITICAL") && !app.errors.contains("WARNING") }
}
