import Foundation

extension RangeReplaceableCollection where Self: MutableCollection {
    /// Removes the elements at offsets from the start, as SwiftUI's extension does. Offsets without an element have no
    /// effect.
    public mutating func remove(atOffsets offsets: IndexSet) {
        var kept = Self()
        for (offset, element) in enumerated() where !offsets.contains(offset) { kept.append(element) }
        self = kept
    }
}

extension MutableCollection {
    /// Moves the elements at offsets from the start, as SwiftUI's extension does. Offsets without an element have no
    /// effect.
    ///
    /// - Parameters:
    ///   - source: The offsets of the elements. They keep their order.
    ///   - destination: The offset of the element before which they are inserted, counted before the move.
    public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
        let all = Array(self)
        let others = all.indices.filter { !source.contains($0) }
        let moved = all.indices.filter { source.contains($0) }
        let order = others.filter { $0 < destination } + moved + others.filter { $0 >= destination }
        for (index, offset) in zip(Array(indices), order) { self[index] = all[offset] }
    }
}
