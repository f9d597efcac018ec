import ExampleKit
import Foundation
import VideoPlayerContainer
import Zoetrope

/// A button that saves the current frame to a file.
struct SnapshotWidget: View {
    var body: some View {
        WithService(SnapshotService.self) { service in SymbolButton("camera", "Save Screenshot") { service.keep() } }
    }
}

private final class SnapshotService: Service {
    func keep() {
        guard let player = context?.render.player, let asset = player.currentItem?.asset else { return }
        let time = player.currentTime()
        Task { [weak self] in
            do {
                let image = try await AVAssetImageGenerator(asset: asset).image(at: time).image
                let file = SnapshotService.folder.appendingPathComponent(
                    "Screenshot at \(TimeText.clock(time.seconds).replacingOccurrences(of: ":", with: ".")).png")
                try image.pngData.write(to: file)
                self?.context?.toast.toast(file.path)
            } catch {
                self?.context?.toast.toast("Can’t save the screenshot: \(error.localizedDescription)")
            }
        }
    }

    private static var folder: URL {
        let pictures = FileManager.default.urls(for: .picturesDirectory, in: .userDomainMask).first
        return pictures.flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
            ?? FileManager.default.temporaryDirectory
    }
}
