import Foundation

/// The setting that determines whether GTK receives HDR unchanged, in textures with their colors (PQ, HLG). Requires
/// GTK 4.16.
///
/// The environment variable `ZOETROPE_HDR=1` requests it, because GTK does not report whether the display supports HDR.
/// On other displays, GTK clips everything brighter than white, whereas tone mapping preserves it. Not yet tested on an
/// HDR display.
enum HDROutput {
    static let isRequested = ProcessInfo.processInfo.environment["ZOETROPE_HDR"] == "1"
}
