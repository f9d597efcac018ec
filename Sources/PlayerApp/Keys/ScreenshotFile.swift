import CGIO
import Foundation
import MediaCore

/// Functions that name and write screenshots.
package enum ScreenshotFile {
    /// Returns a file name such as `film 0.01.23.456`, without characters that are not allowed in file names.
    /// - Parameters:
    ///   - title: The title of the item, without an extension.
    ///   - seconds: The position in the item, in seconds.
    package static func name(_ title: String, at seconds: Double) -> String {
        var stem = String(title.map { $0 == "/" || $0 == "\0" || $0.isNewline ? "-" : $0 })
        while stem.hasPrefix(".") { stem.removeFirst() }
        while stem.utf8.count > 180 { stem.removeLast() }
        let milliseconds = Int(saturating: (min(max(0, seconds.isFinite ? seconds : 0), 1e9) * 1000).rounded())
        let (h, m, s) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60, milliseconds / 1000 % 60)
        return String(
            format: "%@ %d.%02d.%02d.%03d", stem.isEmpty ? "Zoetrope" : stem, h, m, s, milliseconds % 1000)
    }

    /// Writes `bytes` to a new PNG file. If the name exists, a number is added to it.
    /// - Parameters:
    ///   - bytes: The data of the file.
    ///   - name: The name without the extension.
    ///   - folders: The folders to try, in order.
    /// - Returns: The path of the file.
    /// - Throws: The error of the last folder.
    package static func write(_ bytes: [UInt8], name: String, in folders: [FilePath]) throws(AVError) -> FilePath {
        var problem = AVError(.writeFailed, at: name, reason: "no folder is available")
        for folder in folders {
            next: for number in 1...9999 {
                let path = folder.appending(Array((number == 1 ? "\(name).png" : "\(name) \(number).png").utf8))
                let file = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
                guard file >= 0 else {
                    if errno == EEXIST { continue next }
                    problem = AVError(
                        .writeFailed, at: path.description, reason: String(cString: strerror(errno)), underlying: errno)
                    break next
                }
                var code: Int32 = 0
                var rest = bytes[...]
                while !rest.isEmpty, code == 0 {
                    let done = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
                    if done > 0 { rest = rest.dropFirst(done) } else if errno != EINTR { code = errno }
                }
                if close(file) != 0, code == 0 { code = errno }
                guard code != 0 else { return path }
                _ = path.withCString { unlink($0) }
                problem = AVError(
                    [ENOSPC, EDQUOT].contains(code) ? .diskFull : .writeFailed, at: path.description,
                    reason: String(cString: strerror(code)), underlying: code)
                break next
            }
        }
        throw problem
    }

    /// Returns the folders for screenshots, in order of preference: the current folder, the pictures folder and the
    /// home folder.
    ///
    /// The current folder is left out if it is the home or root folder. The pictures folder is that of the XDG user
    /// directories.
    package static func folders() -> [FilePath] {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? "/"
        let here = FileManager.default.currentDirectoryPath
        var folders: [FilePath] = []
        if here != home, here != "/", let path = FilePath(bytes: here.utf8) { folders.append(path) }
        if let pictures = g_get_user_special_dir(G_USER_DIRECTORY_PICTURES).map({ String(cString: $0) }),
            let path = FilePath(bytes: pictures.utf8)
        {
            folders.append(path)
        }
        if let path = FilePath(bytes: home.utf8) { folders.append(path) }
        return folders
    }
}
