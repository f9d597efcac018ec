import Foundation

/// The gallery's pages as they are written: the build lays the files that it compiles beside the program.
public enum PageSource {
    /// The text of `file` in `Examples/Gallery/Pages`; nil when the program was moved without its resources.
    public static func text(of file: String) -> String? {
        guard file.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." }) else { return nil }
        return try? String(
            contentsOf: Bundle.module.bundleURL.appendingPathComponent("Pages/\(file)"), encoding: .utf8)
    }
}
