import Foundation

/// The lengths and positions of the lines of a lazy container, along the container's axis.
///
/// A line is a row of a list or a stack, or a line of a grid. A line that was not measured counts as long as the mean
/// of those that were measured when `settle` was called. The sums are in a binary indexed tree (Fenwick, 1994), so a
/// query and a change take a time that grows with the logarithm of the number of lines.
final class LineLengths {
    /// A length in points, and the number of lines of which it is the mean.
    struct Estimate {
        var length: CGFloat
        var count: Int
    }
    private struct Line {
        /// The measured length in points, or nil.
        var length: CGFloat?
        /// Whether the length is part of the mean.
        var isSample = false
    }
    private struct Sums {
        /// The sum of the measured lengths, in points.
        var length: CGFloat = 0
        /// The number of measured lines.
        var count = 0
    }
    private var lines: [Line]
    /// The tree: the node at `n` has the sums of the `n & -n` lines before line `n`. The first node is not used.
    private var tree: [Sums]
    private let spacing: CGFloat
    private let usual: CGFloat
    private var samples = Sums()
    /// The length of lines that were not measured. A measured line then moves only the lines after it. Nil before
    /// `settle` was called: until then it is the mean.
    private var settled: Estimate?

    /// The lines whose length may have changed since it was measured.
    private var outdated: Set<Int> = []

    /// Creates lines that were not measured.
    /// - Parameters:
    ///   - count: The number of lines.
    ///   - spacing: The distance between lines, in points.
    ///   - usual: The length of a line while no line has been measured, in points.
    init(count: Int, spacing: CGFloat, usual: CGFloat) {
        lines = Array(repeating: Line(), count: count)
        tree = Array(repeating: Sums(), count: count + 1)
        (self.spacing, self.usual) = (spacing, usual)
    }

    /// The number of lines.
    var count: Int { lines.count }
    /// Whether the length of lines that were not measured is the mean of others.
    var hasSamples: Bool { samples.count > 0 || settled != nil }
    private var estimate: CGFloat { settled?.length ?? mean ?? usual }
    private var mean: CGFloat? { samples.count > 0 ? samples.length / CGFloat(samples.count) : nil }

    /// Fixes the length of lines that were not measured, if it is not fixed yet.
    /// - Parameter former: The estimate of the same container before its lines changed. It is kept unless more than
    ///   twice as many lines are known now.
    /// - Returns: The estimate. Nil if no line was measured.
    func settle(_ former: Estimate?) -> Estimate? {
        if settled == nil {
            let new = mean.map { Estimate(length: $0, count: samples.count) }
            settled = former.map { samples.count > 2 * $0.count ? new ?? $0 : $0 } ?? new
        }
        return settled
    }

    /// The length of the container: all lines and the distances between them.
    var total: CGFloat { max(0, start(of: count) - (count > 0 ? spacing : 0)) }

    /// Returns the position of the first edge of a line.
    func start(of line: Int) -> CGFloat {
        var sums = Sums()
        var node = min(line, count)
        while node > 0 {
            sums.length += tree[node].length
            sums.count += tree[node].count
            node &= node - 1
        }
        return end(of: line, sums)
    }
    /// Returns the position after `count` lines and the distances that follow them.
    private func end(of count: Int, _ sums: Sums) -> CGFloat {
        sums.length + CGFloat(count - sums.count) * estimate + CGFloat(count) * spacing
    }

    /// Returns the measured or estimated length of a line.
    func length(of line: Int) -> CGFloat { lines[line].length ?? estimate }

    /// Returns the first line that ends at `position` or after it, or `count` if there is none.
    func line(endingFrom position: CGFloat) -> Int { firstLine { $0 < position } }
    /// Returns the first line that ends after `position`, or `count` if there is none.
    func line(endingAfter position: CGFloat) -> Int { firstLine { $0 <= position } }

    /// Returns the first line for whose end `isBefore` is false.
    private func firstLine(_ isBefore: (CGFloat) -> Bool) -> Int {
        var line = descend { line, sums in isBefore(end(of: line, sums)) }
        // The sums of the tree include the distance after a line.
        while line < count, isBefore(start(of: line) + length(of: line)) { line += 1 }
        return line
    }

    /// Returns the measured line with the given number, counted from 0. Nil if there are fewer.
    func measuredLine(_ number: Int) -> Int? {
        let line = descend { _, sums in sums.count <= number }
        return line < count ? line : nil
    }

    /// Returns the number of the first lines for which `isBefore` is true: it gets the number of lines and their sums.
    private func descend(_ isBefore: (Int, Sums) -> Bool) -> Int {
        var line = 0
        var sums = Sums()
        var step = 1
        while step * 2 <= count { step *= 2 }
        while step > 0 {
            if line + step <= count {
                let next = Sums(
                    length: sums.length + tree[line + step].length, count: sums.count + tree[line + step].count)
                if isBefore(line + step, next) { (line, sums) = (line + step, next) }
            }
            step /= 2
        }
        return line
    }

    /// Sets the measured length of a line, in points.
    /// - Parameter isSample: Whether lines that were not measured are estimated from this one too.
    func set(_ length: CGFloat, of line: Int, isSample: Bool) {
        let old = lines[line]
        guard length != old.length || isSample != old.isSample else { return }
        lines[line] = Line(length: length, isSample: isSample)
        let change = Sums(length: length - (old.length ?? 0), count: old.length == nil ? 1 : 0)
        var node = line + 1
        while node <= count {
            tree[node].length += change.length
            tree[node].count += change.count
            node += node & -node
        }
        if old.isSample {
            samples.length -= old.length ?? 0
            samples.count -= 1
        }
        if isSample {
            samples.length += length
            samples.count += 1
        }
    }

    /// Notes that a line must be measured again. Until then it keeps its length.
    func setOutdated(_ line: Int) { outdated.insert(line) }

    /// Returns the lines that must be measured, and forgets them.
    func takeOutdated() -> [Int] {
        guard !outdated.isEmpty else { return [] }
        defer { outdated.removeAll(keepingCapacity: true) }
        return outdated.sorted()
    }
}
