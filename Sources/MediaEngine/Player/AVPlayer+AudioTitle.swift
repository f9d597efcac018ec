import Foundation

extension AVPlayer {
    /// Shows the title of the current item in the audio server's mixer, unless the player has a title of its own.
    func audioTitleChanged(of item: AVPlayerItem) {
        guard item === current, settings.showsItemTitle else { return }
        pipeline.setTitle(item.audioTitle)
    }
}

extension AVPlayerItem {
    /// The app's title, else the radio station's, the container's or the file name; at most 200 characters.
    fileprivate var audioTitle: String {
        let told = metadata(over: []).first { $0.commonKey == .commonKeyTitle }?.stringValue
        let all = [told, description?.title, asset.url.lastPathComponent, asset.url.host()]
        return String((all.compactMap(\.self).first { !$0.isEmpty && $0 != "/" } ?? "").prefix(200))
    }
}
