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
        // They are meant for what plays, which may be what waited. Whoever is told of it may do anything.
        player.noticeSeam()
        guard !isClosed, new != settings else { return }
        if new.timePublishing != settings?.timePublishing { publishTime(every: new.timePublishing) }
        settings = new
        batcher.configure(filters: new.events, interval: new.eventsInterval)
        guard new.areUnique else { return refuse(.settingsNotUnique) }
        let old = carriedOut
        // What is open stays so, even if its file has gone meanwhile.
        let isSame =
            sourceURL != nil && new.isEqual(old) && new.playlist == old?.playlist && new.headers == old?.headers
            && new.cookies == old?.cookies
        do throws(VPErrors) {
            let start = isSame ? nil : try start(of: new, old)
            carriedOut = new
            if new.mute != old?.mute ?? false { player.isMuted = new.mute }
            if new.loudness != old?.loudness ?? .asRecorded { player.loudness = new.loudness }
            if new.nowPlayingOff != old?.nowPlayingOff ?? false {
                player.updatesNowPlayingInfoCenter = !new.nowPlayingOff
            }
            if new.crossfade != old?.crossfade ?? 0 { player.crossfadeDuration = new.crossfade }
            let hasOtherLoop =
                new.loop != old?.loop ?? false || new.loopRange != old?.loopRange || new.loopCount != old?.loopCount
            if !new.vector { picture.removeAllVectors() }
            if new.subtitles != old?.subtitles { (subtitles, prefersOwnSubtitles) = (.automatic, false) }
            if !new.pictureInPicture, old?.pictureInPicture == true { onPictureInPicture?(false) }
            let isAskedOtherwise = new.headers != old?.headers || new.cookies != old?.cookies
            if isAskedOtherwise {
                // What was asked for in another way is no longer it, nor what waits, which would be kept for later.
                dequeue()
                dropPreloads()
                shownSubtitleName = nil
            }
            if !new.fullScreen, old?.fullScreen == true { onFullScreen?(false) }
            if hasOtherLoop { (isLooping, loopLimit, passesDone) = (new.loop, new.loopCount, 0) }
            if let start {
                (sources, currentIndex) = (start.sources, start.index)
                // What has failed does not go on by itself, now that something follows it.
                if start.url != sourceURL || isAskedOtherwise || player.currentItem?.status == .failed {
                    passesDone = 0
                    failuresInRow = 0
                    open(start.url, plays: !new.notAutoPlay)
                } else if hasOtherLoop || sources.count > 1 || looper == nil {
                    beginLoop()
                }
            } else if hasOtherLoop {
                beginLoop()
            }
            updatePreloads()
            for item in player.items() + preloads.map(\.item) { prefer(item) }
            if new.subtitles != old?.subtitles || new.subtitleStyle != old?.subtitleStyle { showSubtitles() }
        } catch {
            refuse(error)
        }
    }

    /// The list that `new` means, and where it begins: at what plays already, if that is in it.
    private func start(of new: VideoSettings, _ old: VideoSettings?) throws(VPErrors) -> (
        sources: [String], index: Int, url: URL
    ) {
        var list = new.playlist
        if list.isEmpty || !new.name.isEmpty && !list.contains(new.name) { list.insert(new.name, at: 0) }
        var index = list.firstIndex(of: new.name) ?? 0
        if new.name == old?.name, sources.indices.contains(currentIndex) {
            // A source may stand in the list more than once.
            let playing = sources[currentIndex]
            let stays = list.indices.contains(currentIndex) && list[currentIndex] == playing
            if let place = stays ? currentIndex : list.firstIndex(of: playing) { index = place }
        }
        let first: VPErrors
        do { return (list, index, try resolver.url(for: list[index], ext: new.ext)) } catch { first = error }
        // Of a list, the first one that there is.
        for later in list.indices where later > index {
            guard let url = try? resolver.url(for: list[later], ext: new.ext) else { continue }
            post(.error(first))
            return (list, later, url)
        }
        throw first
    }

    /// Opens what `sources` names at `currentIndex`.
    func open(_ url: URL, plays: Bool) {
        // What waits may be it.
        dequeue()
        let item = makeItem(url)
        sourceURL = url
        (subtitles, prefersOwnSubtitles) = (.automatic, false)
        transport += 1
        goesBack = false
        if !plays { player.pause() }
        looper = nil
        queued = nil
        for waiting in player.items().dropFirst() { player.remove(waiting) }
        player.replaceCurrentItem(with: item)
        beginLoop()
        error = nil
        showSubtitles()
        if plays { player.play() }
        updatePreloads()
    }

    /// What could not be played, or not be found, is tried once more, and plays.
    func retry() {
        guard !isClosed, error != nil else { return }
        failuresInRow = 0
        if let url = sourceURL { return open(url, plays: true) }
        guard let asked = settings else { return }
        settings = nil
        apply(settings: asked)
    }

    func makeItem(_ url: URL) -> AVPlayerItem {
        if let waiting = takePreload(url) { return waiting }
        let item = AVPlayerItem(
            asset: AVURLAsset(url: url, options: ExtPlayerController.options(settings?.headers, settings?.cookies)))
        prefer(item)
        return item
    }

    /// How what is remote is asked for.
    nonisolated static func options(_ headers: [String: String]?, _ cookies: [AVURLAssetHTTPCookie]?) -> [String:
        any Sendable]
    {
        var options: [String: any Sendable] = [:]
        if let headers, !headers.isEmpty { options[AVURLAssetHTTPHeaderFieldsKey] = headers }
        if let cookies, !cookies.isEmpty { options[AVURLAssetHTTPCookiesKey] = cookies }
        return options
    }

    /// What of the settings is the item's.
    private func prefer(_ item: AVPlayerItem) {
        guard let settings else { return }
        if item.preferredPeakBitRate != settings.preferredPeakBitRate {
            item.preferredPeakBitRate = settings.preferredPeakBitRate
        }
        if item.preferredAudioLanguages != settings.preferredLanguages {
            item.preferredAudioLanguages = settings.preferredLanguages
        }
        // Whoever did not ask for subtitles gets those that are shown to everybody; the languages say which of several.
        let asked = settings.subtitles == Subtitles.embedded ? settings.preferredLanguages : []
        if item.preferredSubtitleLanguages != asked { item.preferredSubtitleLanguages = asked }
        if item.rankedSubtitleLanguages != settings.preferredLanguages {
            item.rankedSubtitleLanguages = settings.preferredLanguages
        }
    }

    private func refuse(_ reason: VPErrors) {
        sourceURL = nil
        (sources, currentIndex, queued) = ([], 0, nil)
        if player.currentItem != nil {
            transport += 1
            player.pause()
            looper = nil
            player.removeAllItems()
        }
        post(.error(reason))
        error = reason
    }

    /// Without a measure, which only the setting has.
    func setLooping(_ loops: Bool) {
        (isLooping, loopLimit, passesDone) = (loops, nil, 0)
        beginLoop()
    }

    /// Of a list the list loops, of one source its item does, and counts from its present pass on.
    func beginLoop() {
        let passes = loopLimit.map { $0 - passesDone }
        if isLooping, sources.count == 1, (passes ?? .max) > 1, let item = player.currentItem {
            looper = AVPlayerLooper(
                player: player, templateItem: item, timeRange: carriedOut?.loopRange ?? .invalid, passes: passes)
        } else {
            looper?.disableLooping()
            looper = nil
        }
        enqueueNext()
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
