import EngineTestSupport
import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

/// Series of images of an asset, requested through the current and the deprecated API.
@Suite("Series of images")
struct ImageSeriesTests {
    private func time(_ frame: Int64) -> CMTime { CMTime(value: frame, timescale: 25) }
    private func number(_ image: CGImage) -> Int { AssetImageTests.number(image) }

    @Test("a series returns images in order, and errors in their place")
    func series() async throws {
        let generator = AVAssetImageGenerator(asset: AVAsset(url: try AssetTestMedia.counter("mp4")))
        var got: [Int] = []
        var failed = 0
        for await result in generator.images(for: [time(3), .invalid, time(40)]) {
            switch result {
            case .success(let requested, let image, let actual):
                got.append(number(image))
                #expect(actual == requested && image.width > 0 && image.height > 0)
            case .failure: failed += 1
            }
        }
        #expect(got == [3, 40] && failed == 1)
    }

    @Test("a completion handler receives an image or an error")
    func handler() async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try AssetTestMedia.counter("mp4")))
        let (image, actual, error) = await withCheckedContinuation { continuation in
            generator.generateCGImageAsynchronously(for: time(7)) { continuation.resume(returning: ($0, $1, $2)) }
        }
        let frame = try #require(image)
        #expect(number(frame) == 7 && actual == time(7) && error == nil)
        #expect(try frame.pngData.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let none = AVAssetImageGenerator(asset: AVURLAsset(url: URL(fileURLWithPath: "/nonexistent/film.mp4")))
        let answer = await withCheckedContinuation { continuation in
            none.generateCGImageAsynchronously(for: .zero) { continuation.resume(returning: ($0, $2)) }
        }
        #expect(answer.0 == nil && answer.1 is AVError)
        var stands = CMTime.invalid
        #expect(number(try generator.copyCGImage(at: time(9), actualTime: &stands)) == 9 && stands == time(9))
    }

    @Test("cancellation calls the handler for each outstanding image")
    func cancelled() async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try AssetTestMedia.counter("mp4")))
        let times = (0..<40).map { NSValue(time: time($0)) }
        let answers = Mutex<[AVAssetImageGenerator.Result]>([])
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            generator.generateCGImagesAsynchronously(forTimes: times) { _, image, _, result, error in
                #expect((image != nil) == (result == .succeeded) && (error != nil) == (result != .succeeded))
                // Cancel after the first image, on the thread that creates the images, so that the others do not exist
                // yet.
                generator.cancelAllCGImageGeneration()
                let count = answers.withLock { all in
                    all.append(result)
                    return all.count
                }
                if count == times.count { continuation.resume() }
            }
        }
        #expect(
            answers.withLock { $0 } == [.succeeded] + [AVAssetImageGenerator.Result](repeating: .cancelled, count: 39))
    }

    @Test("a series creates each image only when it is requested")
    func onDemand() async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try AssetTestMedia.counter("mp4")))
        var iterator = generator.images(for: (0..<40).map(time)).makeAsyncIterator()
        expectEqual(try await iterator.next().map { number(try $0.image) }, 0)
        // Nobody requests the next image of the series while these images are created.
        for frame in Int64(0)..<10 {
            #expect(number(try generator.copyCGImage(at: time(frame), actualTime: nil)) == Int(frame))
        }
        generator.cancelAllCGImageGeneration()
        var answers: [AVError.Code?] = []
        while let next = await iterator.next() {
            if case .failure(_, let error) = next {
                answers.append((error as? AVError)?.code)
            } else {
                answers.append(nil)
            }
        }
        #expect(
            answers == [AVError.Code?](repeating: .cancelled, count: 39),
            "\(answers.count(where: { $0 == nil })) had been taken")
        #expect(await iterator.next() == nil)
    }

    @Test("cancelling the task ends the series and the running request")
    func cancelledTask() async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try AssetTestMedia.counter("mp4")))
        let times = (0..<40).map(time)
        let count = await Task {
            var count = 0
            for await _ in generator.images(for: times) {
                count += 1
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return count
        }.value
        #expect(count == 1)
        #expect(await eventually { !generator.isRunning })
    }
}
