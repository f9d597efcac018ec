import Foundation
import MediaCore
public final class AVURLAsset: Sendable { public let url: URL; public init(url: URL) { self.url = url } }
public struct AVMetadataItem: Sendable {}
public struct AVMediaSelectionOption: Sendable {}
public struct AVMediaSelectionGroup: Sendable {}
public struct AVMediaSelection: Sendable { var audibleStreamIndex: Int? { nil }; func selecting(_ o: AVMediaSelectionOption?, in: AVMediaSelectionGroup) -> Self { self } }
