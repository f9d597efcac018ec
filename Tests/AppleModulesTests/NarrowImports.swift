// What one of them brings by itself, and what it leaves alone: an app's own names are its own.
import AVFoundation
import os

struct Playlist { var count = 3 }

enum NarrowImports {
    static let playlist = Playlist()
    static let logger = Logger(subsystem: "org.zoetrope.tests", category: "narrow")
    static let time = CMTime(seconds: 1, preferredTimescale: 600)
    static func gravity() -> AVLayerVideoGravity { .resizeAspect }
}
