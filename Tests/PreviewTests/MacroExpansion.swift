import Foundation
import TestSupport

/// The expansion of macros, for which the compiler calls the macro plugin, as it does for an app.
///
/// The tests do not use the expansion of swift-syntax. A test target that depends on a macro is built for the host
/// machine, and then everything that any test depends on is built a second time.
struct MacroExpansion {
    /// The expansion without layout spaces, followed by the compiler's errors.
    let text: String
    let isCompiled: Bool

    /// Compiles the file `Player.swift`.
    /// - Parameter stub: The declarations of the macros, and of the types that their expansions use.
    init(of source: String, with stub: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-macros-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        @Sendable func file(_ name: String) -> String { folder.appendingPathComponent(name).path }
        try Data(stub.utf8).write(to: URL(fileURLWithPath: file("Stub.swift")))
        try Data(source.utf8).write(to: URL(fileURLWithPath: file("Player.swift")))
        let line =
            ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-module-name", "DeclarativeUI"]
            + ["-Xfrontend", "-dump-macro-expansions", "-load-plugin-executable"]
            + ["\(Programs.path("PreviewMacros-tool"))#PreviewMacros", file("Stub.swift"), file("Player.swift")]
        let code = try await offPool {
            try ChildProcess(line: line, output: file("expansions"), error: file("errors")).wait()
        }
        text = try ["expansions", "errors"].map { try String(contentsOfFile: file($0), encoding: .utf8) }.joined()
            .split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }.joined(separator: "\n")
        isCompiled = code == 0
    }
}
