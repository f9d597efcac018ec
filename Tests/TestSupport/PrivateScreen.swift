import Foundation
import Testing

/// A screen for one test, shown by an X server or a Wayland compositor.
public protocol PrivateScreen: AnyObject, Sendable {
    /// The environment for programs whose windows appear on the screen.
    var environment: [String: String] { get }
    /// Returns an image of the whole screen.
    func screenshot() throws -> Screenshot
    func close()
}

extension PrivateScreen {
    /// Waits until the screen is as requested.
    /// - Returns: The image of the screen. If the time ends first, an issue is recorded and the last image is returned.
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

    /// The windowing systems on which a window with a title has no frame and is at the position where tests expect it.
    public static let frameless = [Windowing.x11, .sway]

    public var description: String { rawValue }

    /// Starts a screen on which an undecorated window of a program is at the upper left corner.
    /// - Parameters:
    ///   - width: The width of the window. On Weston, which places smaller windows anywhere, also the width of the
    ///     screen.
    ///   - height: The height of the window. On Weston, also the height of the screen.
    public func launch(width: Int, height: Int) async throws -> any PrivateScreen {
        switch self {
        case .x11: try await PrivateDisplay.launch()
        case .weston: try await PrivateCompositor.launch(.weston, width: width, height: height)
        case .sway: try await PrivateCompositor.launch(.sway)
        }
    }
}
