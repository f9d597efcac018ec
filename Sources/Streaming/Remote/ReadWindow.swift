/// Where a remote file is read, and how far ahead of that it is fetched. In bytes.
struct ReadWindow {
    /// Of `forward`.
    static let least: Int64 = 64 << 10

    /// The end of the last read, or the start of the one that waits.
    private(set) var position: Int64 = 0
    /// Where was read before, the latest last: the reader may come back.
    private(set) var formerPositions: [Int64] = []
    private(set) var forward: Int64
    private let most: Int64

    /// - Parameter budget: of the cache.
    init(forward: Int64, budget: Int) {
        // The rest is for what was read, and for the file's head and tail.
        most = Int64(budget - max(budget / 4, 1 << 20))
        self.forward = Self.least
        setForward(forward)
    }

    mutating func setForward(_ bytes: Int64) { forward = max(min(bytes, most), Self.least) }

    /// The reader jumps, or reads on.
    mutating func move(to offset: Int64) {
        guard offset != position else { return }
        let old = position
        formerPositions.removeAll { abs($0 - old) < 1 << 20 }
        formerPositions.append(old)
        if formerPositions.count > 4 { formerPositions.removeFirst() }
        position = max(0, offset)
    }

    mutating func advance(by count: Int) { position += Int64(count) }

    /// A full buffer fetches nothing until an eighth of it has been read: not every read moves the network.
    var restartMark: Int64 { forward - max(Self.least, forward / 8) }
    /// With less than this ahead the reader is about to run dry.
    var dryMark: Int64 { min(forward / 4, 1 << 20) }
}
