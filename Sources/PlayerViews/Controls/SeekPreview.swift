import Foundation
import MediaCore
import MediaEngine
import Observation

/// The thumbnail of the position under the pointer. While a new thumbnail is decoded, the last one stays visible. Main
/// actor.
@MainActor @Observable
final class SeekPreview {
    private(set) var frame: VideoFrame?
    @ObservationIgnored private weak var item: AVPlayerItem?
    @ObservationIgnored private var newestPosition = 0.0

    nonisolated init() {}

    func access<Member>(keyPath: KeyPath<SeekPreview, Member>) {
        ObservationScope.access(_$observationRegistrar, self, keyPath)
    }

    func update(at seconds: Double, of item: AVPlayerItem?) {
        guard let item, item.presentationSize.width > 0 else {
            if frame != nil { frame = nil }
            return
        }
        if item !== self.item { (self.item, frame) = (item, nil) }
        newestPosition = seconds
        let length = item.duration.isNumeric ? item.duration.seconds : nil
        let thumbnails = item.seekThumbnails
        if let kept = thumbnails.kept(at: seconds, of: length) {
            if kept !== frame { frame = kept }
            return
        }
        thumbnails.make(at: seconds, of: length) { [weak self, weak item] thumbnail in
            guard let thumbnail else { return }
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    // Meanwhile, the pointer may have moved. If there is a thumbnail of its newest position, that one
                    // is used.
                    guard let self, let item, item === self.item else { return }
                    self.frame =
                        item.seekThumbnails.kept(
                            at: self.newestPosition, of: item.duration.isNumeric ? item.duration.seconds : nil)
                        ?? thumbnail
                }
            }
        }
    }
}
