import Foundation

/// Advice about code that Swift for Linux can't compile.
struct PortAdvice: Sendable {
    /// The words that identify such code.
    let words: [String]
    /// The problem, as a clause.
    let problem: String
    /// The remedy, as a sentence.
    let remedy: String

    /// Returns whether `code` contains one of `words` as a whole word.
    func applies(to code: String) -> Bool { PortAdvice.contains(words, in: code) }

    /// Returns whether a line of code begins the app. Some of these lines need changes, which `lines` describes.
    static func isEntryPoint(_ code: String) -> Bool {
        contains(
            ["@main", "@UIApplicationMain", "UIApplicationMain(", "@NSApplicationMain", "NSApplicationMain("], in: code)
    }

    private static func contains(_ words: [String], in code: String) -> Bool {
        let code = code.components(separatedBy: " //").first ?? code
        return words.contains { word in
            var rest = code[...]
            while let found = rest.range(of: word) {
                let before = found.lowerBound == code.startIndex ? nil : code[code.index(before: found.lowerBound)]
                let after = found.upperBound == code.endIndex ? nil : code[found.upperBound]
                // Any character may precede a word that begins with a period, or follow a word that ends with a
                // parenthesis.
                let isStart = !(before.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false) || word.first == "."
                let isEnd = !(after.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false) || word.hasSuffix("(")
                if isStart, isEnd { return true }
                rest = rest[found.upperBound...]
            }
            return false
        }
    }

    private static let guardOut = "Put it between `#if !os(Linux)` and `#endif`"

    static let lines: [PortAdvice] = [
        PortAdvice(
            words: ["#selector"], problem: "Swift for Linux has no selectors",
            remedy:
                "Pass a closure: `UIAction { _ in … }`, `Timer.scheduledTimer(withTimeInterval:repeats:)`,"
                + " `NotificationCenter.default.addObserver(forName:object:queue:)`. For controls, use"
                + " `addAction(UIAction { _ in … }, for: .valueChanged)`; for gestures, `UITapGestureRecognizer { tap in … }`."
        ),
        PortAdvice(
            words: ["@objc", "@objcMembers"], problem: "Swift for Linux has no Objective-C",
            remedy: "Remove the attribute, and call the method from a closure where a selector named it."),
        PortAdvice(
            words: ["#keyPath", "forKeyPath:"], problem: "Swift for Linux has no string key paths",
            remedy: "Use `observe(\\.name, options:) { … }` or `publisher(for: \\.name)`."),
        PortAdvice(
            words: ["observeValue(forKeyPath"], problem: "Swift for Linux can't observe properties by string key paths",
            remedy: "Use `observe(\\.name, options:) { … }`, and keep the observation that it returns."),
        PortAdvice(
            words: ["@IBOutlet", "@IBAction", "@IBDesignable", "@IBInspectable", "UIStoryboard", "UINib"],
            problem: "there are no storyboards on Linux",
            remedy: "Make the views in code, or in a SwiftUI view."),
        PortAdvice(
            words: ["@UIApplicationMain"], problem: "Swift's compiler for Linux crashes on this attribute",
            remedy: "Write `@main` instead, which also works on iOS."),
        PortAdvice(
            words: ["UIApplicationMain("], problem: "there is no such function on Linux",
            remedy: "Remove the call, and write `@main` before the class of the app's delegate."),
        PortAdvice(
            words: ["@NSApplicationMain", "NSApplicationMain("],
            problem: "an app does not begin with its delegate on Linux",
            remedy: "\(guardOut), and add an `@main struct … : App` with a `WindowGroup`."),
        PortAdvice(
            words: [
                "MTLDevice", "MTLCommandQueue", "MTLTexture", "MTLRenderPipelineState", "MTLCreateSystemDefaultDevice",
                "MTKView", "MTKViewDelegate", "MTLLibrary", "CAMetalLayer", "MTKTextureLoader",
            ], problem: "there is no Metal on Linux",
            remedy: "\(guardOut); draw effects with `VideoShader` (GLSL) or Core Image's filters."),
        PortAdvice(
            words: ["CIKernel", "CIColorKernel", "CIWarpKernel"],
            problem: "kernels in Metal's language can't be compiled",
            remedy: "Write the effect as a `VideoShader` in GLSL."),
        PortAdvice(
            words: ["AVCaptureSession", "AVCaptureDevice", "AVCaptureVideoPreviewLayer"],
            problem: "cameras can't be recorded", remedy: "\(guardOut)."),
        PortAdvice(
            words: ["AVContentKeySession", "AVContentKeySessionDelegate"],
            problem: "FairPlay streams can't be played on Linux", remedy: "\(guardOut)."),
        PortAdvice(
            words: [
                "CVPixelBufferLockBaseAddress", "CVPixelBufferUnlockBaseAddress", "CVPixelBufferGetBaseAddress",
                "CVPixelBufferGetBaseAddressOfPlane", "CVPixelBufferGetBytesPerRow", "CVPixelBufferGetPixelFormatType",
                "kCVPixelBufferPixelFormatTypeKey", "CVPixelBufferCreate",
            ], problem: "frames have the decoder's pixel format",
            remedy:
                "Create the output with `AVPlayerItemVideoOutput()`, and read pixels with `withBGRA` of the frame."
                + " `VideoFrame.bgra` makes frames."),
        PortAdvice(
            words: ["method_exchangeImplementations", "class_getInstanceMethod", "objc_setAssociatedObject"],
            problem: "Swift for Linux has no Objective-C",
            remedy: "Keep the value in a property of the class, or in a dictionary by `ObjectIdentifier`."),
    ]

