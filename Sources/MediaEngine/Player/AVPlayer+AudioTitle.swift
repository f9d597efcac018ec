import Foundation

extension AVPlayer {
    /// Shows the title of the current item in the audio server's mixer, unless the player has its own title.
    func audioTitleChanged(of item: AVPlayerItem) {
        guard item === current, settings.showsItemTitle else { return }
        pipeline.setTitle(item.audioTitle)
    }
}

extension AVPlayerItem {
    /// The title for the mixer, at most 200 characters. In order of preference: the app's title, the radio station's,
    /// the container's, the file name, the host.
    fileprivate var audioTitle: String {
        let title = metadata(over: []).first { $0.commonKey == .commonKeyTitle }?.stringValue
        let all = [title, description?.title, asset.url.lastPathComponent, asset.url.host()]
        return String((all.compactMap(\.self).first { !$0.isEmpty && $0 != "/" } ?? "").prefix(200))
    }
}
