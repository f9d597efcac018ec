import Foundation
import MediaCore
import MediaEngine

extension ExtPlayerController {
    /// Makes the player what `new` says. Equal settings change nothing.
    ///
    /// Another source is opened in place of the present one, and plays unless `NotAutoPlay()` is set. With the
    /// same source the player and its item stay, and whatever else differs is changed on them. Settings that
    /// cannot be carried out (one given twice, a source not found) set `error`, tell it as an event, and
    /// leave nothing playing.
    public func apply(settings new: VideoSettings) {
        guard !isClosed, new != settings else { return }
        if new.timePublishing != settings?.timePublishing { publishTime(every: new.timePublishing) }
        settings = new
        batcher.configure(filters: new.events, interval: new.eventsInterval)
        guard new.areUnique else { return refuse(.settingsNotUnique) }
        let old = carriedOut
        // What is open stays so, even if its file has gone meanwhile.
        let isSame = sourceURL != nil && new.name == old?.name && new.ext == old?.ext
        do throws(VPErrors) {
            let url = isSame ? nil : try resolver.url(for: new.name, ext: new.ext)
            carriedOut = new
            if new.mute != old?.mute ?? false { player.isMuted = new.mute }
            if new.loop != old?.loop ?? false { setLooping(new.loop) }
            if !new.vector { picture.removeAllVectors() }
            if new.subtitles != old?.subtitles { subtitles = .automatic }
            if !new.pictureInPicture, old?.pictureInPicture == true { onPictureInPicture?(false) }
            if let url, url != sourceURL { open(url, plays: !new.notAutoPlay) }
            if new.subtitles != old?.subtitles || new.subtitleStyle != old?.subtitleStyle { showSubtitles() }
        } catch {
            refuse(error)
        }
    }

    private func open(_ url: URL, plays: Bool) {
        let item = AVPlayerItem(url: url)
        sourceURL = url
        subtitles = .automatic
        transport += 1
        if !plays { player.pause() }
        looper = nil
        player.replaceCurrentItem(with: item)
        setLooping(isLooping)
        error = nil
        showSubtitles()
        if plays { player.play() }
    }

    private func refuse(_ reason: VPErrors) {
        sourceURL = nil
        if player.currentItem != nil {
            transport += 1
            player.pause()
            looper = nil
            player.removeAllItems()
        }
        post(.error(reason))
        error = reason
    }

    func setLooping(_ loops: Bool) {
        isLooping = loops
        if !loops {
            looper?.disableLooping()
            looper = nil
        } else if looper == nil, let item = player.currentItem {
            looper = AVPlayerLooper(player: player, templateItem: item)
        }
    }

    private func publishTime(every interval: CMTime?) {
        if let timeObserver { player.removeTimeObserver(timeObserver) }
        timeObserver = interval.map { interval in
            player.addPeriodicTimeObserver(forInterval: interval) { [weak self] time in
                // Without a queue of its own an observer is called on the main one.
                MainActor.assumeIsolated { self?.onTime?(time.seconds) }
            }
        }
    }
}
