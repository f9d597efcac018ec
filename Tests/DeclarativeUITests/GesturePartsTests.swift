import Foundation
import Testing

@testable import DeclarativeUI

@Suite("Parts of a gesture") @MainActor
struct GesturePartsTests {
    @Test("the end of a press is reported once")
    func end() {
        let recognizer = _Recognizer(.longPress(seconds: 0.5, distance: 10))
        var press = GesturePress()
        press.begin(isOpen: true)
        #expect(!press.mustReportEnd)
        press.notifyAtEnd(recognizer)
        #expect(press.mustReportEnd)
        let ends = [press.end(), press.end()]
        #expect(ends[0] === recognizer && ends[1] == nil && !press.mustReportEnd)
    }

    @Test("a press begins without the results of the previous one")
    func begin() {
        var press = GesturePress()
        press.begin(isOpen: true)
        press.recognize()
        press.cancel()
        #expect(press.wasOpen && press.isRecognized && press.isCancelled)
        press.begin(isOpen: false)
        #expect(!press.wasOpen && !press.isRecognized && !press.isCancelled)
    }

    @Test("a steady movement has a velocity in each dimension")
    func velocity() {
        var motion = FingerMotion()
        var velocity = CGSize.zero
        for step in 0...100 {
            let time = Double(step) * 0.01
            velocity = motion.velocity(at: CGPoint(x: 300 * time, y: -40 * time), time)
        }
        #expect(abs(velocity.width - 300) < 1 && abs(velocity.height + 40) < 1)
    }

    @Test("a steady rotation has an angle and a velocity")
    func rotation() {
        var motion = FingerMotion()
        for step in 0...100 {
            let angle = (Double(step) * 0.1).remainder(dividingBy: 2 * .pi)
            motion.turn(to: angle, Double(step) * 0.01)
        }
        #expect(abs(motion.rotation - 10) < 1e-9 && abs(motion.rotationVelocity - 10) < 0.01)
    }
}
