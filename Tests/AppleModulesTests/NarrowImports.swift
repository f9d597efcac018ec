// A single import provides its own names, and does not conflict with an app's types such as `Playlist`.
import AVFoundation
import os

struct Playlist { var count = 3 }

enum NarrowImports {
    static let playlist = Playlist()
    static let logger = Logger(subsystem: "org.zoetrope.tests", category: "narrow")
    static let time = CMTime(seconds: 1, preferredTimescale: 600)
    static func gravity() -> AVLayerVideoGravity { .resizeAspect }
}
