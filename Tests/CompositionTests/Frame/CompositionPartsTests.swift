import Foundation
import MediaCore
import Testing

@testable import Filters
@testable import MediaEngine
@testable import Overlays

@Suite("Parts of a composition") @MainActor
struct CompositionPartsTests {
    private func pulled(_ sequence: UInt64, width: Int = 16) throws -> PulledFrame {
        PulledFrame(frame: try FrameStage.plain(0x336699, width: width), sequence: sequence)
    }
    private func plan(of filters: [CIFilter] = []) -> FramePlan {
        var settings = PictureSettings()
        for filter in filters { settings.add(filter) }
        return settings.plan(for: CGSize(width: 16, height: 12), time: 0)
    }
    private func blur() throws -> CIFilter {
        try #require(CIFilter(name: "CIGaussianBlur", parameters: [kCIInputRadiusKey: 2]))
    }

    @Test("a plan applies to frames of one size, settings and time")
    func plans() throws {
        var plans = RenderPlans()
        let added = plans.add(plan(), for: try pulled(1), dependsOnTime: false)
        let (same, next, wide) = (try pulled(1), try pulled(2), try pulled(1, width: 32))
        #expect(plans.known(for: next, dependsOnTime: false) != nil)
        #expect(plans.known(for: same, dependsOnTime: true) != nil)
        #expect(plans.known(for: next, dependsOnTime: true) == nil)
        #expect(plans.known(for: wide, dependsOnTime: false) == nil)
        #expect(plans.isCurrent(added))
        plans.invalidate()
        #expect(plans.known(for: same, dependsOnTime: false) == nil && !plans.isCurrent(added))
    }

    @Test("the method is decided at once where no drawing is needed")
    func methods() throws {
        var plans = RenderPlans()
        let frame = try pulled(1)
        let blurred = plan(of: [try blur()])
        guard case .unchanged = plans.add(plan(), for: frame, dependsOnTime: false).method else {
            Issue.record("without filters, frames stay unchanged")
            return
        }
        guard case .drawn = plans.add(blurred, for: frame, dependsOnTime: true).method else {
            Issue.record("filters that depend on the time are drawn")
            return
        }
        #expect(plans.areDrawn)
        guard case .undecided = plans.add(blurred, for: frame, dependsOnTime: false).method else {
            Issue.record("a recipe may change only colors")
            return
        }
        #expect(!plans.areDrawn)
        plans.decide(.drawn)
        #expect(plans.areDrawn)
        plans.invalidate()
        plans.decide(.drawn)
        #expect(!plans.areDrawn)
    }

    @Test("another item and another video composition are noticed once")
    func item() {
        var followed = FollowedItem()
        let item = ItemComposition()
        var answers = [followed.follow(nil), followed.follow(item)]
        #expect(!followed.hasChange)
        item.current = AVMutableVideoComposition()
        answers += [followed.follow(item), followed.follow(item)]
        #expect(followed.hasChange && followed.filtering != nil)
        answers.append(followed.follow(nil))
        #expect(!followed.hasChange && followed.filtering == nil)
        #expect(answers.map { $0.isOtherItem } == [false, true, false, false, true])
        #expect(answers.map { $0.isOtherChange } == [false, false, true, false, true])
    }

    @Test("each error is reported once, and at most 16 are")
    func problems() {
        var problems = ReportedProblems()
        let errors = (0..<20).map { AVError(.unknown, at: "filter \($0)", reason: "it failed") }
        let again = errors.prefix(10).map { problems.insert($0) } + errors.map { problems.insert($0) }
        #expect(again.filter { $0 }.count == 16 && !again[10..<20].contains(true))
        problems.removeAll()
        let isReported = problems.insert(errors[19])
        #expect(isReported)
    }
}
