import CGTK
import Foundation
import MediaEngine
@MainActor final class GLPresenter { init?(surface: OpaquePointer) { return nil }
 func close() {} ; func texture(for: VideoFrame, placement: VideoPlacement) -> OpaquePointer? { nil } }
