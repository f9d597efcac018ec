import Foundation
import MediaEngine

/// Several sources one after the other. The next one waits in the player's queue, so that the pipeline joins them without a
/// gap; which one that is, is decided anew whenever the list, the place in it or looping changes.
extension ExtPlayerController {
    /// From the present place, over the list's ends only when it loops.
    func index(after index: Int, by step: Int) -> Int? {
        let next = index + step
        if sources.indices.contains(next) { return next }
        return isLooping && sources.count > 1 ? (next + sources.count) % sources.count : nil
    }

    /// Puts the next source that there is behind the present one.
    /// - Parameter start: the place after which it is looked for; nil: the present one.
    func enqueueNext(after start: Int? = nil) {
        dequeue()
        guard sources.count > 1, player.currentItem != nil else { return }
        var index = start ?? currentIndex
        for _ in sources {
            guard let next = self.index(after: index, by: 1), !isLastPass(beginning: next) else { return }
            index = next
            guard let url = try? resolver.url(for: sources[next], ext: carriedOut?.ext ?? VideoSettings.defaultExt) else { continue }
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
        if let carriedOut, carriedOut.preloadAhead > 0 || !carriedOut.preload.isEmpty, queued.item.status == .unknown { preloads.append((queued.item.asset.url, queued.item)) }
    }

    /// What waits cannot be played, as it turned out when its turn came near: the one behind it waits in its place.
    private func queuedChanged(_ item: AVPlayerItem) {
        guard item.status == .failed, let queued, queued.item === item else { return }
        post(.error(reason(of: item)))
        failuresInRow += 1
        if failuresInRow < sources.count { enqueueNext(after: queued.index) } else { dequeue() }
    }

    /// The list would begin once more than `Loop(count:)` allows.
    private func isLastPass(beginning index: Int) -> Bool {
        guard index <= currentIndex, let count = carriedOut?.loopCount else { return false }
        return passesDone + 1 >= count
    }

    /// The player has gone on to what waited.
    func followQueue(to item: AVPlayerItem) {
        guard let queued, queued.item === item else { return }
        if queued.index <= currentIndex { passesDone += 1 }
        currentIndex = queued.index
        sourceURL = item.asset.url
        self.queued = nil
        error = nil
        subtitles = .automatic
        enqueueNext()
        updatePreloads()
        showSubtitles()
    }

    /// A pass of one source's loop is over: the last one is let end.
    func passDone() {
        passesDone += 1
        if let count = carriedOut?.loopCount, isLooping, passesDone + 1 >= count { setLooping(false) }
    }

    func step(by step: Int) {
        if let next = index(after: currentIndex, by: step) { return jump(to: next) }
        if step < 0 { jump(to: currentIndex) }
    }

    func jump(to index: Int) {
        guard sources.indices.contains(index) else { return }
        do throws(VPErrors) {
            let url = try resolver.url(for: sources[index], ext: carriedOut?.ext ?? VideoSettings.defaultExt)
            let plays = player.rate > 0 || player.isAtEnd
            currentIndex = index
            open(url, plays: plays)
        } catch {
            post(.error(error))
        }
    }

    /// The present source cannot be played: the player goes on with what waits, unless all of them have failed.
    func passOver() {
        failuresInRow += 1
        if failuresInRow >= sources.count { dequeue() }
    }
}
