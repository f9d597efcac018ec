import Foundation
import MediaEngine

/// Several sources one after the other. The next one waits in the player's queue, so that the pipeline joins them
/// without a gap; which one that is, is decided anew whenever the list, the place in it or looping changes.
extension ExtPlayerController {
    /// From the present place, over the list's ends only when it loops.
    func index(after index: Int, by step: Int) -> Int? {
        let next = index + step
        if sources.indices.contains(next) { return next }
        // Forward over the end another pass begins, which `Loop(count:)` may not allow.
        guard isLooping, sources.count > 1, step < 0 || !isLastPass else { return nil }
        return (next + sources.count) % sources.count
    }

    private var isLastPass: Bool { loopLimit.map { passesDone + 1 >= $0 } ?? false }

    /// Puts the next source that there is behind the present one.
    /// - Parameter start: the place after which it is looked for; nil: the present one.
    func enqueueNext(after start: Int? = nil) {
        if queued != nil {
            // From here on no seam is passed. What the pipeline has gone on to by now plays: it is not taken away with
            // what waits.
            player.actionAtItemEnd = .pause
            player.noticeSeam()
        }
        dequeue()
        guard sources.count > 1, player.currentItem != nil else { return }
        var index = start ?? currentIndex
        for _ in sources {
            guard let next = self.index(after: index, by: 1) else { return }
            index = next
            guard let url = try? resolver.url(for: sources[next], ext: carriedOut?.ext ?? VideoSettings.defaultExt)
            else { continue }
            let item = makeItem(url)
            queued = (item, next, item.observe(\.status) { [weak self] item, _ in self?.queuedChanged(item) })
            player.insert(item, after: nil)
            player.actionAtItemEnd = .advance
            return
        }
    }

    func dequeue() {
        player.actionAtItemEnd = .pause
        guard let queued else { return }
        self.queued = nil
        player.remove(queued.item)
        // What was made ready of it waits on.
        if let carriedOut, carriedOut.preloadAhead > 0 || !carriedOut.preload.isEmpty, queued.item.status == .unknown {
            preloads.append((queued.item.asset.url, queued.item))
        }
    }

    /// What waits cannot be played, as it turned out when its turn came near: the one behind it waits in its place.
    private func queuedChanged(_ item: AVPlayerItem) {
        guard item.status == .failed else { return }
        // It may play by now, and then fails as what plays.
        player.noticeSeam()
        guard let queued, queued.item === item else { return }
        post(.error(reason(of: item)))
        failuresInRow += 1
        if failuresInRow < sources.count { enqueueNext(after: queued.index) } else { dequeue() }
    }

    /// The player has gone on to what waited.
    func followQueue(to item: AVPlayerItem) {
        guard let queued, queued.item === item else { return }
        if queued.index <= currentIndex { passesDone += 1 }
        currentIndex = queued.index
        sourceURL = item.asset.url
        self.queued = nil
        goesBack = false
        error = nil
        (subtitles, prefersOwnSubtitles) = (.automatic, false)
        enqueueNext()
        updatePreloads()
        showSubtitles()
    }

    /// To the nearest source that there is, in the direction of `step`; those passed over are told.
    func step(by step: Int) {
        failuresInRow = 0
        if !goOn(by: step), step < 0 { jump(to: currentIndex) }
    }

    /// False when there is none.
    private func goOn(by step: Int) -> Bool {
        var place = currentIndex
        var passes = 0
        for _ in sources {
            guard let next = index(after: place, by: step) else { return false }
            if step > 0, next <= place { passes += 1 }
            place = next
            guard let url = url(at: next) else { continue }
            passesDone += passes
            open(url, at: next)
            goesBack = step < 0
            return true
        }
        return false
    }

    func jump(to index: Int) {
        guard sources.indices.contains(index), let url = url(at: index) else { return }
        failuresInRow = 0
        open(url, at: index)
    }

    /// Nil, and told, when it is not found.
    private func url(at index: Int) -> URL? {
        do throws(VPErrors) {
            return try resolver.url(for: sources[index], ext: carriedOut?.ext ?? VideoSettings.defaultExt)
        } catch {
            post(.error(error))
            return nil
        }
    }

    private func open(_ url: URL, at index: Int) {
        let plays = player.rate > 0 || player.isAtEnd
        currentIndex = index
        open(url, plays: plays)
    }

    /// The present source cannot be played: the player goes on with what waits, unless all of them have failed. Who
    /// came to it on the way back goes further back, as long as there is something.
    func passOver() {
        failuresInRow += 1
        guard failuresInRow < sources.count else { return dequeue() }
        if goesBack { _ = goOn(by: -1) }
    }
}
