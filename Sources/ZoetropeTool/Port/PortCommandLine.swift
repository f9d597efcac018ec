import Foundation

/// A runner for other programs.
enum PortCommandLine {
    struct Result {
        let code: Int32
        /// Standard output and standard error, in the order in which they were written.
        let output: String
        var lines: [Substring] { output.split(separator: "\n") }
    }

    /// Runs a program and waits until it ends.
    /// - Parameter name: A path, or the name of a program in `PATH`.
    static func run(_ name: String, _ arguments: [String]) throws(ToolFailure) -> Result {
        guard let path = find(name) else {
            throw ToolFailure(.failed, "Can't find the program “\(name)”. Install Swift, or name it with --swift.")
        }
        // The output goes to a file, because a pipe that nobody reads would block the program when it is full.
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("zoetrope-port-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        guard FileManager.default.createFile(atPath: file.path, contents: nil),
            let output = try? FileHandle(forWritingTo: file)
        else {
            throw ToolFailure(
                .failed, "Can't write to “\(file.path)”. Check the free space and the permissions of its folder.")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        do {
            try process.run()
        } catch {
            throw ToolFailure(
                .failed, "Can't run “\(path)”: \(error.localizedDescription). Use --swift to name another compiler.")
        }
        process.waitUntilExit()
        let text = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return Result(code: process.terminationStatus, output: text)
    }

    private static func find(_ name: String) -> String? {
        let isExecutable = FileManager.default.isExecutableFile(atPath:)
        guard !name.contains("/") else { return isExecutable(name) ? name : nil }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first(where: isExecutable)
    }
}
