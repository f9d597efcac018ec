import Glibc

/// A cache in memory for parts of a file, in blocks and within a budget.
///
/// When the cache is full, the block farthest from the reader's position is evicted first. The head and the tail of the
/// file are kept as long as possible, because they contain indices (`moov`, `Cues`). Blocks that were read shortly
/// before are kept too, because a badly interleaved file is read alternately at two positions.
struct ByteCache: Sendable {
    static let blockSize = 256 * 1024

    /// The maximum size in bytes, at least four blocks.
    let budget: Int
    private(set) var ranges = RangeSet<Int64>()
    private var blocks: [Int64: [UInt8]] = [:]
    private var spare: [[UInt8]] = []

    init(budget: Int) { self.budget = max(budget, 4 * ByteCache.blockSize) }

    var bytesInMemory: Int { (blocks.count + spare.count) * ByteCache.blockSize }

    /// Returns the offset of the first missing byte at or after `position`.
    func contiguousEnd(from position: Int64) -> Int64 {
        for range in ranges.ranges where range.upperBound > position {
            return range.lowerBound <= position ? range.upperBound : position
        }
        return position
    }

    /// Returns the first cached range that begins after `position`, or nil if there is none.
    func nextRange(after position: Int64) -> Range<Int64>? {
        ranges.ranges.first { $0.lowerBound > position }
    }

    /// Copies the contiguous bytes at `position` into `buffer`.
    /// - Returns: The number of bytes copied.
    func copy(from position: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = Int(min(Int64(buffer.count), contiguousEnd(from: position) - position))
        var done = 0
        while done < count {
            let (index, offset) = ByteCache.block(containing: position + Int64(done))
            let piece = min(count - done, ByteCache.blockSize - offset)
            let copied: Void? = blocks[index]?.withUnsafeBytes { block in
                UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + piece])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: block[offset..<offset + piece]))
            }
            guard copied != nil else { return done }
            done += piece
        }
        return done
    }

    /// Returns whether `bytes` are equal to the cached bytes at `position`, wherever the cache has any.
    func agrees(with bytes: UnsafeRawBufferPointer, at position: Int64) -> Bool {
        let span = position..<position + Int64(bytes.count)
        for range in ranges.ranges {
            var current = max(range.lowerBound, span.lowerBound)
            let end = min(range.upperBound, span.upperBound)
            while current < end {
                let (index, offset) = ByteCache.block(containing: current)
                let count = min(Int(end - current), ByteCache.blockSize - offset)
                guard let other = bytes.baseAddress else { return true }
                let isSame = blocks[index]?.withUnsafeBytes { block in
                    block.baseAddress.map { memcmp($0 + offset, other + Int(current - span.lowerBound), count) == 0 }
                        ?? true
                }
                if isSame == false { return false }
                current += Int64(count)
            }
        }
        return true
    }

    /// Stores bytes at `position`, and evicts others if the cache is full. Bytes that are worth less than all cached
    /// blocks are not stored.
    mutating func store(_ bytes: UnsafeRawBufferPointer, at position: Int64, interest: Interest) {
        var done = 0
        while done < bytes.count {
            let start = position + Int64(done)
            let (index, offset) = ByteCache.block(containing: start)
            let piece = min(bytes.count - done, ByteCache.blockSize - offset)
            guard makeBlock(index, interest) else { return }
            blocks[index]?.withUnsafeMutableBytes { block in
                UnsafeMutableRawBufferPointer(rebasing: block[offset..<offset + piece])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[done..<done + piece]))
            }
            ranges.insert(contentsOf: start..<start + Int64(piece))
            done += piece
        }
    }

    // MARK: eviction

    /// The parts of the file that are worth keeping.
    struct Interest {
        /// The reader's position.
        var position: Int64
        /// The number of bytes wanted ahead of the position.
        var forward: Int64
        /// The reader's earlier positions.
        var others: [Int64] = []
        /// The length of the file, or nil if it is unknown.
        var length: Int64?
    }

    /// Makes sure that the block `index` exists. Returns false if it is worth less than all blocks in a full cache.
    private mutating func makeBlock(_ index: Int64, _ interest: Interest) -> Bool {
        if blocks[index] != nil { return true }
        let fresh: [UInt8]
        if let free = spare.popLast() {
            fresh = free
        } else if (blocks.count + 1) * ByteCache.blockSize <= budget {
            // The memory is not initialized, because only bytes in `ranges` are read.
            fresh = Array(unsafeUninitializedCapacity: ByteCache.blockSize) { $1 = ByteCache.blockSize }
        } else {
            guard let victim = leastWorth(than: index, interest), let memory = blocks.removeValue(forKey: victim) else {
                return false
            }
            let start = victim * Int64(ByteCache.blockSize)
            ranges.remove(contentsOf: start..<start + Int64(ByteCache.blockSize))
            fresh = memory
        }
        blocks[index] = fresh
        return true
    }

    /// Returns the block to evict for `newcomer`, or nil if `newcomer` itself is worth the least.
    private func leastWorth(than newcomer: Int64, _ interest: Interest) -> Int64? {
        var victim = newcomer
        var worst = dispensability(newcomer, interest)
        for index in blocks.keys {
            let value = dispensability(index, interest)
            if value > worst { (victim, worst) = (index, value) }
        }
        return victim == newcomer ? nil : victim
    }

    /// Returns how dispensable a block is. 0 means that it is needed now; the block with the largest value is evicted
    /// first.
    private func dispensability(_ index: Int64, _ interest: Interest) -> Int64 {
        let start = index * Int64(ByteCache.blockSize)
        let end = start + Int64(ByteCache.blockSize)
        if start <= interest.position, interest.position < end { return 0 }
        // The limit is one block beyond the window, because bytes still arrive after the sender has been paused.
        if start > interest.position, start - interest.position <= interest.forward + Int64(ByteCache.blockSize) {
            return 1 + (start - interest.position) / Int64(ByteCache.blockSize)
        }
        let share = Int64(budget) / 8
        let near = min(Int64(1) << 20, share)
        let isIndex = end <= near || interest.length.map { start >= $0 - min(Int64(8) << 20, share) } == true
        let wasRead = interest.others.contains { start <= $0 + near && $0 < end }
        let distance = start > interest.position ? start - interest.position : interest.position - end
        return (isIndex ? 1 << 56 : wasRead ? 1 << 58 : 1 << 60) + distance >> 8
    }

    private static func block(containing position: Int64) -> (index: Int64, offset: Int) {
        (position / Int64(blockSize), Int(position % Int64(blockSize)))
    }
}
