import Foundation
import MediaCore
import MediaEngine
import Synchronization

@testable import Overlays

/// A source of frames without a player. A display gets the frame that the test has set.
final class FrameStage: VideoFrameSource {
    private let state = Mutex<(frame: VideoFrame?, sequence: UInt64, moving: Bool)>((nil, 0, false))

    func show(_ frame: VideoFrame?) {
        state.withLock {
            $0.frame = frame
            $0.sequence += 1
        }
    }
    func move(_ moving: Bool) { state.withLock { $0.moving = moving } }

    func pull(forHostTime hostTime: HostTime) -> PulledFrame? {
        state.withLock { state in state.frame.map { PulledFrame(frame: $0, sequence: state.sequence) } }
    }
    func didPresent(sequence: UInt64, atHostTime hostTime: HostTime) {}
    var isMoving: Bool { state.withLock { $0.moving } }
    func addWakeHandler(_ wake: @escaping @Sendable () -> Void) -> Int { 0 }
    func removeWakeHandler(_ token: Int) {}

    /// Returns a frame of one color, 0xRRGGBB.
    static func plain(_ color: UInt32, width: Int = 16, height: Int = 12, at time: CMTime = .zero) throws -> VideoFrame
    {
        try VideoFrame.bgra(width: width, height: height, presentationTime: time) { pixels, stride in
            for row in 0..<height {
                for column in 0..<width {
                    pixels.storeBytes(of: color, toByteOffset: row * stride + column * 4, as: UInt32.self)
                }
            }
        }
    }

    /// Returns the color in the middle of the frame, 0xRRGGBB.
    static func color(_ frame: VideoFrame) -> UInt32 {
        frame.withAVFrame { picture in
            guard let data = picture.pointee.data.0 else { return 0 }
            let offset = frame.height / 2 * Int(picture.pointee.linesize.0) + frame.width / 2 * 4
            return UnsafeRawPointer(data).loadUnaligned(fromByteOffset: offset, as: UInt32.self) & 0xFF_FFFF
        }
    }
}

/// An object that waits for a composition's wake calls, one after the other.
@MainActor
final class Wakes {
    private var count = 0
    private var waiting: CheckedContinuation<Void, Never>?

    init(_ composition: PictureComposition) {
        _ = composition.addWakeHandler { [weak self] in
            guard let self else { return }
            if let waiting {
                self.waiting = nil
                waiting.resume()
            } else {
                count += 1
            }
        }
    }

    func next() async {
        if count > 0 {
            count -= 1
            return
        }
        // A test's time limit cancels the task, which ends the wait.
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { continuation.resume() } else { waiting = continuation }
            }
        } onCancel: {
            Task { @MainActor in
                waiting?.resume()
                waiting = nil
            }
        }
    }

    struct NeverCame: Error {}

    /// Pulls a frame at each wake call until `accept` returns true for it.
    func pull(
        _ composition: PictureComposition, _ stage: FrameStage, at due: HostTime = .zero,
        until accept: (PulledFrame) -> Bool
    ) async throws -> PulledFrame {
        while !Task.isCancelled {
            if let pulled = composition.pull(from: stage, at: due), accept(pulled) { return pulled }
            await next()
        }
        throw NeverCame()
    }
}
