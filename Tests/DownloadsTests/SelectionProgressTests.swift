import TestSupport
import Testing

@testable import Downloads

@Suite("Progress of a selection")
struct SelectionProgressTests {
    @Test("new ranges are reported once and add up to the total")
    func cumulative() {
        var random = SeededNumbers(seed: 17)
        for _ in 0..<2000 {
            var before = SelectionProgress()
            var after = SelectionProgress()
            before.duration = 40
            after.duration = 40
            for second in 0..<40 {
                let stretch = Double(second)..<Double(second + 1)
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    before.add(stretch)
                    after.add(stretch)
                case 1: after.add(stretch)
                default: break
                }
            }
            var total = before
            for stretch in after.news(since: before) {
                #expect(!total.loaded.contains { $0.overlaps(stretch) })
                total.add(stretch)
                #expect(
                    total.loaded.contains { $0.lowerBound <= stretch.lowerBound && $0.upperBound >= stretch.upperBound }
                )
                #expect(zip(total.loaded, total.loaded.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            }
            #expect(total == after)
        }
    }
}