    private static let modules: [String: String] = [
        "Metal": "\(guardOut); `VideoShader` draws effects in GLSL.",
        "MetalKit": "\(guardOut); `VideoShader` draws effects in GLSL.",
        "MetalPerformanceShaders": "\(guardOut); Core Image's filters do most of it.",
        "WebKit": "\(guardOut); `Link` and `openURL` open pages in the browser.",
        "SafariServices": "\(guardOut); `Link` and `openURL` open pages in the browser.",
        "StoreKit": "\(guardOut); there is no store on Linux.",
        "CoreData": "\(guardOut); keep values in `@AppStorage`, in files as JSON, or in SQLite by GRDB.",
        "SwiftData": "\(guardOut); keep values in `@AppStorage`, in files as JSON, or in SQLite by GRDB.",
        "CloudKit": "\(guardOut); there is no iCloud on Linux.",
        "Photos": "Use `PhotosPicker` of PhotosUI, which opens the desktop's file chooser.",
        "CoreText": "Use `Text` and `UIFont`.",
        "Accelerate": "\(guardOut), or write the loop in Swift.",
        "CoreMotion": "\(guardOut); a desktop has no motion sensors.",
        "CoreLocation": "\(guardOut).",
        "MapKit": "\(guardOut).",
        "GroupActivities": "\(guardOut); there is no SharePlay on Linux.",
        "ActivityKit": "\(guardOut); the desktop shows what plays without code for it.",
        "WidgetKit": "\(guardOut); the desktop shows what plays without code for it.",
        "BackgroundTasks": "\(guardOut); an app keeps running while its windows are hidden.",
        "UserNotifications": "\(guardOut).",
        "AVRouting": "Use `AVRoutePickerView`, which lists DLNA renderers.",
        "GoogleCast": "Use `AVRoutePickerView`, which lists DLNA renderers.",
        "VideoToolbox": "\(guardOut); players decode with the hardware by themselves.",
        "AudioToolbox": "Use `AVPlayer`.",
        "CoreAudio": "Use `AVPlayer`.",
        "Vision": "\(guardOut); see the recipe “Frames for models”.",
        "CoreML": "\(guardOut); see the recipe “Frames for models”.",
        "SpriteKit": "Use `Canvas` and `TimelineView`.",
        "SceneKit": "\(guardOut).",
        "RealityKit": "\(guardOut).",
        "ARKit": "\(guardOut).",
        "GameController": "\(guardOut).",
        "Network": "Use `URLSession`.",
        "Security": "\(guardOut).",
        "CryptoKit": "Add the package swift-crypto, and write `import Crypto`.",
        "Darwin": "Write `import Glibc` under `#if os(Linux)`.",
        "ObjectiveC": "\(guardOut).",
        "Cocoa": "Write `import AppKit`.",
        "TipKit": "\(guardOut); `popover` and `help` show hints.",
        "Charts": "Draw with `Canvas` or shapes.",
        "CoreTransferable": "Remove the import: `Transferable` comes with SwiftUI.",
    ]

    static func module(_ name: String) -> String {
        modules[name] ?? "Add the package that has it, if it runs on Linux. Otherwise put the import and the code that"
            + " needs it between `#if canImport(\(name))` and `#endif`."
    }
}
