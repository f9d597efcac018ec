/// The reader's position in a remote file, and the number of bytes to load ahead of it.
struct ReadWindow {
    /// The minimum of `forward`, in bytes.
    static let least: Int64 = 64 << 10

    /// The end of the last read, or the start of the one that is waiting.
    private(set) var position: Int64 = 0
    /// The reader's earlier positions, the latest last. The reader may return to them.
    private(set) var formerPositions: [Int64] = []
    private(set) var forward: Int64
    private let most: Int64

    /// Creates a window at the beginning of the file.
    /// - Parameters:
    ///   - forward: The number of bytes to load ahead of the reader.
    ///   - budget: The budget of the cache, in bytes.
    init(forward: Int64, budget: Int) {
        // The rest of the budget is for bytes already read, and for the head and the tail of the file.
        most = Int64(budget - max(budget / 4, 1 << 20))
        self.forward = Self.least
        setForward(forward)
    }

    mutating func setForward(_ bytes: Int64) { forward = max(min(bytes, most), Self.least) }

    /// Moves the reader to `offset`, and remembers its former position if that is a jump.
    mutating func move(to offset: Int64) {
        guard offset != position else { return }
        let old = position
        formerPositions.removeAll { abs($0 - old) < 1 << 20 }
        formerPositions.append(old)
        if formerPositions.count > 4 { formerPositions.removeFirst() }
        position = max(0, offset)
    }

    mutating func advance(by count: Int) { position += Int64(count) }

    /// The number of bytes ahead at which loading resumes. A full buffer resumes only after an eighth of it has been
    /// read, so that not every read causes network traffic.
    var restartMark: Int64 { forward - max(Self.least, forward / 8) }
    /// The number of bytes ahead below which the reader is about to run out of data.
    var dryMark: Int64 { min(forward / 4, 1 << 20) }
}
