import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Seek plans")
struct SeekPlanTests {
    private let entry = PlaybackEntry(id: 1, url: URL(fileURLWithPath: "/none"))
    private func seek(_ target: MediaTime, within tolerance: MediaTime = 0) -> SeekRequest {
        SeekRequest(id: 1, target: target, toleranceBefore: tolerance, toleranceAfter: tolerance, entry: entry)
    }
    /// The usual situation: one item is fed, and the frame at two seconds is displayed.
    private let usual = SeekPlan.Situation(
        isPaused: true, feedsOnlyIt: true, readsIt: true, isFeeding: true, duration: 10_000_000_000,
        videoStart: 2_000_000_000, audioStart: 1_750_000_000, targetIsUnloaded: false)
    private func plan(_ seek: SeekRequest, _ change: (inout SeekPlan.Situation) -> Void = { _ in }) -> SeekPlan {
        var now = usual
        change(&now)
        // Keyframes are five seconds apart.
        return SeekPlan.plan(seek, now) { $0.nanoseconds / 5_000_000_000 == $1.nanoseconds / 5_000_000_000 }
    }

    @Test("a forward seek within the same group continues decoding")
    func decodesOn() {
        #expect(plan(seek(3_000_000_000)) == .decodeOn(from: 3_000_000_000))
        #expect(plan(seek(3_000_000_000, within: 400_000_000)) == .decodeOn(from: 2_600_000_000))
        #expect(plan(seek(3_000_000_000, within: .max)) == .decodeOn(from: 2_000_000_000))
        // Targets before the displayed frame, beyond the group, at the end and beyond it.
        for target: MediaTime in [1_000_000_000, 5_500_000_000, 10_000_000_000, .max] {
            #expect(plan(seek(target)) == .read)
        }
        #expect(plan(seek(3_000_000_000)) { $0.feedsOnlyIt = false } == .read)
        #expect(plan(seek(3_000_000_000)) { $0.isFeeding = false } == .read)
        #expect(plan(seek(3_000_000_000)) { $0.videoStart = nil } == .read)
        #expect(plan(seek(3_000_000_000)) { $0.duration = nil } == .read)
        #expect(plan(seek(3_000_000_000)) { $0.audioStart = 2_900_000_000 } == .read)
        #expect(plan(seek(3_000_000_000, within: .max)) { $0.audioStart = 1_800_000_000 } == .read)
        #expect(plan(seek(3_000_000_000)) { $0.audioStart = nil } == .decodeOn(from: 3_000_000_000))
    }

    @Test("an inexact seek to unloaded media shows an I-frame while paused")
    func scrubs() {
        func away(_ now: inout SeekPlan.Situation) { now.targetIsUnloaded = true }
        #expect(plan(seek(8_000_000_000, within: 1), away) == .showKeyFrame)
        #expect(plan(seek(8_000_000_000), away) == .read)
        #expect(plan(seek(8_000_000_000, within: 1)) == .read)
        let playing = plan(seek(8_000_000_000, within: 1)) {
            away(&$0)
            $0.isPaused = false
        }
        #expect(playing == .read)
    }

    @Test("a seek target is limited to the item and the loop")
    func target() {
        #expect(SeekPlan.target(of: seek(-5), length: 100, stoppingBefore: nil) == 0)
        #expect(SeekPlan.target(of: seek(.max), length: 100, stoppingBefore: nil) == 100)
        #expect(SeekPlan.target(of: seek(.max), length: nil, stoppingBefore: nil) == .max)
        #expect(SeekPlan.target(of: seek(70), length: 100, stoppingBefore: 50) == 49)
        #expect(SeekPlan.target(of: seek(70), length: 100, stoppingBefore: 0) == 0)
    }

    // After a gap at the requested position, reading does not start before the available media.
    @Test("random seeks start within the tolerance and never after the target")
    func starts() {
        var numbers = SeededNumbers(seed: 16)
        for _ in 0..<20_000 {
            let target = MediaTime(nanoseconds: numbers.below(9_000))
            let tolerance = [MediaTime(nanoseconds: numbers.below(3_000)), 0, .max][numbers.below(3)]
            let keyframe: MediaTime? = numbers.below(4) == 0 ? nil : MediaTime(nanoseconds: numbers.below(9_000))
            let moved: MediaTime? = numbers.below(4) == 0 ? MediaTime(nanoseconds: numbers.below(9_000)) : nil
            let start = SeekPlan.start(
                seek(target, within: tolerance), target: target, keyframe: keyframe, movedTo: moved)
            if let moved, moved > target {
                #expect(start >= moved)
                continue
            }
            let isKey = keyframe.map { $0 <= target && target - $0 <= tolerance } ?? false
            #expect(start >= (moved ?? 0))
            // If the first keyframe is after the target, reading cannot start earlier.
            #expect(start <= max(target, keyframe ?? 0))
            #expect(tolerance == 0 || isKey || start >= target - min(tolerance, target))
            if isKey, moved == nil { #expect(start == keyframe) }
        }
    }
}
