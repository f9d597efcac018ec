import Foundation
import MediaCore

/// The item of an audio player, to which it reports its end.
@MainActor
final class AudioPlayerItem: AVPlayerItem {
    weak var owner: AVAudioPlayer?

    override func reportEnd(atLoopBoundary: Bool) {
        super.reportEnd(atLoopBoundary: atLoopBoundary)
        if !atLoopBoundary { owner?.itemDidEnd(error: nil) }
    }
    override func endEarly() -> Bool {
        guard super.endEarly() else { return false }
        owner?.itemDidEnd(error: shortfall)
        return true
    }
    override func failed(_ new: AVError) {
        guard status != .failed else { return }
        super.failed(new)
        owner?.itemDidFail(new)
    }
}

/// A temporary file with audio from memory, which exists as long as this object.
final class AudioDataFile: Sendable {
    let url: URL

    init(_ data: Data) throws(AVError) {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("zoetrope-audio-\(UUID().uuidString)")
        guard FileManager.default.createFile(atPath: url.path, contents: data, attributes: [.posixPermissions: 0o600])
        else {
            // A write that fails on a full disk leaves a part of the file.
            try? FileManager.default.removeItem(at: url)
            throw AVError(
                .writeFailed, at: url.location, reason: "the audio could not be written to the disk",
                suggestion: "Check the free space and the permissions of the folder for temporary files")
        }
    }
    deinit { try? FileManager.default.removeItem(at: url) }
}
