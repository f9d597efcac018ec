import Foundation
import MediaEngine

/// Several sources one after the other. The next one waits in the player's queue, so that the pipeline joins them without a
/// gap; which one that is, is decided anew whenever the list, the place in it or looping changes.
extension ExtPlayerController {
    /// From the present place, over the list's ends only when it loops.
    private func index(after index: Int, by step: Int) -> Int? {
        let next = index + step
        if sources.indices.contains(next) { return next }
        return isLooping && sources.count > 1 ? (next + sources.count) % sources.count : nil
    }

    /// Puts the next source that there is behind the present one.
    func enqueueNext() {
        if let queued {
            self.queued = nil
            player.remove(queued.item)
        }
        player.actionAtItemEnd = .pause
        guard sources.count > 1, player.currentItem != nil else { return }
        var index = currentIndex
        for _ in sources {
            guard let next = self.index(after: index, by: 1), next != currentIndex || isLooping, !isLastPass(beginning: next) else { return }
            index = next
            guard let url = try? resolver.url(for: sources[next], ext: carriedOut?.ext ?? VideoSettings.defaultExt) else { continue }
            let item = makeItem(url)
            queued = (item, next)
            player.insert(item, after: nil)
            player.actionAtItemEnd = .advance
            return
        }
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
        subtitles = .automatic
        enqueueNext()
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

    /// The present source cannot be played: the next one is, unless all of them have failed.
    func passOver() {
        failuresInRow += 1
        guard sources.count > 1, failuresInRow < sources.count, let next = index(after: currentIndex, by: 1),
              let url = try? resolver.url(for: sources[next], ext: carriedOut?.ext ?? VideoSettings.defaultExt) else { return }
        currentIndex = next
        open(url, plays: carriedOut?.notAutoPlay == false || player.rate > 0)
    }
}
