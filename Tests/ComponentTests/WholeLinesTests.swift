import Foundation
import TestSupport
import Testing

/// Tests of reading the output of a program that is still writing.
@Suite("Output lines of a child process")
struct WholeLinesTests {
    @Test("an incomplete line is not counted until it ends")
    func half() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-lines-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: file) }
        for (text, lines) in [("", []), ("pict", []), ("one\ntw", ["one"]), ("one\ntwo\n", ["one", "two"])] {
            try Data(text.utf8).write(to: file)
            #expect(ChildProcess.wholeLines(of: file) == lines)
        }
        #expect(ChildProcess.wholeLines(of: file.appendingPathExtension("none")).isEmpty)
    }
}
