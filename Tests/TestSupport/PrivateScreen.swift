import Foundation
import Testing

/// A screen of a test's own, as pixels: an X server's or a Wayland compositor's.
public protocol PrivateScreen: AnyObject, Sendable {
    /// For programs whose windows are to appear there.
    var environment: [String: String] { get }
    /// The whole screen now.
    func screenshot() throws -> Screenshot
    func close()
}

extension PrivateScreen {
    /// The screen once it is as wanted; the last one if it never is, with an issue.
    public func settled(
        sourceLocation: SourceLocation = #_sourceLocation, _ isRight: @escaping @Sendable (Screenshot) -> Bool
    ) async throws -> Screenshot {
        let found = try await until(sourceLocation: sourceLocation) {
            let shot = try self.screenshot()
            return isRight(shot) ? shot : nil
        }
        if let found { return found }
        return try screenshot()
    }
}

/// The windowing systems that a test runs on.
public enum Windowing: String, CaseIterable, Sendable, CustomStringConvertible {
    case x11, weston, sway

    public static let wayland = [Windowing.weston, .sway]

    /// Where a window with a title has no frame of its own, and lies where tests look for it.
    public static let frameless = [Windowing.x11, .sway]

    public var description: String { rawValue }

    /// A screen with an undecorated window of a program's at its upper left corner.
    /// - Parameters:
    ///   - width, height: of the window. On Weston, which places smaller windows anywhere, of the screen too.
    public func launch(width: Int, height: Int) async throws -> any PrivateScreen {
        switch self {
        case .x11: try await PrivateDisplay.launch()
        case .weston: try await PrivateCompositor.launch(.weston, width: width, height: height)
        case .sway: try await PrivateCompositor.launch(.sway)
        }
    }
}
