import Foundation

/// Whether HDR goes to GTK as it is, in textures that carry its colors (PQ, HLG), from GTK 4.16 on.
///
/// Only on request, by `ZOETROPE_HDR=1`: GTK does not report if the display shows HDR. Where it does not, GTK cuts off
/// all that is brighter than white, which tone mapping keeps. Nobody has seen this on an HDR display yet.
enum HDROutput {
    static let isRequested = ProcessInfo.processInfo.environment["ZOETROPE_HDR"] == "1"
}
