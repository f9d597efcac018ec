import Filters
import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@testable import Presentation

/// Tests of the parts of views and of their OpenGL presenter that need no display.
@Suite("Parts of views and presenters") @MainActor
struct PresenterPartsTests {
    private func at(_ milliseconds: Double) -> HostTime {
        HostTime(nanoseconds: Int64((milliseconds * 1_000_000).rounded()))
    }

    @Test("the next frame is requested at its time, within limits")
    func waiting() {
        let wait = FrameWait(due: at(100), interval: 16_000_000)
        #expect(wait.next(at(140), isNew: true, now: at(101)) == at(141))
        // A late frame follows after nine tenths of a refresh, or after half a refresh from now.
        #expect(wait.next(at(60), isNew: true, now: at(101)) == at(114.4))
        #expect(wait.next(at(60), isNew: true, now: at(110)) == at(118))
        #expect(wait.next(at(102), isNew: false, now: at(101)) == at(105), "the frame was not due yet")
        #expect(wait.next(at(1000), isNew: true, now: at(101)) == at(151), "other changes are checked")
    }

    @Test("a frame is converted to pixels of each requested size")
    func converting() throws {
        var converted = ConvertedFrame()
        let frame = try #require(TestPicture.quadrants(width: 32, height: 16))
        for (width, height) in [(32, 16), (64, 32), (16, 8)] {
            let placement = VideoPlacement(
                picture: frame.presentationSize, width: width, height: height, gravity: .resize)
            let pixels = converted.draw(frame, placement) { base, stride -> [UInt32]? in
                [0, (height - 1) * stride].map { base.load(fromByteOffset: $0, as: UInt32.self) & 0xFF_FFFF }
            }
            let found = try #require(pixels)
            // Red at the top left, blue at the bottom left.
            for (pixel, color) in zip(found, [0xFF0000, 0x0000FF] as [UInt32]) {
                for shift in [16, 8, 0] as [UInt32] {
                    let difference = Int(pixel >> shift & 0xFF) - Int(color >> shift & 0xFF)
                    #expect(abs(difference) < 12, "\(width) × \(height): \(String(pixel, radix: 16))")
                }
            }
        }
    }

    @Test("HDR is tone mapped if its colors are not requested")
    func toneMapping() {
        var colors = HDRColors()
        let map = ToneMap(transfer: .pq, primaries: .bt2020)
        let answers = [nil, map].map { colors.mapsTones($0, hasAlpha: false) }
        #expect(answers == [false, true] && colors.used == nil)
    }
}
