import Testing

@testable import ViewGraph

@Suite("Queue of invalid views")
struct DepthQueueTests {
    private final class Member {
        let name: String, depth: Int
        init(_ name: String, _ depth: Int) { (self.name, self.depth) = (name, depth) }
    }

    @Test("members come by depth, then in the order of insertion")
    func order() {
        var queue = DepthQueue<Member>()
        let all = [("a", 3), ("b", 0), ("c", 3), ("d", 1), ("e", 0)].map { Member($0.0, $0.1) }
        for member in all { queue.insert(member, depth: member.depth) }
        queue.insert(all[0], depth: 3)
        var names: [String] = []
        while let next = queue.popFirst() { names.append(next.name) }
        #expect(names == ["b", "e", "d", "a", "c"] && queue.isEmpty)
    }

    @Test("random operations agree with a sorted list", arguments: 0..<40)
    func random(seed: Int) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        let members = (0..<30).map { Member("\($0)", random(6)) }
        var queue = DepthQueue<Member>()
        var model: [Member] = []
        for _ in 0..<2000 {
            let member = members[random(members.count)]
            switch random(4) {
            case 0, 1:
                queue.insert(member, depth: member.depth)
                if !model.contains(where: { $0 === member }) { model.append(member) }
            case 2:
                queue.remove(member)
                model.removeAll { $0 === member }
            default:
                let lowest = model.map(\.depth).min()
                let next = queue.popFirst()
                #expect(next?.depth == lowest)
                model.removeAll { $0 === next }
            }
            #expect(queue.isEmpty == model.isEmpty && queue.contains(member) == model.contains { $0 === member })
        }
    }
}
