import Foundation

/// The source code of the gallery's pages. The build copies the compiled source files next to the program.
public enum PageSource {
    /// Returns the text of `file` in `Examples/Gallery/Pages`, or nil if the program was moved without its resources.
    public static func text(of file: String) -> String? {
        guard file.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." }) else { return nil }
        return try? String(
            contentsOf: Bundle.module.bundleURL.appendingPathComponent("Pages/\(file)"), encoding: .utf8)
    }
}
