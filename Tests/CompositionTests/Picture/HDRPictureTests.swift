import CFFmpeg
import Filters
import Foundation
import TestSupport
import Testing

@testable import MediaEngine

@Suite("HDR frames")
struct HDRPictureTests {
    private func hdr(_ transfer: AVColorTransferCharacteristic = AVCOL_TRC_SMPTE2084, format: String = "yuv420p10le")
        -> CodePicture
    {
        var picture = CodePicture()
        (picture.transfer, picture.primaries, picture.format) = (transfer, AVCOL_PRI_BT2020, format)
        return picture
    }
    private func pq(_ nits: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(Reference.pqCode(nits.x), Reference.pqCode(nits.y), Reference.pqCode(nits.z))
    }

    @Test(
        "HDR colors follow the formulas in every pixel format",
        arguments: ["yuv420p10le", "p010le", "yuv422p10le", "yuv444p12le", "gbrp10le", "gbrp12le"])
    func formulas(format: String) throws {
        let scaler = FrameScaler()
        let grays = [0.0, 1, 100, 203, 1000].map { SIMD3(repeating: $0) }
        let colors: [SIMD3<Double>] = [SIMD3(200, 80, 60), SIMD3(60, 400, 100), SIMD3(100, 150, 600)]
        for nits in grays + colors.map(Reference.from709) {
            var picture = hdr(format: format)
            picture.isFullRange = format.hasPrefix("gbr")
            let frame = try #require(picture.make { _, _ in pq(nits) })
            let drawing = try Drawing(frame, width: 20, height: 12, scaler: scaler)
            let wanted = Reference.shown(nits, peak: 1000)
            #expect(distance(drawing[10, 6], wanted) <= 3, "\(nits): \(drawing[10, 6]), wanted \(wanted)")
            #expect(drawing[0, 0] == drawing[19, 11])
            let scene = SIMD3(0.7, 0.5, 0.55)
            var hybrid = hdr(AVCOL_TRC_ARIB_STD_B67, format: format)
            hybrid.isFullRange = picture.isFullRange
            let hlg = try Drawing(try #require(hybrid.make { _, _ in scene }), width: 20, height: 12, scaler: scaler)
            #expect(distance(hlg[10, 6], Reference.shown(Reference.hlgLight(scene), peak: 1000)) <= 3)
        }
    }

    @Test("the tone curve uses content peak, then display peak, then 1000 nits")
    func metadata() throws {
        let nits = SIMD3(repeating: 400.0)
        for (content, display, peak) in [
            (0, 0, 1000.0), (0, 4000, 4000), (2000, 4000, 2000), (400, 1000, 400), (100, 0, 203),
        ] {
            var picture = hdr()
            (picture.contentPeak, picture.displayPeak) = (content, display)
            let drawing = try Drawing(try #require(picture.make { _, _ in pq(nits) }), width: 16, height: 16)
            #expect(distance(drawing[8, 8], Reference.shown(nits, peak: peak)) <= 2, "\(content) \(display)")
        }
    }

    @Test("container metadata applies where frames have no metadata")
    func container() throws {
        let context = avformat_alloc_context()
        defer { avformat_free_context(context) }
        let stream = try #require(avformat_new_stream(context, nil))
        #expect(StreamLight(stream) == nil)
        var size = 0
        let light = try #require(av_content_light_metadata_alloc(&size))
        light.pointee.MaxCLL = 4000
        #expect(zt_stream_add_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, light, size) != 0)
        let told = try #require(StreamLight(stream))
        func peak(_ picture: CodePicture) throws -> Double? {
            let frame = try #require(picture.make { _, _ in SIMD3(repeating: 0.5) })
            return frame.withAVFrame {
                MasteringLight.complete(UnsafeMutablePointer(mutating: $0), from: told)
                return PictureColor($0).toneMap?.peak
            }
        }
        #expect(try peak(hdr()) == 4000)
        var own = hdr()
        own.contentPeak = 600
        #expect(try peak(own) == 600)
    }

    @Test("BT.2020 and P3 frames are converted, BT.709 frames stay unchanged")
    func wide() throws {
        func shown(_ primaries: AVColorPrimaries, _ matrix: TestPicture.Matrix, _ color: SIMD3<Double>) throws -> [Int]
        {
            var picture = CodePicture()
            (picture.primaries, picture.transfer, picture.matrix) = (primaries, AVCOL_TRC_BT709, matrix)
            return try Drawing(try #require(picture.make { _, _ in color }), width: 16, height: 16)[8, 8]
        }
        let light = Reference.from709(SIMD3(pow(0.8, 2.4), pow(0.4, 2.4), pow(0.3, 2.4)))
        let code = SIMD3(pow(light.x, 1 / 2.4), pow(light.y, 1 / 2.4), pow(light.z, 1 / 2.4))
        #expect(distance(try shown(AVCOL_PRI_BT2020, .bt2020, code), [204, 102, 77]) <= 3)
        #expect(distance(try shown(AVCOL_PRI_BT709, .bt709, SIMD3(0.8, 0.4, 0.3)), [204, 102, 77]) <= 2)
        let p3 = try shown(AVCOL_PRI_SMPTE432, .bt709, SIMD3(0.8, 0.4, 0.3))
        #expect(p3[0] > 204 && p3[1] < 102)
        #expect(distance(try shown(AVCOL_PRI_SMPTE432, .bt709, SIMD3(0.6, 0.6, 0.6)), [153, 153, 153]) <= 2)
    }

    @Test("HDR frames look the same at every rotation and gravity", arguments: [0, 90, 180, 270])
    func turned(rotation: Int) throws {
        var picture = hdr()
        (picture.width, picture.height, picture.rotation) = (48, 32, rotation)
        let frame = try #require(
            picture.make { x, y in pq(SIMD3(repeating: x < 24 ? (y < 16 ? 1 : 20) : (y < 16 ? 100 : 800))) })
        let grays = [1.0, 100, 20, 800].map { Reference.shown(SIMD3(repeating: $0), peak: 1000)[0] }
        let order = [0: [0, 1, 2, 3], 90: [2, 0, 3, 1], 180: [3, 2, 1, 0], 270: [1, 3, 0, 2]][rotation] ?? []
        for gravity in [AVLayerVideoGravity.resize, .resizeAspectFill] {
            let drawing = try Drawing(frame, width: 40, height: 40, gravity: gravity)
            for (index, place) in [(8, 8), (32, 8), (8, 32), (32, 32)].enumerated() {
                #expect(
                    distance(drawing[place.0, place.1], [Int](repeating: grays[order[index]], count: 3)) <= 2,
                    "\(gravity.rawValue) \(index)")
            }
        }
    }

    @Test("a ramp is monotonic and gray from end to end", arguments: ["pq", "hlg", "bt2020"])
    func gradient(kind: String) throws {
        let drawing = try Drawing(
            try #require(CodePicture.gradient(kind, width: 320, height: 180)), width: 320, height: 180)
        drawing.keep(kind)
        for x in 1..<320 {
            let color = drawing[x, 176]
            #expect(color[1] >= drawing[x - 1, 176][1] - 1, "\(x)")
            #expect(distance(color, [Int](repeating: color[1], count: 3)) <= 2, "\(x): \(color)")
        }
        #expect(drawing[0, 176][1] <= 3 && drawing[319, 176][1] >= 252)
    }
}
