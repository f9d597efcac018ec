import CFFmpeg
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

/// Decodes with the computer's graphics device, if it has one.
@Suite(
    "Decoding on a graphics device",
    .enabled(if: HardwareDevice.shared != nil, "no graphics device of this computer decodes video"))
struct HardwareDecodingTests {
    /// What a decoder returned for a whole file.
    private struct Decoded: Equatable {
        var times: [MediaTime] = []
        /// The samples of the first frames as planes of luma and chroma, whatever the arrangement in memory.
        var samples: [[UInt16]] = []
        var endsInHardware = false
    }

    private static func decode(_ name: String, _ device: HardwareDevice?) throws -> Decoded {
        let reader = try ItemReader(
            url: TestMedia.url(name), selection: TrackSelection(), interrupt: InterruptToken())
        let track = try #require(reader.description.video)
        let decoder = try VideoDecoder(
            track: track, startOffset: reader.startOffset, location: name, device: device)
        var result = Decoded()
        func append(_ output: VideoDecoder.Output) {
            result.times.append(output.pts)
            if result.samples.count < 30 { result.samples.append(samples(of: output.frame)) }
        }
        reading: while true {
            switch reader.next() {
            case .video(let packet): decoder.decode(packet, deliver: append)
            case .end, .failed: break reading
            default: continue
            }
        }
        decoder.decode(nil, deliver: append)
        result.endsInHardware = decoder.isHardware
        return result
    }

    private static func samples(of frame: VideoFrame) -> [UInt16] {
        frame.withAVFrame { picture in
            guard let format = av_pix_fmt_desc_get(AVPixelFormat(picture.pointee.format)) else { return [] }
            let components = [format.pointee.comp.0, format.pointee.comp.1, format.pointee.comp.2]
            let data = [picture.pointee.data.0, picture.pointee.data.1, picture.pointee.data.2]
            let strides = [picture.pointee.linesize.0, picture.pointee.linesize.1, picture.pointee.linesize.2]
            var samples: [UInt16] = []
            for (number, component) in components.enumerated() {
                let isChroma = number > 0
                let width = isChroma ? (frame.width + 1) >> Int(format.pointee.log2_chroma_w) : frame.width
                let height = isChroma ? (frame.height + 1) >> Int(format.pointee.log2_chroma_h) : frame.height
                guard let plane = data[Int(component.plane)] else { return [] }
                for y in 0..<height {
                    let row = plane + y * Int(strides[Int(component.plane)]) + Int(component.offset)
                    for x in 0..<width {
                        let at = row + x * Int(component.step)
                        let value = component.depth > 8 ? UInt16(at[0]) | UInt16(at[1]) << 8 : UInt16(at[0])
                        samples.append(value >> UInt16(component.shift))
                    }
                }
            }
            return samples
        }
    }

    @Test(
        "a device decodes the same frames as the processor",
        arguments: [
            "quad-h264.mp4", "counter-video.mp4", "quad-odd.mp4", "quad-hevc.mp4", "quad-hevc10.mkv", "quad-vp9.webm",
            "quad-av1.mp4", "quad-av1.webm",
        ])
    func same(name: String) throws {
        let device = try HardwareDecodingTests.decode(name, HardwareDevice.shared)
        let processor = try HardwareDecodingTests.decode(name, nil)
        let isHardware = device.endsInHardware
        #expect(isHardware)
        #expect(device.times == processor.times)
        try #require(device.samples.count == processor.samples.count)
        for (number, samples) in device.samples.enumerated() {
            let isSame = samples == processor.samples[number]
            #expect(isSame, "frame \(number)")
        }
    }

    @Test("a profile that no device decodes is decoded by the processor")
    func foreignProfile() throws {
        let device = try HardwareDecodingTests.decode("quad-h264-444.mp4", HardwareDevice.shared)
        let processor = try HardwareDecodingTests.decode("quad-h264-444.mp4", nil)
        let isHardware = device.endsInHardware
        let isSame = device.samples == processor.samples
        #expect(!isHardware && isSame && device.times == processor.times)
    }
}
