import Foundation
import MediaCore
import MediaEngine

/// The digests that identify the parts of one export.
enum PartDigests {
    /// The number of pieces of a large file that are read.
    private static let pieces = 64
    private static let piece = 64 << 10

    /// Returns the digest of a source: its size and 64 evenly spaced pieces of 64 KiB, including the first and the
    /// last.
    ///
    /// The digest is computed for every part, so the digest must be fast for files of any size.
    /// - Throws: `.operationNotSupported` if `url` is not a regular file on this machine. `.readFailed`.
    static func source(_ url: URL) throws(AVError) -> String {
        guard let path = FilePath(url) else {
            throw AVError(
                .operationNotSupported, at: url.mediaName,
                reason: "only a file on this machine can be exported in parts",
                suggestion: "Save it as a file first")
        }
        let file = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard file >= 0 else { throw AVError(.readFailed, at: url.location, reason: String(cString: strerror(errno))) }
        defer { close(file) }
        var info = stat()
        guard fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw AVError(
                .operationNotSupported, at: url.location, reason: "only a regular file can be exported in parts",
                suggestion: "Save it as a file first")
        }
        let size = Int64(info.st_size)
        let maker = ContentDigest.Maker()
        Array("\(size)".utf8).withUnsafeBytes { maker.add($0) }
        var buffer = [UInt8](repeating: 0, count: piece)
        let last = max(0, size - Int64(piece))
        for index in 0..<pieces {
            let offset = last / Int64(pieces - 1) * Int64(index)
            let count = buffer.withUnsafeMutableBytes {
                pread(file, $0.baseAddress, $0.count, off_t(index == pieces - 1 ? last : offset))
            }
            guard count >= 0 else {
                throw AVError(.readFailed, at: url.location, reason: String(cString: strerror(errno)))
            }
            buffer.withUnsafeBytes { maker.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            if last == 0 { break }
        }
        return maker.finish().text
    }

    /// Returns the digest of everything but the source that determines the frames and the audio of an export.
    static func settings(_ request: ExportJob.Request, _ range: ExportRange, _ encoders: ExportEncoders) -> String {
        let box = request.preset.box.map { "\($0.long)×\($0.short)" } ?? "source"
        let texts = request.metadata.map { $0.map { "\($0.key)=\($0.value)" }.joined(separator: "\u{0}") }
        return ContentDigest(
            of: [
                // Parts of versions that encode differently do not fit together.
                "3", request.type.rawValue, box, "\(request.preset.quality)",
                "\(range.start.nanoseconds)", "\(range.end.nanoseconds)", "\(request.maximumWidth ?? 0)",
                "\(request.maximumFrameRate ?? 0)", texts ?? "source", "\(request.optimizesForNetwork)",
                "\(request.division?.count ?? 1)", request.division?.pictureIdentity ?? "", encoders.video,
                encoders.audio ?? "",
            ].joined(separator: "\u{1}")
        ).text
    }
}
